"""Moving occasions by days and minutes of the wall clock."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.festival_time import FestivalTime
from programme.backoffice.forms.shifts import SkippedTimeError, shift
from tests.programmes import utc

STOCKHOLM = FestivalTime()


@pytest.mark.parametrize(
    ("start", "by", "after"),
    [
        (utc(2026, 7, 29, 18), dt.timedelta(minutes=30), utc(2026, 7, 29, 18, 30)),
        (utc(2026, 7, 29, 18), dt.timedelta(days=-1), utc(2026, 7, 28, 18)),
        # 20:00 stays 20:00 where the clock goes back, and where it goes forward.
        (utc(2026, 10, 24, 18), dt.timedelta(days=1), utc(2026, 10, 25, 19)),
        (utc(2026, 3, 28, 19), dt.timedelta(days=1), utc(2026, 3, 29, 18)),
        (utc(2026, 7, 29, 18, 0, 7), dt.timedelta(days=1), utc(2026, 7, 30, 18, 0, 7)),
    ],
)
def test_an_occasion_moves_as_the_clock_on_the_wall_shows(
    start: dt.datetime, by: dt.timedelta, after: dt.datetime
) -> None:
    assert shift(start, start + dt.timedelta(minutes=45), by, STOCKHOLM)[0] == after


def test_an_hour_that_is_jumped_over_is_refused() -> None:
    with pytest.raises(SkippedTimeError) as never:
        shift(utc(2026, 3, 28, 1, 30), utc(2026, 3, 28, 4), dt.timedelta(days=1), STOCKHOLM)
    assert (never.value.date, never.value.clock) == (dt.date(2026, 3, 29), dt.time(2, 30))


@given(
    start=st.integers(0, 86_400 * 60).map(lambda seconds: utc(2026, 6, 1) + dt.timedelta(seconds=seconds)),
    minutes=st.integers(-20_000, 20_000),
)
def test_what_is_moved_there_and_back_is_where_it_was(start: dt.datetime, minutes: int) -> None:
    by, end = dt.timedelta(minutes=minutes), start + dt.timedelta(hours=1)
    there = shift(start, end, by, STOCKHOLM)
    assert shift(*there, -by, STOCKHOLM) == (start, end)
    assert there[1] - there[0] == dt.timedelta(hours=1)
