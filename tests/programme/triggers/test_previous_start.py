"""The start that an occasion had before it was moved with a mark of change, whichever way it is moved."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from programme.history import edits
from programme.history.undo import apply_undo, plan_restoration
from programme.history.versions import find_state
from programme.models import Event, Occasion
from tests.conftest import NOW
from tests.programme.triggers.writing import execute, fetch, touched_by
from tests.programmes import CLOCKS, JAZZ

pytestmark = pytest.mark.usefixtures("sample")

# On 24 and 25 October; its event bears no mark.
KEY = 8008
BEFORE = dt.datetime(2026, 10, 24, 23, 30, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)
PARTS = [(Occasion, "event")]


def mark_event(changed_at: dt.datetime | None = NOW) -> None:
    Event.objects.filter(pk=CLOCKS).update(changed_at=changed_at)


def mark(changed_at: dt.datetime | None = NOW) -> None:
    Occasion.objects.filter(pk=KEY).update(changed_at=changed_at)


def move(hours: int, **also: Any) -> None:
    Occasion.objects.filter(pk=KEY).update(start=BEFORE + hours * HOUR, **also)


def previous_start() -> dt.datetime | None:
    found: dt.datetime | None = fetch(Occasion, KEY).previous_start
    return found


def save(**values: Any) -> None:
    row = fetch(Occasion, KEY)
    for name, value in values.items():
        setattr(row, name, value)
    row.save()


WAYS: list[Callable[[], object]] = [
    lambda: save(start=BEFORE + HOUR),
    lambda: move(1),
    lambda: Occasion.objects.bulk_update([Occasion(pk=KEY, start=BEFORE + HOUR)], ["start"]),
    lambda: execute(f"UPDATE programme_occasion SET start = '2026-10-25 00:30:00+00:00' WHERE id = {KEY}"),
]


@pytest.mark.parametrize("way", WAYS, ids=["save", "update", "bulk_update", "SQL"])
def test_an_occasion_that_is_moved_with_a_mark_keeps_its_first_start(way: Callable[[], object]) -> None:
    way()
    assert previous_start() is None
    move(0)
    mark_event()
    way()
    assert previous_start() == BEFORE
    move(2)
    assert previous_start() == BEFORE
    move(0)
    assert previous_start() is None
    assert set(Occasion.objects.exclude(pk=KEY).values_list("previous_start", flat=True)) == {None}


def test_the_mark_may_come_with_the_move_and_not_after_it() -> None:
    move(1)
    mark()
    assert previous_start() is None
    mark(None)
    move(2, changed_at=NOW)
    assert previous_start() == BEFORE + HOUR


def test_it_is_kept_while_the_occasion_or_its_event_is_marked() -> None:
    mark()
    mark_event()
    move(1)
    mark_event(None)
    assert previous_start() == BEFORE
    mark_event()
    mark(None)
    assert previous_start() == BEFORE
    mark_event(NOW + HOUR)
    assert previous_start() == BEFORE
    mark_event(None)
    assert previous_start() is None
    mark_event()
    assert previous_start() is None


def test_a_stale_copy_does_not_overwrite_it() -> None:
    stale = fetch(Occasion, KEY)
    mark_event()
    move(1)
    stale.start = BEFORE + 2 * HOUR
    stale.save()
    assert previous_start() == BEFORE


def test_each_move_and_each_loss_of_the_mark_is_one_version() -> None:
    def versions() -> list[tuple[dt.datetime, dt.datetime | None]]:
        found = Occasion.history.filter(id=KEY).order_by("history_id")
        return [(each.start, each.previous_start) for each in found]

    mark_event()
    move(1)
    mark_event(None)
    move(2)
    assert versions() == [
        (BEFORE, None),
        (BEFORE + HOUR, BEFORE),
        (BEFORE + HOUR, None),
        (BEFORE + 2 * HOUR, None),
    ]


def test_it_is_restored_with_the_mark_and_the_start() -> None:
    mark_event()
    move(1)
    moved = find_state(Event, CLOCKS, PARTS)
    for undo in (lambda: mark_event(None), lambda: move(0), fetch(Event, CLOCKS).delete):
        undo()
        apply_undo(plan_restoration(Event, CLOCKS, PARTS, moved))
        assert (previous_start(), fetch(Occasion, KEY).start) == (BEFORE, BEFORE + HOUR)
        assert plan_restoration(Event, CLOCKS, PARTS, moved).written == []


def test_marks_of_an_occasion_are_recorded_and_touch_its_event() -> None:
    rows = Occasion.objects.filter(pk=8001)
    for values in ({"change_info": "Ny sal"}, {"changed_at": NOW}, {"change_info": "", "changed_at": None}):
        assert touched_by(lambda values=values: rows.update(**values)) == {JAZZ}
        version = Occasion.history.filter(id=8001).latest("history_id")
        assert {name: getattr(version, name) for name in values} == values


# --- When it was moved ----------------------------------------------------------------------------

LATER = NOW + 3 * 24 * HOUR


def moved_at() -> dt.datetime | None:
    found: dt.datetime | None = fetch(Occasion, KEY).moved_at
    return found


def edit(moment: dt.datetime, *writes: Callable[[], object]) -> None:
    with edits.record(moment=moment):
        for write in writes:
            write()


def test_the_moment_of_a_move_is_that_of_its_edit_and_goes_with_the_former_start() -> None:
    edit(NOW, lambda: move(1, changed_at=NOW))
    assert (previous_start(), moved_at()) == (BEFORE, NOW)
    # Another mark is not another move.
    edit(LATER, lambda: mark(LATER))
    assert (previous_start(), moved_at()) == (BEFORE, NOW)
    edit(LATER, lambda: move(0))
    assert (previous_start(), moved_at()) == (None, None)
    edit(LATER, lambda: move(2), lambda: mark(None))
    assert (previous_start(), moved_at()) == (None, None)


def test_a_move_that_readers_are_told_of_is_the_latest_and_one_that_they_are_not_told_of_is_none() -> None:
    edit(NOW, lambda: move(1, changed_at=NOW))
    edit(NOW + HOUR, lambda: move(2))
    assert moved_at() == NOW
    edit(LATER, lambda: move(-1, changed_at=LATER))
    assert (previous_start(), moved_at()) == (BEFORE, LATER)
    edit(LATER + HOUR, lambda: mark_event(LATER + HOUR), lambda: move(-2))
    assert moved_at() == LATER + HOUR


def test_a_move_after_an_old_mark_is_later_than_the_mark() -> None:
    edit(NOW, lambda: mark_event(NOW))
    edit(LATER, lambda: move(1))
    assert (previous_start(), moved_at()) == (BEFORE, LATER)


def test_outside_an_edit_the_mark_is_all_that_is_known() -> None:
    mark_event(NOW)
    move(1)
    assert moved_at() == NOW
    mark_event(LATER)
    assert moved_at() == NOW
    mark_event(None)
    assert moved_at() is None


def test_versions_have_the_moment_too() -> None:
    edit(NOW, lambda: move(1, changed_at=NOW))
    edit(LATER, lambda: move(2, changed_at=LATER))
    found = Occasion.history.filter(id=KEY).order_by("history_id")
    assert [each.moved_at for each in found] == [None, NOW, LATER]
