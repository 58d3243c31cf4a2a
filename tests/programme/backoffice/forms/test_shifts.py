"""Moving occasions: what is typed, and moving by days and minutes of the wall clock."""

import datetime as dt

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from feeds.festival_time import FestivalTime
from programme.backoffice.forms.shifts import FARTHEST, ShiftField, SkippedTimeError, shift
from tests.programmes import utc

HOUR, MINUTE, DAY = dt.timedelta(hours=1), dt.timedelta(minutes=1), dt.timedelta(days=1)


@pytest.mark.parametrize(
    ("typed", "shift"),
    [
        ("+2 h", 2 * HOUR),
        ("90", 90 * MINUTE),
        ("-15 min", -15 * MINUTE),
        ("−15", -15 * MINUTE),
        ("–1 dag", -DAY),
        ("-2:30", -150 * MINUTE),
        ("+0.45", 45 * MINUTE),
        ("1 day 2 hours", 26 * HOUR),
        ("18:00", dt.time(18)),
        ("6 pm", dt.time(18)),
        ("1800", dt.time(18)),
        ("kl 18", dt.time(18)),
        ("kl. 9.15", dt.time(9, 15)),
        ("00:00", dt.time(0)),
        ("0", dt.timedelta()),
        ("366 d", FARTHEST),
        ("  ", None),
    ],
)
def test_what_editors_type_is_understood(typed: str, shift: object) -> None:
    assert ShiftField(required=False).clean(typed) == shift


@pytest.mark.parametrize(
    "typed",
    ["x", "+", "h", "2 x", "25:00", "18:60", "2 h -30", "1e3", "+18:00:00", "٣", "2 h 3 h", "1,5", "+1830"],
)
def test_what_is_not_understood_says_how_to_write_it(typed: str) -> None:
    with override("en"), pytest.raises(ValidationError, match=r"such as \+2 h|Write it as 19:00"):
        ShiftField().clean(typed)


@pytest.mark.parametrize("typed", ["367 d", "-9000 h", "366 d 1 min"])
def test_nothing_is_moved_by_more_than_a_year(typed: str) -> None:
    with override("en"), pytest.raises(ValidationError, match="At most 366 days"):
        ShiftField().clean(typed)


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
