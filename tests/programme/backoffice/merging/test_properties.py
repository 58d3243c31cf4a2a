"""Whatever is merged: occasions stay where they are, and readers hear of no move."""

import datetime as dt
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from feeds.vocabulary import Text
from programme.backoffice.merging.choices import Merging
from programme.changes.merging import list_references
from programme.changes.writing import write as write_plan
from programme.history import edits
from programme.history.merging import MERGEABLE
from programme.models import Area, Event, EventType, Location, News, Occasion, Organizer, Room
from programme.models.event_types import TYPES
from tests.conftest import NOW
from tests.programmes import mark_changed

HOUR = dt.timedelta(hours=1)
# Location and room: the first rooms have one name, the second of each location one of its own.
PLACES = [(None, None), *((place, room) for place in (1, 2, 3) for room in (None, place, place + 3))]
places = st.sampled_from(PLACES)
marks = st.sampled_from([None, NOW - 2 * HOUR, NOW - 30 * HOUR])
occasions = st.lists(st.tuples(places, marks, st.booleans()), min_size=1, max_size=3)
programmes = st.lists(occasions, min_size=1, max_size=3)


@pytest.fixture
def _places(db: None) -> None:
    Area.objects.create(id=1, name="Staden")
    for number in (1, 2):
        EventType.objects.create(id=number, name_sv=f"Typ {number}")
        Organizer.objects.create(id=number, name=f"Klubben {number}")
    for number in (1, 2, 3):
        Location.objects.create(
            id=number, name=f"Plats {number}", address=f"Gatan {number}" if number > 1 else ""
        )
        Room.objects.create(id=number, name="Salen", location_id=number)
        Room.objects.create(id=number + 3, name=f"Rum {number}", location_id=number)


def write(drawn: list[Any]) -> None:
    with edits.record(moment=NOW - 40 * HOUR):
        for number, held in enumerate(drawn):
            event = Event.objects.create(
                title=f"Event {number}",
                area_id=1,
                type_id=1 + number % 2,
                type_3_id=2 - number % 2,
                organizer_id=1 + number % 2,
                status="published",
            )
            for (location, room), told_at, is_moved in held:
                row = Occasion.objects.create(
                    event=event, start=NOW + HOUR, end=NOW + 2 * HOUR, location_id=location, room_id=room
                )
                if told_at:
                    mark_changed(Occasion.objects.filter(pk=row.pk), Text("Åska"), told_at)
                if is_moved:
                    Occasion.objects.filter(pk=row.pk).update(start=NOW)


def read_venues() -> dict[int, Any]:
    rows = Occasion.objects.values_list("pk", "location", "room")
    return {row[0]: row[1:] for row in rows}


def become(venue: Any, kept: int, other: int, rooms: dict[int, int]) -> Any:
    location, room = venue
    return kept if location == other else location, rooms.get(room, room)


@given(drawn=programmes, model=st.sampled_from(MERGEABLE), numbers=st.permutations([1, 2]))
@pytest.mark.usefixtures("_places")
def test_nobody_sees_a_move(drawn, model, numbers):
    kept, other = numbers
    with transaction.atomic():
        write(drawn)
        venues = read_venues()
        # Rooms of several locations are not offered.
        keys = {1: 1, 2: 4} if model is Room else {1: 1, 2: 2}
        with edits.record(moment=NOW):
            rows = model.objects.filter(pk__in=keys.values())
            write_plan(Merging(list(rows), {"kept": str(keys[kept])}).plan())
        rooms = {Room: {keys[other]: keys[kept]}, Location: {other: kept}}.get(model, {})
        changed = (kept, other, rooms) if model is Location else (0, 0, rooms)
        assert read_venues() == {key: become(venue, *changed) for key, venue in venues.items()}
        assert not News.objects.filter(told_at=NOW).exists()
        assert Location.objects.get(pk=kept).address == "Gatan 2" or model is not Location
        transaction.set_rollback(True)


def test_every_column_that_names_what_is_merged_is_decided():
    """Of a new one decide in `plan_merge`: those with versions are moved and undone by themselves, others are not."""
    found = {model.__name__: sorted(str(each) for each in list_references(model)) for model in MERGEABLE}
    assert found == {
        "Location": ["programme.Occasion.location", "programme.Room.location"],
        "Room": ["programme.Occasion.room"],
        "Organizer": ["programme.Event.organizer", "programme.OrganizerLink.organizer"],
        "EventType": [f"programme.Event.{name}" for name in TYPES],
    }
