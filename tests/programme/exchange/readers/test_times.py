"""Durations and starts, as real files write them."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.exchange.readers.entries import find_start, parse_clock, parse_duration, parse_instant
from programme.exchange.values import Entry

STOCKHOLM = ZoneInfo("Europe/Stockholm")


@given(st.integers(0, 99), st.integers(0, 23), st.integers(0, 59))
def test_three_parts_are_days_hours_and_minutes(days, hours, minutes):
    assert parse_duration(f"{days}:{hours:02}:{minutes:02}") == timedelta(
        days=days, hours=hours, minutes=minutes
    )


@given(st.integers(0, 99), st.integers(0, 59))
def test_two_parts_are_hours_and_minutes_with_or_without_a_leading_zero(hours, minutes):
    duration = timedelta(hours=hours, minutes=minutes)
    assert parse_duration(f"{hours}:{minutes:02}") == parse_duration(f"{hours:02}:{minutes:02}") == duration


@pytest.mark.parametrize("text", ["", "soon", "1:", ":30", "1.5", "-0:30", "1:00:00:00", "PT30M", "1 h"])
def test_another_text_is_no_duration(text):
    assert parse_duration(text) is None


@given(st.text(max_size=12))
def test_no_text_fails(text):
    assert parse_duration(text) is None or parse_duration(text) >= timedelta()
    assert parse_clock(text) is None or parse_clock(text) < time.max
    parse_instant(text, STOCKHOLM)


def test_the_date_of_an_entry_states_its_start_with_its_own_offset():
    entry = Entry(date="2019-12-28T01:30:00+01:00", start="09:99", day="2019-12-27")
    assert find_start(entry, STOCKHOLM, time(4)) == datetime(2019, 12, 28, 0, 30, tzinfo=UTC)


def test_a_date_without_an_offset_is_of_the_schedules_zone():
    entry = Entry(date="2026-07-29T14:00:00")
    assert find_start(entry, ZoneInfo("Europe/Helsinki"), None) == datetime(2026, 7, 29, 11, tzinfo=UTC)


def test_without_a_date_the_day_and_the_clock_tell():
    entry = Entry(day="2013-02-02", start="10:30")
    assert find_start(entry, STOCKHOLM, time(9)) == datetime(2013, 2, 2, 9, 30, tzinfo=UTC)


def test_without_a_date_a_start_before_the_change_of_day_is_on_the_next_date():
    entry = Entry(day="2013-02-02", start="08:59")
    assert find_start(entry, STOCKHOLM, time(9)) == datetime(2013, 2, 3, 7, 59, tzinfo=UTC)


def test_a_date_without_a_clock_time_goes_with_the_start_on_that_very_date():
    entry = Entry(date="2026-07-29", day="2026-07-28", start="01:00")
    assert find_start(entry, STOCKHOLM, time(9)) == datetime(2026, 7, 28, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    "entry",
    [
        Entry(),
        Entry(start="10:00"),
        Entry(day="2026-07-29"),
        Entry(day="2026-02-30", start="10:00"),
        Entry(day="2026-07-29", start="25:00"),
        Entry(date="9999-12-31T23:59:00-14:00"),
        Entry(date="yesterday", start="10:00"),
    ],
)
def test_an_entry_that_does_not_tell_its_start_has_none(entry):
    assert find_start(entry, STOCKHOLM, None) is None
