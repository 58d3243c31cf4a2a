"""Double-booked places, against an oracle that compares each booking with each other one, and as stored."""

import datetime as dt
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from feeds.festival_time import FestivalTime
from feeds.vocabulary import Area, Site, Text
from programme.backoffice.problems.finders import DOUBLE_BOOKED, KINDS
from programme.backoffice.problems.problem import ProgrammeProblem
from programme.backoffice.programme import (
    OCCASION,
    EditorEvent,
    EditorOccasion,
    EditorProgramme,
    build_occasion,
    load_programme,
)
from programme.exchange.suspicion.finders import find_clashes
from programme.models import Event, Location, Occasion, Room, Status
from tests.programmes import JAZZ, utc

STOCKHOLM = ZoneInfo("Europe/Stockholm")
EVENING = utc(2026, 7, 31, 18)
SHARED = SimpleNamespace(site=Site(), place=lambda _location, _room: None)


def hold(key: int, room: int, start: dt.datetime, end: dt.datetime) -> EditorOccasion:
    """Return an occasion of an event that is called by its number."""
    event = EditorEvent(key, str(key), "published", "", "", "", Area(1), None, Text(), Text())
    row = (key, key, start, end, False, 1, room, "", "", "")
    return build_occasion(row, {key: event}, SHARED, frozenset())


def at(first: int, last: int, occasion: int = 1, room: int = 1) -> EditorOccasion:
    """Return an occasion by minutes after eight in the evening."""
    start, end = (EVENING + dt.timedelta(minutes=minute) for minute in (first, last))
    return hold(occasion, room, start, end)


def examine(made: list[EditorOccasion]) -> list[ProgrammeProblem]:
    programme = EditorProgramme(FestivalTime(), (), {each.id: each for each in made}, {})
    return KINDS[DOUBLE_BOOKED].examine(programme)


def find_overlapping(key: int, problems: list[ProgrammeProblem]) -> list[int]:
    """Return what overlaps an occasion by the problem that it is in."""
    mine = [problem for problem in problems if any(link.pk == key for link in problem.links)]
    return [int(title) for problem in mine for title, _span in problem.find_overlapping(key)]


def occasions(found: object) -> list[list[int]]:
    return [[each.id for each in run] for run in found]


@pytest.mark.parametrize(
    ("second", "clash"),
    [
        (at(60, 120, 2), False),  # 20:00-21:00 and 21:00-22:00
        (at(-60, 0, 2), False),
        (at(59, 120, 2), True),
        (at(0, 60, 2), True),  # the same time
        (at(10, 20, 2), True),  # inside
        (at(0, 60, 2, room=2), False),
        (at(30, 30, 2), False),  # no time at all
    ],
)
def test_intervals_are_half_open_and_of_one_room(second, clash):
    first = at(0, 60)
    ids = [each.id for each in sorted([first, second], key=lambda each: each.order)]
    assert occasions(find_clashes([second, first])) == [ids] * clash
    assert find_overlapping(1, examine([second, first])) == [2] * clash


def test_in_the_night_when_the_clock_goes_back_instants_decide_and_not_the_wall():
    # 02:10-02:50 and, an hour later, 02:10-02:50 again: the wall shows the same.
    first, again = (
        [dt.datetime(2026, 10, 25, 2, minute, fold=fold, tzinfo=STOCKHOLM) for minute in (10, 50)]
        for fold in (0, 1)
    )
    assert list(find_clashes([hold(1, 1, *first), hold(2, 1, *again)])) == []
    # 02:30 to 02:10 of the second turn: an end before its start, by the wall.
    over = hold(3, 1, dt.datetime(2026, 10, 25, 2, 30, tzinfo=STOCKHOLM), again[0])
    assert occasions(find_clashes([hold(1, 1, *first), over, hold(2, 1, *again)])) == [[1, 3]]


lengths = st.tuples(st.integers(0, 40), st.integers(0, 12), st.integers(1, 3))


@settings(deadline=None)
@given(drawn=st.lists(lengths, max_size=25), random=st.randoms(use_true_random=False))
@example(drawn=[(0, 12, 1), (1, 1, 1), (5, 3, 1)], random=SimpleNamespace(sample=lambda made, _count: made))
def test_the_sweep_finds_what_comparing_all_with_all_finds(drawn, random):
    made = [at(first, first + length, key, room) for key, (first, length, room) in enumerate(drawn)]
    pairs = {(a.id, b.id) for a in made for b in made if a != b and oracle(a, b)}
    shuffled = random.sample(made, len(made))
    runs = list(find_clashes(shuffled))
    together = {frozenset(run) for run in occasions(runs)}
    assert together == closure(pairs)
    assert runs == [sorted(run, key=lambda each: each.order) for run in runs]
    problems = examine(shuffled)
    for each in made:
        found = find_overlapping(each.id, problems)
        assert set(found) == {b for a, b in pairs if a == each.id}
        assert len(found) == len(set(found))


def oracle(a: EditorOccasion, b: EditorOccasion) -> bool:
    """Whether a minute exists that both take up in one room."""
    minutes = [{m for m in range(60) if x.start <= EVENING + dt.timedelta(minutes=m) < x.end} for x in (a, b)]
    return a.takes == b.takes and bool(minutes[0] & minutes[1])


def closure(pairs: set[tuple[int, int]]) -> set[frozenset[int]]:
    """Return who hangs together by any number of pairs."""
    groups = {key: {key} for pair in pairs for key in pair}
    for a, b in pairs:
        joined = groups[a] | groups[b]
        for key in joined:
            groups[key] = joined
    return {frozenset(group) for group in groups.values()}


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    ("stated", "has_rooms", "clash"),
    [
        ({"address": "Norra kajen 8"}, False, True),
        ({"address": "Norra kajen 8"}, True, False),
        ({"address": "Norra kajen 8", "parallel": True}, False, False),
        ({"address": "Norra kajen 8", "online": True}, False, False),
        ({}, False, False),
        ({"parallel": False}, False, True),
    ],
)
def test_a_location_without_rooms_is_one_room_unless_it_is_for_several_at_once(stated, has_rooms, clash):
    [stage] = Location.objects.bulk_create([Location(name="Kajscenen", **stated)])
    if has_rooms:
        Room.objects.create(name="Bryggan", location=stage)
    Occasion.objects.filter(id__in=(8001, 8014)).update(location=stage, room=None)
    stored = load_programme()
    assert occasions(find_clashes(stored.occasions.values())) == [[8001, 8014]] * clash
    assert load_programme(instead=Occasion.objects.values_list(*OCCASION)) == stored


@pytest.mark.usefixtures("sample")
def test_what_was_accepted_at_one_location_is_asked_about_at_another():
    names = set()
    for name in ("Kajscenen", "Bryggan"):
        place = Location.objects.create(name=name, address="Norra kajen 8")
        Occasion.objects.filter(id__in=(8001, 8014)).update(location=place, room=None)
        names |= {clash.rows for clash in KINDS[DOUBLE_BOOKED].examine(load_programme())}
    assert len(names) == 2


@pytest.mark.usefixtures("sample")
def test_what_is_cancelled_takes_up_no_room_and_a_draft_does():
    Event.objects.filter(id=JAZZ).update(status=Status.DRAFT)
    assert occasions(find_clashes(load_programme().occasions.values())) == [[8001, 8014]]
    Occasion.objects.filter(id=8014).update(cancelled=True)
    assert occasions(find_clashes(load_programme().occasions.values())) == []
