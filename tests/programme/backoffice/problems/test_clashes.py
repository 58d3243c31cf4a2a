"""Double-booked rooms, against an oracle that compares each booking with each other one."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from programme.backoffice.problems.clashes import Booking, build_booking, find_clashes, find_overlapping
from tests.programmes import utc

STOCKHOLM = ZoneInfo("Europe/Stockholm")
EVENING = utc(2026, 7, 31, 18)


def at(first: int, last: int, occasion: int = 1, room: int = 1) -> Booking:
    """Return a booking by minutes after eight in the evening."""
    start, end = (EVENING + dt.timedelta(minutes=minute) for minute in (first, last))
    return build_booking(occasion, room, start, end)


def occasions(found: object) -> list[list[int]]:
    return [[booking.occasion for booking in run] for run in found]


@pytest.mark.parametrize(
    ("second", "clash"),
    [
        (at(60, 120, 2), False),  # 20:00-21:00 and 21:00-22:00
        (at(-60, 0, 2), False),
        (at(59, 120, 2), True),
        (at(0, 60, 2), True),  # the same time
        (at(10, 20, 2), True),  # inside
        (at(-10, 70, 2), True),  # around
        (at(0, 60, 2, room=2), False),
        (at(30, 30, 2), False),  # no time at all
    ],
)
def test_intervals_are_half_open_and_of_one_room(second: Booking, clash: bool) -> None:
    first = at(0, 60)
    assert occasions(find_clashes([second, first])) == (
        [[b.occasion for b in sorted([first, second])]] * clash
    )
    assert find_overlapping(first, [first, second]) == [second] * clash


def test_what_goes_on_past_midnight_clashes_with_the_night() -> None:
    party = build_booking(1, 1, utc(2026, 7, 31, 20), utc(2026, 8, 1, 1))
    night_film = build_booking(2, 1, utc(2026, 7, 31, 23), utc(2026, 8, 1, 0, 30))
    morning = build_booking(3, 1, utc(2026, 8, 1, 1), utc(2026, 8, 1, 2))
    assert occasions(find_clashes([morning, night_film, party])) == [[1, 2]]


def test_in_the_night_when_the_clock_goes_back_instants_decide_and_not_the_wall() -> None:
    # 02:10-02:50 and, an hour later, 02:10-02:50 again: the wall shows the same.
    first, again = (
        [dt.datetime(2026, 10, 25, 2, minute, fold=fold, tzinfo=STOCKHOLM) for minute in (10, 50)]
        for fold in (0, 1)
    )
    assert list(find_clashes([build_booking(1, 1, *first), build_booking(2, 1, *again)])) == []
    # 02:30 to 02:10 of the second turn: an end before its start, by the wall.
    over = build_booking(3, 1, dt.datetime(2026, 10, 25, 2, 30, tzinfo=STOCKHOLM), again[0])
    assert occasions(find_clashes([build_booking(1, 1, *first), over, build_booking(2, 1, *again)])) == [
        [1, 3]
    ]


def test_in_the_night_when_the_clock_goes_forward_an_hour_is_missing() -> None:
    # 01:30 to 03:30 is one hour, which is over when the next one begins.
    first = build_booking(1, 1, *(dt.datetime(2026, 3, 29, hour, 30, tzinfo=STOCKHOLM) for hour in (1, 3)))
    second = build_booking(2, 1, utc(2026, 3, 29, 1, 30), utc(2026, 3, 29, 2))
    assert list(find_clashes([first, second])) == []
    assert occasions(find_clashes([first, second._replace(start=utc(2026, 3, 29, 1, 29))])) == [[1, 2]]


def test_a_chain_is_told_as_one_clash_and_by_room_and_start() -> None:
    chain = [at(0, 60, 1), at(50, 120, 2), at(110, 130, 3)]
    later, elsewhere = [at(200, 210, 4), at(200, 210, 5)], [at(0, 5, 6, room=7), at(4, 6, 7, room=7)]
    assert occasions(find_clashes([*elsewhere, *later, *reversed(chain)])) == [[1, 2, 3], [4, 5], [6, 7]]


lengths = st.tuples(st.integers(0, 40), st.integers(0, 12), st.integers(1, 3))


@settings(deadline=None)
@given(st.lists(lengths, max_size=25), st.randoms(use_true_random=False))
def test_the_sweep_finds_what_comparing_all_with_all_finds(drawn: list, random: object) -> None:
    made = [at(first, first + length, key, room) for key, (first, length, room) in enumerate(drawn)]
    pairs = {(a.occasion, b.occasion) for a in made for b in made if a != b and oracle(a, b)}
    shuffled = random.sample(made, len(made))
    runs = list(find_clashes(shuffled))
    together = {frozenset(run) for run in occasions(runs)}
    assert together == closure(pairs)
    assert runs == sorted((sorted(run) for run in runs), key=lambda run: (run[0].room, run[0].start))
    for booking in made:
        found = [other.occasion for other in find_overlapping(booking, shuffled)]
        assert set(found) == {b for a, b in pairs if a == booking.occasion}
        assert len(found) == len(set(found))


def oracle(a: Booking, b: Booking) -> bool:
    """Whether a minute exists that both take up in one room."""
    minutes = [{m for m in range(60) if x.start <= EVENING + dt.timedelta(minutes=m) < x.end} for x in (a, b)]
    return a.room == b.room and bool(minutes[0] & minutes[1])


def closure(pairs: set[tuple[int, int]]) -> set[frozenset[int]]:
    """Return who hangs together by any number of pairs."""
    groups = {key: {key} for pair in pairs for key in pair}
    for a, b in pairs:
        joined = groups[a] | groups[b]
        for key in joined:
            groups[key] = joined
    return {frozenset(group) for group in groups.values()}
