"""The place that an occasion had before it was moved with a mark of change: its own, or its event's."""

import datetime as dt
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from programme.history import edits
from programme.history.undo import apply_undo, plan_restoration, plan_undo
from programme.history.versions import find_state
from programme.models import Edit, Event, Location, Occasion, Room
from programme.models.locations import format_place
from tests.conftest import NOW
from tests.programme.triggers.writing import execute, fetch
from tests.programmes import CLOCKS

# Its event bears no mark, and is on Torget without a room.
KEY = 8008
HOUR = dt.timedelta(hours=1)
PARTS = [(Occasion, "event")]


@pytest.fixture(autouse=True)
def places(sample: None) -> None:
    """Three places: Parken with two rooms, and Torget, where the event is."""
    Location.objects.bulk_create(Location(id=key, name=name) for key, name in ((1, "Parken"), (2, "Torget")))
    Room.objects.bulk_create(
        Room(id=key, location_id=1, name=name) for key, name in ((1, "Scenen"), (2, "Ängen"))
    )
    Event.objects.filter(pk=CLOCKS).update(location=2, room=None)


def mark_event(changed_at: dt.datetime | None = NOW) -> None:
    Event.objects.filter(pk=CLOCKS).update(changed_at=changed_at)


def place_event(location: int | None, room: int | None = None, **also: Any) -> None:
    Event.objects.filter(pk=CLOCKS).update(location=location, room=room, **also)


def place(location: int | None, room: int | None = None, **also: Any) -> None:
    Occasion.objects.filter(pk=KEY).update(location=location, room=room, **also)


def previous_place() -> str:
    found: str = fetch(Occasion, KEY).previous_place
    return found


def save(location: int, room: int) -> None:
    row = fetch(Occasion, KEY)
    row.location_id, row.room_id = location, room
    row.save()


def save_event(location: int, room: int) -> None:
    row = fetch(Event, CLOCKS)
    row.location_id, row.room_id = location, room
    row.save()


WAYS: dict[str, Callable[[], object]] = {
    "save": lambda: save(1, 1),
    "update": lambda: place(1, 1),
    "bulk_update": lambda: Occasion.objects.bulk_update(
        [Occasion(pk=KEY, location_id=1, room_id=1)], ["location", "room"]
    ),
    "SQL": lambda: execute(f"UPDATE programme_occasion SET location_id = 1, room_id = 1 WHERE id = {KEY}"),
    "room alone": lambda: place(None, 1),
    "event": lambda: place_event(1, 1),
    "event, save": lambda: save_event(1, 1),
    "event, SQL": lambda: execute(
        f"UPDATE programme_event SET location_id = 1, room_id = 1 WHERE id = {CLOCKS}"
    ),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_an_occasion_that_is_placed_elsewhere_with_a_mark_keeps_its_first_place(
    way: Callable[[], object],
) -> None:
    way()
    assert previous_place() == ""
    place(None)
    place_event(2)
    mark_event()
    way()
    assert previous_place() == "Torget"
    place(1, 2)
    assert previous_place() == "Torget"
    place(2)
    assert previous_place() == ""
    place_event(2)
    place(None)
    assert previous_place() == ""
    others = Occasion.objects.exclude(event=CLOCKS)
    assert set(others.values_list("previous_place", flat=True)) == {""}


def test_what_is_held_elsewhere_does_not_move_with_its_event() -> None:
    place(1, 1)
    mark_event()
    place_event(1, 2)
    assert previous_place() == ""
    assert set(
        Occasion.objects.filter(event=CLOCKS, location=None).values_list("previous_place", flat=True)
    ) == {"Torget"}
    # A room of the event's location is left for that of the event.
    place(1)
    assert (previous_place(), format_place(fetch(Occasion, KEY))) == ("Parken, Scenen", "Parken, Ängen")


def test_the_mark_may_come_with_the_move_of_the_event_or_of_the_occasion() -> None:
    place_event(1, changed_at=NOW)
    assert previous_place() == "Torget"
    place_event(2, changed_at=None)
    assert previous_place() == ""
    place(1, 1, changed_at=NOW)
    assert previous_place() == "Torget"
    place(1, 1, changed_at=None)
    assert previous_place() == ""


def test_it_goes_with_the_last_mark_and_stays_with_another_place_that_has_the_name() -> None:
    Occasion.objects.filter(pk=KEY).update(changed_at=NOW)
    mark_event()
    place_event(1)
    mark_event(None)
    assert previous_place() == "Torget"
    Occasion.objects.filter(pk=KEY).update(changed_at=None)
    assert previous_place() == ""


STATED = [(None, None), (1, None), (2, None), (1, 1), (1, 2), (None, 1), (2, 1)]


@pytest.mark.parametrize(("own", "whole"), list(product(STATED, STATED)))
def test_the_database_names_places_as_python_does(own: tuple[Any, Any], whole: tuple[Any, Any]) -> None:
    place_event(*whole)
    place(*own)
    before = format_place(fetch(Occasion, KEY))
    mark_event()
    Location.objects.create(id=3, name="Elsewhere")
    place(3)
    assert previous_place() == before
    place(*own)
    # Of a place that is not known there is nothing to say.
    assert previous_place() == ("" if before else "Elsewhere")
    place_event(3)
    after = format_place(fetch(Occasion, KEY))
    assert previous_place() == (before if after != before else "")


def test_each_move_is_one_version_and_can_be_restored() -> None:
    mark_event()
    place_event(1, 1)
    moved = find_state(Event, CLOCKS, PARTS)
    found = Occasion.history.filter(id=KEY).order_by("history_id")
    assert [each.previous_place for each in found] == ["", "Torget"]
    for undo in (lambda: mark_event(None), lambda: place_event(2), fetch(Event, CLOCKS).delete):
        undo()
        apply_undo(plan_restoration(Event, CLOCKS, PARTS, moved))
        assert (previous_place(), fetch(Event, CLOCKS).room_id) == ("Torget", 1)
        assert plan_restoration(Event, CLOCKS, PARTS, moved).written == []


# --- Edits ----------------------------------------------------------------------------------------

LATER = NOW + 3 * 24 * HOUR


def edit(moment: dt.datetime, *writes: Callable[[], object]) -> Edit:
    with edits.record(moment=moment):
        for write in writes:
            write()
    return Edit.objects.latest("pk")


def read_move() -> tuple[str, dt.datetime | None, dt.datetime | None]:
    row = fetch(Occasion, KEY)
    return row.previous_place, row.previous_start, row.moved_at


def test_the_moment_of_a_move_is_that_of_its_edit() -> None:
    start = fetch(Occasion, KEY).start
    edit(NOW, lambda: place_event(1, changed_at=NOW))
    assert read_move() == ("Torget", None, NOW)
    # One that readers are not told of is none.
    edit(NOW + HOUR, lambda: place_event(1, 1))
    assert read_move() == ("Torget", None, NOW)
    edit(LATER, lambda: Occasion.objects.filter(pk=KEY).update(start=start + HOUR, changed_at=LATER))
    assert read_move() == ("Torget", start, LATER)
    # Back at its place, but not at its start; and then there, too.
    edit(LATER + HOUR, lambda: place_event(2))
    assert read_move() == ("", start, LATER)
    edit(LATER + HOUR, lambda: Occasion.objects.filter(pk=KEY).update(start=start))
    assert read_move() == ("", None, None)


@pytest.mark.parametrize("write", [lambda: place_event(1, 1), lambda: place(1, 1)], ids=["event", "occasion"])
def test_undoing_a_move_takes_the_former_place_away_and_doing_it_again_brings_it_back(write: Any) -> None:
    mark_event()
    done = edit(NOW, write)
    undone = edit(LATER, lambda: apply_undo(plan_undo(done)))
    assert read_move() == ("", None, None)
    edit(LATER, lambda: apply_undo(plan_undo(undone)))
    assert read_move()[0] == "Torget"


@pytest.mark.parametrize(
    ("write", "after"),
    [
        (lambda: place_event(1, 1), lambda: place_event(1, 2)),
        (lambda: place(1, 1), lambda: place(1, 2)),
    ],
    ids=["event", "occasion"],
)
def test_what_was_moved_again_keeps_where_it_was_first(write: Any, after: Any) -> None:
    mark_event()
    done = edit(NOW, write)
    edit(LATER, after)
    edit(LATER + HOUR, lambda: apply_undo(plan_undo(done)))
    assert (read_move()[0], format_place(fetch(Occasion, KEY))) == ("Torget", "Parken, Ängen")
