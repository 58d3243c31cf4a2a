"""The festival's form: its town, its licence, whom developers ask. Its look is tested with the pages."""

import pytest
from django.test import Client

from feeds.vocabulary import Terms
from programme import models
from programme.publishing import loading

pytestmark = pytest.mark.django_db

ADD = "/admin/programme/festival/add/"
TERMS = {
    "license_name": " CC BY 4.0",
    "license_url": "https://creativecommons.org/licenses/by/4.0/",
    "terms_url": "www.kulturnatten.example/data",
    "contact_name": "Kansliet",
    "contact_email": "data@kulturnatten.example",
}
FORM = {"name_sv": "Kulturnatten", "town": "Åsunda", "country": "se", **TERMS}


def test_what_editors_enter_is_loaded_and_stays_in_the_history(admin_client: Client) -> None:
    admin_client.post(ADD, FORM)
    festival = loading.load().festival
    assert (festival.town, festival.country) == ("Åsunda", "SE")
    assert festival.terms == Terms(
        license_name="CC BY 4.0",
        license_url="https://creativecommons.org/licenses/by/4.0/",
        terms_url="https://www.kulturnatten.example/data",
        contact_name="Kansliet",
        contact_email="data@kulturnatten.example",
    )
    models.Festival.objects.update(country="", license_name="CC0")
    versions = models.Festival.history.order_by("history_id").values_list("license_name", "country", "town")
    assert [*versions] == [("CC BY 4.0", "SE", "Åsunda"), ("CC0", "", "Åsunda")]


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ({"country": "S1"}, "Skriv landet med två bokstäver: SE."),
        ({"contact_email": "kansliet"}, "Ange en giltig mejladress."),
        ({"license_url": "bild.jpg"}, "Skriv hela adressen, som börjar med https://."),
    ],
)
def test_invalid_values_are_reported_at_their_fields(
    admin_client: Client, typed: dict[str, str], refusal: str
) -> None:
    page = admin_client.post(ADD, FORM | typed, headers={"Accept-Language": "sv"})
    errors = page.context["adminform"].form.errors
    assert {name: list(each) for name, each in errors.items()} == {next(iter(typed)): [refusal]}
    assert not models.Festival.objects.exists()
