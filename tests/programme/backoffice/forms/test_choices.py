"""What search boxes offer: events that have one title are told apart."""

from typing import Any

import pytest
from django.test import Client

from programme.models import Area, Event, EventType, Occasion, Organizer
from tests.programmes import utc

ASKED = {"app_label": "programme", "model_name": "occasion", "field_name": "event"}


@pytest.fixture
def jazz(db: None) -> Event:
    return Event.objects.create(title="Jazz", area=Area.objects.create(name="Torget"), type=EventType.other())


def offer(office: Client, term: str) -> list[str]:
    answer = office.get("/admin/autocomplete/", ASKED | {"term": term}).json()
    return sorted(each["text"] for each in answer["results"])


def test_events_of_one_title_are_offered_with_when_and_whose_they_are(office: Client, jazz: Event) -> None:
    school = Organizer.objects.create(name="Kulturskolan")
    values: dict[str, Any] = {"title": "Öppen scen", "area": jazz.area, "type": jazz.type}
    first, second, _third = [
        Event.objects.create(**values, organizer=organizer) for organizer in (school, school, None)
    ]
    for day, event in ((30, first), (29, second), (31, second)):
        Occasion.objects.create(event=event, start=utc(2026, 7, day, 12), end=utc(2026, 7, day, 13))
    assert offer(office, "scen") == [
        "Öppen scen (Thu 2026-07-30 14:00, Kulturskolan)",
        "Öppen scen (Torget)",
        "Öppen scen (Wed 2026-07-29 14:00, Kulturskolan)",
    ]
    # A title of its own says enough.
    assert offer(office, "jazz") == ["Jazz"]


@pytest.mark.parametrize("count", [1, 15])
def test_they_are_offered_in_as_many_queries_however_many(
    office: Client, jazz: Event, count: int, django_assert_num_queries: Any
) -> None:
    for number in range(count):
        area = Area.objects.create(name=f"Område {number}")
        Event.objects.create(title="Öppen scen", area=area, type=jazz.type)
    offer(office, "scen")
    with django_assert_num_queries(5):
        offer(office, "scen")
