"""News replayed over an older programme gives today's, exactly, where every change is told."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from feeds.marks import MARKING
from programme.changes import writing
from programme.changes.undo import plan_undo
from programme.history import edits
from programme.models import Area, Edit, Event, EventType, Location, News, Occasion, Room
from programme.models.telling import Telling
from programme.publishing import loading
from tests.conftest import NOW

MINUTE, HOUR = dt.timedelta(minutes=1), dt.timedelta(hours=1)
# When occasions begin, and how long after an edit the next one is made.
STARTS = [hours * HOUR for hours in (-3, -1, 2, 23, 30, 50, 100)]
GAPS = [minutes * MINUTE for minutes in (0, 1, 4, 5, 6, 90, 700)]
# Location and room.
PLACES = [(None, None), (1, None), (2, None), (1, 1), (2, 2)]

State = tuple[dt.datetime, dt.datetime, int | None, int | None, bool]
Programme = dict[int, State]


def make_programme() -> None:
    Area.objects.create(id=1, name="Staden")
    EventType.objects.create(id=1, name_sv="Konsert")
    for number in (1, 2):
        location = Location.objects.create(id=number, name=f"Plats {number}")
        Room.objects.create(id=number, name="Scenen", location=location)
    for number, status in enumerate(["published", "published", "draft"]):
        event = Event.objects.create(title="Jazz", area_id=1, type_id=1, status=status)
        for begin in STARTS[number:][:4]:
            span = {"start": NOW + begin, "end": NOW + begin + 2 * HOUR}
            Occasion.objects.create(event=event, location_id=1, room_id=1, **span)


def read_programme() -> Programme:
    """Return what readers see."""
    shown = Occasion.objects.filter(event__status="published")
    rows = shown.values_list("pk", "start", "end", "location_id", "room_id", "cancelled")
    return {key: tuple(state) for key, *state in rows}


def read_state(stored: dict[str, Any]) -> State | None:
    if not stored:
        return None
    start, end = (dt.datetime.fromisoformat(stored[name]) for name in ("start", "end"))
    return start, end, stored["location"], stored["room"], stored["cancelled"]


def keep_coming(programme: Programme, instant: dt.datetime) -> Programme:
    """Return what is to come and held: of what is cancelled readers are not told when it would be."""
    return {key: state for key, state in programme.items() if state[1] > instant and not state[4]}


def read_appeared(instant: dt.datetime) -> list[dict[str, Any]]:
    # The event follows the occasion.
    names = [each.attname for each in News._meta.fields if each.attname != "event_id"]
    return list(News.objects.filter(appears_at__lte=instant).order_by("appears_at", "id").values(*names))


def replay(known: Programme, pieces: list[dict[str, Any]]) -> Programme:
    for piece in pieces:
        key, before, after = piece["occasion_id"], read_state(piece["before"]), read_state(piece["after"])
        former = known.pop(key, None)
        assert before != after
        # Of what is over readers are told nothing, until it comes again.
        if former and former[1] > piece["appears_at"]:
            assert before == former or (before and before[4] and former[4])
        if after:
            known[key] = after
    return known


class Editor:
    """Makes edits that are chosen by numbers, and tells of them unless that is denied."""

    def __init__(self) -> None:
        self.now = NOW

    def edit(self, doings: list[tuple[str, int, int]], *, tells: bool = True) -> None:
        with edits.record(moment=self.now, telling=Telling(tells=tells)):
            for name, number, value in doings:
                getattr(self, name)(number, value)

    def event(self, number: int) -> Any:
        return Event.objects.filter(pk__in=self._choose(Event, number))

    def occasion(self, number: int) -> Any:
        return Occasion.objects.filter(pk__in=self._choose(Occasion, number))

    def occasions(self, number: int) -> Any:
        """Return all occasions of an event."""
        return Occasion.objects.filter(event__in=self._choose(Event, number))

    def _choose(self, model: Any, number: int) -> list[int]:
        keys = list(model.objects.order_by("pk").values_list("pk", flat=True))
        return [keys[number % len(keys)]] if keys else []

    def publish(self, number: int, _value: int) -> None:
        self.event(number).update(status="published")

    def withdraw(self, number: int, _value: int) -> None:
        self.event(number).update(status="draft")

    def retitle(self, number: int, value: int) -> None:
        self.event(number).update(title=f"Jazz {value}")

    def cancel(self, number: int, value: int) -> None:
        self.occasions(number).update(cancelled=value % 2 == 0)

    def cancel_occasion(self, number: int, value: int) -> None:
        self.occasion(number).update(cancelled=value % 2 == 0)

    def place(self, number: int, value: int) -> None:
        location, room = PLACES[value % len(PLACES)]
        self.occasions(number).update(location=location, room=room)

    def place_occasion(self, number: int, value: int) -> None:
        location, room = PLACES[value % len(PLACES)]
        self.occasion(number).update(location=location, room=room)

    def move(self, number: int, value: int) -> None:
        start = NOW + STARTS[value % len(STARTS)]
        self.occasion(number).update(start=start, end=start + 2 * HOUR)

    def move_to_event(self, number: int, value: int) -> None:
        if event := self.event(value).first():
            self.occasion(number).update(event=event)

    def add(self, number: int, value: int) -> None:
        start = NOW + STARTS[value % len(STARTS)]
        if event := self.event(number).first():
            Occasion.objects.create(event=event, start=start, end=start + 2 * HOUR)

    def add_event(self, number: int, value: int) -> None:
        status = ("published", "draft")[number % 2]
        event = Event.objects.create(title="Blues", area_id=1, type_id=1, status=status)
        span = {"start": NOW + 60 * HOUR, "end": NOW + (61 + value) * HOUR}
        Occasion.objects.create(event=event, location_id=2, **span)

    def remove(self, number: int, _value: int) -> None:
        self.occasion(number).delete()

    def remove_event(self, number: int, _value: int) -> None:
        self.event(number).delete()

    def undo(self, number: int, _value: int) -> None:
        """Undo one of the latest edits."""
        # This edit is one of them if it has written anything.
        latest = list(Edit.objects.exclude(pk=edits.current_edit_id() or 0).order_by("-pk")[:3])
        if not latest:
            return
        plan = plan_undo(latest[number % len(latest)])
        writing.write(plan)


DOINGS = [
    name
    for name in vars(Editor)
    if not name.startswith("_") and name not in {"edit", "event", "occasion", "occasions"}
]
doing = st.tuples(st.sampled_from([*DOINGS, "undo", "undo", "move"]), st.integers(0, 20), st.integers(0, 20))
batches = st.lists(st.tuples(st.sampled_from(GAPS), st.lists(doing, min_size=1, max_size=3)), max_size=15)


@pytest.fixture
def _programme(db: None) -> Iterator[None]:
    make_programme()


@given(batches=batches)
@pytest.mark.usefixtures("_programme")
def test_the_news_of_any_edits_replayed_gives_what_readers_see(batches):
    with transaction.atomic():
        known, editor = read_programme(), Editor()
        for gap, doings in batches:
            seen, appeared = read_programme(), read_appeared(editor.now)
            editor.now += gap
            check_appearing(seen, appeared, read_appeared(editor.now))
            appeared, count = read_appeared(editor.now), News.objects.count()
            editor.edit(doings)
            # What has appeared stays as it is.
            assert read_appeared(editor.now)[: len(appeared)] == appeared
            if {name for name, *_rest in doings} == {"retitle"}:
                assert News.objects.count() == count
        editor.now += 5 * MINUTE
        expected = keep_coming(read_programme(), editor.now)
        assert keep_coming(replay(known, read_appeared(editor.now)), editor.now) == expected
        transaction.set_rollback(True)


def check_appearing(seen: Programme, before: list[dict[str, Any]], appeared: list[dict[str, Any]]) -> None:
    """Check that what appears between two edits is true."""
    for piece in appeared[len(before) :]:
        assert read_state(piece["after"]) == seen.get(piece["occasion_id"])


# --- Told and untold -----------------------------------------------------------------------------

told_batches = st.lists(
    st.tuples(st.sampled_from(GAPS), st.booleans(), st.lists(doing, min_size=1, max_size=3)), max_size=12
)


def read_marks() -> dict[int, tuple[Any, ...]]:
    """Return the marks that readers get."""
    loaded = loading.load().by_id.items()
    names = ("changed_at", "change_info", "previous_start", "previous_place", "cancelled", "start")
    return {key: tuple(getattr(each, name) for name in names) for key, each in loaded}


@given(batches=told_batches)
@pytest.mark.usefixtures("_programme")
def test_what_is_told_has_the_states_before_and_after_and_what_is_untold_adds_nothing(batches):
    with transaction.atomic():
        editor = Editor()
        for gap, tells, doings in batches:
            editor.now += gap
            known, before = {*News.objects.values_list("uuid", flat=True)}, read_programme()
            pending = {
                each.occasion_id: read_state(each.before)
                for each in News.objects.filter(appears_at__gt=editor.now).exclude(kind="new")
            }
            editor.edit(doings, tells=tells)
            after = read_programme()
            for piece in News.objects.exclude(uuid__in=known):
                key, first = piece.occasion_id, read_state(piece.before)
                assert read_state(piece.after) == after.get(key)
                if piece.kind in MARKING:
                    assert first == pending.get(key, before.get(key))
                    # What was told already is only true again.
                    assert tells or (key in pending and piece.told_at < editor.now) or not gap
            check_marks(editor.now)
        transaction.set_rollback(True)


def check_marks(instant: dt.datetime) -> None:
    for key, (told, _note, start, place, cancelled, now) in read_marks().items():
        rows = News.objects.filter(occasion_id=key, kind__in=MARKING)
        assert (told is None) <= (start is None and not place)
        assert start is None or (start != now and not cancelled)
        if told:
            assert rows.filter(told_at=told).exists()
            assert told <= instant
        else:
            assert not rows.exclude(kind="reinstated" if cancelled else "cancelled").exists()
