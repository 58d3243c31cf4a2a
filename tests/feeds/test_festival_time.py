"""Instants, wall-clock times and festival days."""

from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.festival_time import FestivalTime, Length, SkippedTimeError
from tests.programmes import utc

STOCKHOLM = FestivalTime()
FROM_FIVE = FestivalTime(first_hour=5)
DAY = date(2026, 7, 29)


@pytest.mark.parametrize(
    ("festival", "entered", "expected"),
    [
        (STOCKHOLM, (DAY, time(14), time(15)), (utc(2026, 7, 29, 12), utc(2026, 7, 29, 13))),
        # An end at or before the start is on the next day.
        (STOCKHOLM, (DAY, time(22), time(3)), (utc(2026, 7, 29, 20), utc(2026, 7, 30, 1))),
        (STOCKHOLM, (DAY, time(14), time(14)), (utc(2026, 7, 29, 12), utc(2026, 7, 30, 12))),
        # Across both changes of the clock: four hours of the wall clock are three, and five.
        (STOCKHOLM, (date(2026, 3, 28), time(23), time(3)), (utc(2026, 3, 28, 22), utc(2026, 3, 29, 1))),
        (STOCKHOLM, (date(2026, 10, 24), time(23), time(3)), (utc(2026, 10, 24, 21), utc(2026, 10, 25, 2))),
        # Longer than to the next day.
        (STOCKHOLM, (DAY, time(22), time(4), date(2026, 7, 31)), (utc(2026, 7, 29, 20), utc(2026, 7, 31, 2))),
        # A festival day that begins at five: two o'clock is in its night.
        (FROM_FIVE, (DAY, time(2), time(4)), (utc(2026, 7, 30, 0), utc(2026, 7, 30, 2))),
        (FROM_FIVE, (DAY, time(22), time(2)), (utc(2026, 7, 29, 20), utc(2026, 7, 30, 0))),
        (FROM_FIVE, (DAY, time(5), time(6)), (utc(2026, 7, 29, 3), utc(2026, 7, 29, 4))),
    ],
)
def test_what_an_editor_enters_are_two_instants(festival, entered, expected):
    assert festival.occasion_span(*entered) == expected


@pytest.mark.parametrize(
    ("instant", "day", "from_five"),
    [
        (utc(2026, 7, 28, 21, 59, 59), date(2026, 7, 28), date(2026, 7, 28)),
        (utc(2026, 7, 28, 22), date(2026, 7, 29), date(2026, 7, 28)),
        (utc(2026, 7, 29, 2, 59, 59), date(2026, 7, 29), date(2026, 7, 28)),
        (utc(2026, 7, 29, 3), date(2026, 7, 29), date(2026, 7, 29)),
        (utc(2026, 12, 31, 23), date(2027, 1, 1), date(2026, 12, 31)),
        # In the nights in which the clock changes.
        (utc(2026, 3, 29, 2, 59), date(2026, 3, 29), date(2026, 3, 28)),
        (utc(2026, 3, 29, 3), date(2026, 3, 29), date(2026, 3, 29)),
        (utc(2026, 10, 25, 3, 59), date(2026, 10, 25), date(2026, 10, 24)),
        (utc(2026, 10, 25, 4), date(2026, 10, 25), date(2026, 10, 25)),
    ],
)
def test_an_instant_belongs_to_one_festival_day(instant, day, from_five):
    assert (STOCKHOLM.day_of(instant), FROM_FIVE.day_of(instant)) == (day, from_five)


zones = st.sampled_from(["Europe/Stockholm", "UTC", "Asia/Kolkata", "America/Havana", "Pacific/Apia"])
days = st.dates(date(2000, 1, 1), date(2037, 1, 1))


@given(zone=zones, hour=st.integers(0, 23), day=days)
def test_a_festival_day_begins_with_its_first_instant(zone, hour, day):
    festival = FestivalTime(zone, hour)
    begins = festival.day_begins(day)
    around = [festival.day_of(begins + timedelta(seconds=seconds)) for seconds in (-1, 0)]
    if (zone, day) != ("Pacific/Apia", date(2011, 12, 30)):  # Samoa left that day out.
        assert around == [day - timedelta(days=1), day]


@pytest.mark.parametrize(
    ("day", "clock", "exists", "instant"),
    [
        (date(2026, 3, 29), time(1, 59), True, utc(2026, 3, 29, 0, 59)),
        (date(2026, 3, 29), time(2, 30), False, utc(2026, 3, 29, 1, 30)),
        (date(2026, 3, 29), time(3), True, utc(2026, 3, 29, 1)),
        # Of a time that occurs twice it is the first.
        (date(2026, 10, 25), time(2, 30), True, utc(2026, 10, 25, 0, 30)),
    ],
)
def test_the_wall_clock_leaves_times_out_and_shows_some_twice(day, clock, exists, instant):
    assert (STOCKHOLM.exists(day, clock), STOCKHOLM.instant(day, clock)) == (exists, instant)


# Around both nights in which the clock changes.
NIGHTS = st.builds(
    lambda night, minutes: night + timedelta(minutes=minutes),
    st.sampled_from([utc(2026, 3, 29, 1), utc(2026, 10, 25, 1)]),
    st.integers(-1600, 200),
)


@given(start=NIGHTS, clock=st.times().map(lambda clock: clock.replace(second=0, microsecond=0)))
def test_an_end_is_the_first_time_after_the_start_that_the_clock_shows_it(start, clock):
    end = STOCKHOLM.end_after(start, clock)
    if STOCKHOLM.local(end).time() != clock:
        # It is skipped on that date, and whoever asks says so.
        assert not STOCKHOLM.exists(date(2026, 3, 29), clock)
        return
    shown = (
        (each, STOCKHOLM.local(each).time())
        for each in (start + timedelta(minutes=n) for n in range(1, 1600))
    )
    assert end == next(each for each, shows in shown if shows == clock.replace(fold=0))


@given(start=NIGHTS, minutes=st.integers(-3000, 3000))
def test_hours_and_minutes_are_of_instants(start, minutes):
    assert STOCKHOLM.add(start, Length(time=timedelta(minutes=minutes))) == start + timedelta(minutes=minutes)


@given(start=NIGHTS, days=st.integers(-400, 400), minutes=st.integers(-3000, 3000))
def test_days_are_of_the_calendar(start, days, minutes):
    local = STOCKHOLM.local(start)
    day = local.date() + timedelta(days)
    try:
        moved = STOCKHOLM.add(start, Length(days))
    except SkippedTimeError:
        assert not STOCKHOLM.exists(day, local.time())
        return
    assert STOCKHOLM.local(moved).replace(tzinfo=None) == datetime.combine(day, local.time())
    end = moved + timedelta(minutes=minutes)
    assert STOCKHOLM.add(start, STOCKHOLM.distance(start, end)) == end


def test_what_two_clock_changes_have_in_common_moves_from_one_to_the_other():
    # From 02:45 to 02:15, half an hour later, and 53 weeks on.
    moved = [STOCKHOLM.add(utc(2026, 10, 25, *clock), Length(371)) for clock in ((0, 45), (1, 15))]
    assert moved == [utc(2027, 10, 31, 0, 45), utc(2027, 10, 31, 1, 15)]
