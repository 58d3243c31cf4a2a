"""What is found on a day though it began before, and after an hour."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.index import build_day_test, build_hour_test
from feeds.programme import Programme
from tests.conftest import NOW, SITE
from tests.feeds.selections import find_ids, list_errors, parse_selection
from tests.feeds.strategies import programmes

DAYS = [date(2026, 7, 28) + timedelta(days=number) for number in range(4)]


def hold(programme: Programme, begins: str, ends: str):
    """Return an occasion between two local moments of July: `28 17:00`."""
    zone = SITE.time.zone
    start, end = (
        datetime.strptime(f"2026-07-{each}", "%Y-%m-%d %H:%M").replace(tzinfo=zone) for each in (begins, ends)
    )
    return replace(programme.by_id[8001], start=start, end=end)


@pytest.mark.parametrize(
    ("begins", "ends", "first_hour", "days"),
    [
        # An exhibition, and one that is taken down in the last night.
        ("28 17:00", "31 16:00", 0, [29, 30, 31]),
        ("27 10:00", "29 02:00", 0, [28, 29]),
        # Exactly a day, whose end does not belong to the next one.
        ("28 10:00", "29 10:00", 0, [29]),
        ("28 00:00", "29 00:00", 0, []),
        # The night belongs to its evening, also when the days begin late.
        ("28 22:00", "29 03:00", 0, []),
        ("28 22:00", "29 06:00", 0, []),
        ("28 22:00", "29 06:00", 5, []),
        # What goes on in the morning does not.
        ("28 20:00", "29 12:00", 0, [29]),
        ("28 22:00", "29 06:01", 5, [29]),
        ("28 22:00", "29 04:00", 5, []),
    ],
)
def test_what_goes_on_is_found_but_for_the_end_of_a_night(sample_programme, begins, ends, first_hour, days):
    time = replace(SITE.time, first_hour=first_hour)
    occasion = hold(sample_programme, begins, ends)
    assert [day.day for day in DAYS if build_day_test(time, day)(occasion)] == days


@pytest.mark.parametrize(
    ("begins", "ends", "hours"),
    [
        ("28 10:00", "28 12:00", []),
        ("28 10:00", "28 17:00", [12, 15]),
        ("28 12:00", "28 13:00", [12]),
        ("28 21:00", "28 22:00", [12, 15, 18, 21]),
        ("28 17:00", "31 16:00", [12, 15, 18, 21]),
    ],
)
def test_after_an_hour_is_what_begins_then_or_is_still_on(sample_programme, begins, ends, hours):
    occasion = hold(sample_programme, begins, ends)
    assert [each for each in (12, 15, 18, 21) if build_hour_test(SITE.time, [each])(occasion)] == hours


def test_an_hour_after_midnight_is_of_the_day_that_goes_on(sample_programme):
    time = replace(SITE.time, first_hour=5)
    occasion = hold(sample_programme, "28 22:00", "29 01:30")
    assert [each for each in (23, 1, 2) if build_hour_test(time, [each])(occasion)] == [23, 1]


def test_what_goes_on_is_looked_for_on_the_day_that_is_asked_for(sample_programme):
    occasion = hold(sample_programme, "28 17:00", "30 11:00")
    is_on = {day.day: build_hour_test(SITE.time, [12], day)(occasion) for day in DAYS[1:3]}
    assert is_on == {29: True, 30: False}


days = st.sampled_from(
    [date(2026, 3, 28), date(2026, 7, 29), date(2026, 8, 1), date(2026, 10, 25), NOW.date()]
)


@given(programmes(), days, st.integers(0, 3), st.none() | st.integers(0, 23))
def test_the_index_finds_what_a_plain_reading_does(programme, first, more, hour):
    last, time = first + timedelta(days=more), programme.site.time
    goes_on = build_day_test(time, first)
    is_late = build_hour_test(time, [hour], first) if hour is not None else lambda _occasion: True
    expected = [
        each.id
        for each in programme.occasions
        if (first <= programme.span(each).day <= last or goes_on(each)) and is_late(each)
    ]
    query = f"during={first}/{last}" + ("" if hour is None else f"&after={hour}")
    assert find_ids(programme, query) == expected
    assert find_ids(programme, parse_selection(query).query) == expected
    if hour is None:
        assert {*find_ids(programme, f"date={first}/{last}")} <= {*expected}


def test_alternatives_words_and_dates_stand_in_a_canonical_order(sample_programme):
    query = "after=15&during=2026-07-31&during=tomorrow&during=2026-07-29/2026-07-30&date=now&after=9"
    canonical = sample_programme.index.canonical(parse_selection(query))
    assert canonical.query == (
        "date=now&during=tomorrow&during=2026-07-29/2026-07-30&during=2026-07-31&after=9&after=15"
    )
    assert sample_programme.index.titles(canonical) == [
        *("nu", "imorgon", "29 juli 2026 – 30 juli 2026", "31 juli 2026", "efter 9", "efter 15")
    ]
    assert canonical.depends_on_time
    assert not parse_selection("during=2026-07-31").depends_on_time


def test_what_are_no_days_and_no_hours_are_refused():
    assert list_errors("during=now") == {
        "during": ["'now' is not a date. Use yyyy-MM-dd, yyyy-MM-dd/yyyy-MM-dd, or one of today, tomorrow."]
    }
    assert list_errors("during=2026-07-30/2026-07-29") == {
        "during": ["'2026-07-30/2026-07-29' ends before it begins."]
    }
    assert list_errors("after=24&after=x") == {
        "after": ["'24' is not an hour. Use 0 to 23.", "'x' is not an hour. Use 0 to 23."]
    }
