"""The start and the place that an occasion had before it was moved with a mark of change, whichever way it is moved."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import Model

from programme.history import edits
from programme.history.undo import apply_undo, plan_restoration, plan_undo
from programme.history.versions import find_state
from programme.models import Edit, Event, Location, Occasion, Room
from programme.publishing import loading
from tests.conftest import NOW
from tests.programme.triggers.writing import execute, fetch, touched_by
from tests.programmes import CLOCKS, JAZZ

# On 24 and 25 October, on Torget without a room; its event bears no mark.
KEY = 8008
BEFORE = dt.datetime(2026, 10, 24, 23, 30, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)
LATER = NOW + 3 * 24 * HOUR
PARTS = [(Occasion, "event")]
# Place and start before.
NOT_MOVED = ("", None)
MOVED, PLACED = ("", BEFORE), ("Torget", None)

Write = Callable[[], object]


@pytest.fixture(autouse=True)
def places(sample: None) -> None:
    """Parken with two rooms, and Torget, where the occasion is."""
    Location.objects.bulk_create(Location(id=key, name=name) for key, name in ((1, "Parken"), (2, "Torget")))
    Room.objects.bulk_create(
        Room(id=key, location_id=1, name=name) for key, name in ((1, "Scenen"), (2, "Ängen"))
    )
    place(2)


def mark_event(changed_at: dt.datetime | None = NOW) -> None:
    Event.objects.filter(pk=CLOCKS).update(changed_at=changed_at)


def mark(changed_at: dt.datetime | None = NOW) -> None:
    Occasion.objects.filter(pk=KEY).update(changed_at=changed_at)


def move(hours: int, **also: Any) -> None:
    Occasion.objects.filter(pk=KEY).update(start=BEFORE + hours * HOUR, **also)


def place(location: int | None, room: int | None = None, **also: Any) -> None:
    Occasion.objects.filter(pk=KEY).update(location=location, room=room, **also)


def read(row: Any = None) -> tuple[str, dt.datetime | None]:
    """Return place and start before of the occasion, or of a version of it."""
    row = row or fetch(Occasion, KEY)
    return row.previous_place, row.previous_start


def read_moment() -> dt.datetime | None:
    found: dt.datetime | None = fetch(Occasion, KEY).moved_at
    return found


def list_versions() -> list[Any]:
    """Return its versions since it is where it is."""
    return list(Occasion.history.filter(id=KEY).order_by("history_id"))[1:]


def edit(moment: dt.datetime, *writes: Write) -> Edit:
    with edits.record(moment=moment):
        for write in writes:
            write()
    return Edit.objects.latest("pk")


def list_ways(model: type[Model], key: int, sql: str, **values: Any) -> list[Write]:
    def save() -> None:
        row = fetch(model, key)
        for name, value in values.items():
            setattr(row, name, value)
        row.save()

    return [
        save,
        lambda: model._default_manager.filter(pk=key).update(**values),
        lambda: model._default_manager.bulk_update([model(pk=key, **values)], [*values]),
        lambda: execute(f"UPDATE {model._meta.db_table} SET {sql} WHERE id = {key}"),
    ]


IN_PARKEN = {"sql": "location_id = 1, room_id = 1", "location_id": 1, "room_id": 1}
WAYS = [
    *list_ways(Occasion, KEY, "start = '2026-10-25 00:30:00+00:00'", start=BEFORE + HOUR),
    *list_ways(Occasion, KEY, **IN_PARKEN),
]


@pytest.mark.parametrize("number", range(len(WAYS)))
def test_an_occasion_that_is_moved_with_a_mark_keeps_its_first_start_and_place(number: int) -> None:
    def move_back() -> None:
        place(2)
        move(0)

    way, first, again = WAYS[number], PLACED, lambda: place(1, 2)
    if number < 4:
        first, again = MOVED, lambda: move(2)
    way()
    assert read() == NOT_MOVED
    move_back()
    mark_event()
    for write in (way, again):
        write()
        assert read() == first
    move_back()
    assert read() == NOT_MOVED
    assert {*map(read, Occasion.objects.exclude(event=CLOCKS))} == {NOT_MOVED}


@pytest.mark.parametrize(("location", "room"), [(None, None), (1, None), (1, 1), (2, 1)])
def test_the_database_names_places_as_readers_see_them(location: int | None, room: int | None) -> None:
    Location.objects.create(id=3, name="Elsewhere")
    place(location, room)
    [shown] = [each for each in loading.load().occasions if each.id == KEY]
    before = shown.place.full_name if shown.place else ""
    mark_event()
    place(3)
    assert read()[0] == before
    place(location, room)
    # Of a place that is not known there is nothing to say.
    assert read()[0] == ("" if before else "Elsewhere")


def test_the_mark_may_come_with_the_move_and_not_after_it() -> None:
    move(1)
    mark()
    assert read() == NOT_MOVED
    mark(None)
    move(2, changed_at=NOW)
    assert read() == ("", BEFORE + HOUR)
    mark(None)
    place(1, changed_at=NOW)
    assert read() == PLACED
    place(2, changed_at=None)
    assert read() == NOT_MOVED
    place(1, 1, changed_at=NOW)
    assert read() == PLACED


def test_both_are_kept_while_the_occasion_or_its_event_is_marked() -> None:
    mark()
    mark_event()
    move(1)
    place(1)
    for write in (
        lambda: mark_event(None),
        mark_event,
        lambda: mark(None),
        lambda: mark_event(NOW + HOUR),
    ):
        write()
        assert read() == ("Torget", BEFORE)
    for write in (lambda: mark_event(None), mark_event):
        write()
        assert read() == NOT_MOVED


def test_a_stale_copy_does_not_overwrite_it() -> None:
    stale = fetch(Occasion, KEY)
    mark_event()
    move(1)
    stale.start = BEFORE + 2 * HOUR
    stale.save()
    assert read() == MOVED


@pytest.mark.parametrize(
    ("write", "first"),
    [(lambda: move(1), MOVED), (lambda: place(1, 1), PLACED)],
    ids=["start", "place"],
)
def test_each_move_is_one_version_and_can_be_restored(write: Write, first: tuple[str, Any]) -> None:
    mark_event()
    write()
    moved = find_state(Event, CLOCKS, PARTS)
    mark_event(None)
    assert [*map(read, list_versions())] == [NOT_MOVED, first, NOT_MOVED]
    for undo in (
        lambda: mark_event(None),
        lambda: move(0),
        lambda: place(2),
        fetch(Event, CLOCKS).delete,
    ):
        undo()
        apply_undo(plan_restoration(Event, CLOCKS, PARTS, moved))
        assert read() == first
        assert plan_restoration(Event, CLOCKS, PARTS, moved).written == []


def test_marks_of_an_occasion_are_recorded_and_touch_its_event() -> None:
    rows = Occasion.objects.filter(id=8001)
    for values in ({"change_info": "Ny sal"}, {"changed_at": NOW}, {"change_info": "", "changed_at": None}):
        assert touched_by(lambda values=values: rows.update(**values)) == {JAZZ}
        version = Occasion.history.filter(id=8001).latest("history_id")
        assert {name: getattr(version, name) for name in values} == values


def test_the_moment_of_a_move_is_that_of_its_edit_and_goes_with_the_former_start() -> None:
    edit(NOW, lambda: move(1, changed_at=NOW))
    assert (read(), read_moment()) == (MOVED, NOW)
    # Another mark is not another move.
    edit(LATER, lambda: mark(LATER))
    assert (read(), read_moment()) == (MOVED, NOW)
    edit(LATER, lambda: move(0))
    assert (read(), read_moment()) == (NOT_MOVED, None)
    edit(LATER, lambda: move(2), lambda: mark(None))
    assert (read(), read_moment()) == (NOT_MOVED, None)


def test_what_moves_in_time_and_place_has_the_moment_of_the_latest() -> None:
    edit(NOW, lambda: place(1, changed_at=NOW))
    assert (read(), read_moment()) == (PLACED, NOW)
    # One that readers are not told of is none.
    edit(NOW + HOUR, lambda: place(1, 1))
    assert (read(), read_moment()) == (PLACED, NOW)
    edit(LATER, lambda: move(1, changed_at=LATER))
    assert (read(), read_moment()) == (("Torget", BEFORE), LATER)
    # Back at its place, but not at its start; and then there, too.
    edit(LATER + HOUR, lambda: place(2))
    assert (read(), read_moment()) == (MOVED, LATER)
    edit(LATER + HOUR, lambda: move(0))
    assert (read(), read_moment()) == (NOT_MOVED, None)


def test_a_move_that_readers_are_told_of_is_the_latest_and_one_that_they_are_not_told_of_is_none() -> None:
    edit(NOW, lambda: move(1, changed_at=NOW))
    edit(NOW + HOUR, lambda: move(2))
    assert read_moment() == NOW
    edit(LATER, lambda: move(-1, changed_at=LATER))
    assert (read(), read_moment()) == (MOVED, LATER)
    edit(LATER + HOUR, lambda: mark_event(LATER + HOUR), lambda: move(-2))
    assert read_moment() == LATER + HOUR
    assert [each.moved_at for each in list_versions()] == [None, NOW, NOW, LATER, LATER + HOUR]


def test_a_move_after_an_old_mark_is_later_than_the_mark() -> None:
    edit(NOW, lambda: mark_event(NOW))
    edit(LATER, lambda: move(1))
    assert (read(), read_moment()) == (MOVED, LATER)


def test_outside_an_edit_the_mark_is_all_that_is_known() -> None:
    mark_event(NOW)
    move(1)
    assert read_moment() == NOW
    mark_event(LATER)
    assert read_moment() == NOW
    mark_event(None)
    assert read_moment() is None


def test_undoing_a_move_takes_the_former_place_away_and_doing_it_again_brings_it_back() -> None:
    mark_event()
    done = edit(NOW, lambda: place(1, 1))
    undone = edit(LATER, lambda: apply_undo(plan_undo(done)))
    assert (read(), read_moment()) == (NOT_MOVED, None)
    edit(LATER, lambda: apply_undo(plan_undo(undone)))
    assert read() == PLACED


def test_what_was_moved_again_keeps_where_it_was_first() -> None:
    mark_event()
    done = edit(NOW, lambda: place(1, 1))
    edit(LATER, lambda: place(1, 2))
    edit(LATER + HOUR, lambda: apply_undo(plan_undo(done)))
    assert (read()[0], fetch(Occasion, KEY).place_name) == ("Torget", "Parken, Ängen")
