"""The order of names in the database is that of Python, on both databases."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from lxml import html

from feeds.names import order_name
from programme.models import Location, Organizer
from tests.alphabet import SWEDISH

NAMES = [
    *SWEDISH,
    *(
        *("Ba\u030astad", "Rum 2", "Rum 10", "Rum 007", "12345678901234567890123", "”Afton”", "…Cirkus"),
        "R&B – soul",
    ),
    *(
        *(
            *("Müller", "Straße", "þing", "Łódź", "ｆｕｌｌ ２", "ﬁn", "x²", "½", "Ωmega ΣΑΣ", "Ярмарка"),
            "☆ stjärna",
        ),
        "日本 3",
    ),
    *("_under_", "A' b", "{klammer}", "100 %", r"a\b", "!!!"),
]


@pytest.mark.django_db
def test_the_database_has_the_keys_of_python() -> None:
    Organizer.objects.bulk_create(Organizer(name=name) for name in NAMES)
    keys = dict(Organizer.objects.order_by().values_list("name", "name__in_order"))
    assert keys == {name: order_name(name) for name in keys}
    assert len(keys) == len(NAMES)
    assert [*Organizer.objects.values_list("name", flat=True)] == sorted(keys, key=order_name)


@pytest.mark.django_db
@pytest.mark.parametrize(("column", "ordered"), [("", SWEDISH), ("?o=1", SWEDISH), ("?o=-1", SWEDISH[::-1])])
def test_lists_have_their_pages_in_order(client: Client, column: str, ordered: list[str]) -> None:
    Location.objects.bulk_create(Location(name=name) for name in reversed(SWEDISH))
    client.force_login(User.objects.create_superuser("chef"))
    page = html.fromstring(client.get(f"/admin/programme/location/{column}").content.decode())
    assert page.xpath("//th[contains(@class, 'field-name')]/a/text()") == ordered
