"""Numbers in forms and addresses: what is none, or a thousand digits long, is refused in words and fails nothing."""

import pytest
from django.test import Client

from programme.models import Event, Occasion
from programme.models.parsing import parse_int
from tests.programme.backoffice.requests import submission
from tests.programmes import NIGHT

FORM = f"/admin/programme/event/{NIGHT}/change/"
# Longer than Python reads, longer than a database holds, and what only looks like a number.
NONE = ["9" * 5000, "9" * 25, "٣", "²", "-1", "1.0", " 1", ""]


@pytest.mark.parametrize(("text", "longest", "number"), [("0", 18, 0), ("7001", 4, 7001), ("70010", 4, None)])
def test_a_number_has_a_maximal_length(text: str, longest: int, number: int | None) -> None:
    assert parse_int(text, longest) == number


@pytest.mark.parametrize("text", [*NONE, None])
def test_other_texts_are_none(text: str | None) -> None:
    assert parse_int(text) is None


@pytest.mark.parametrize("text", [NONE[0], "-1"])
@pytest.mark.usefixtures("sample", "at")
def test_forms_ignore_texts_that_are_no_numbers(office: Client, text: str) -> None:
    sent = submission(office.get(FORM)) | {"title": "Natt", "occasions-0-id": text, "area": text}
    refused = office.post(FORM, sent)
    assert refused.status_code == 200
    assert Event.objects.get(pk=NIGHT).title != "Natt"
    Event.objects.get(pk=NIGHT).delete()
    assert "Natt" in office.post(FORM, sent).content.decode()
    assert not Occasion.objects.filter(event=NIGHT).exists()


@pytest.mark.parametrize("text", [NONE[0], "-1", ""])
@pytest.mark.usefixtures("sample", "at")
def test_addresses_with_texts_that_are_no_numbers_are_not_found(office: Client, text: str) -> None:
    assert office.get(f"/admin/programme/event/{text or 0}/history/", follow=True).status_code in {200, 404}
