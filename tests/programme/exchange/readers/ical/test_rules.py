"""Recurrence rules: the same times as dateutil finds, and no rule that goes on for ever."""
# ruff: noqa: DTZ001, DTZ901, PLR0917 - times by the wall clock

from datetime import datetime, timedelta
from itertools import islice

import pytest
from dateutil.rrule import rrulestr
from django.utils.translation import override
from hypothesis import given, settings
from hypothesis import strategies as st

from programme.exchange.readers.ical.rules import Effort, RuleError, read_rule, recurrences

START = datetime(2026, 7, 28, 19, 30)
LATE = datetime(2030, 1, 1)


@pytest.fixture(scope="module", autouse=True)
def _in_english():
    with override("en"):
        yield


def times(
    text: str, start: datetime = START, first: datetime | None = None, last: datetime = LATE
) -> list[datetime]:
    found = recurrences(read_rule(text), start, first or start, last, Effort(100_000))
    return list(islice(found, 500))


def days(*numbers: int, hour: int = 19, minute: int = 30) -> list[datetime]:
    return [datetime(2026, 7, number, hour, minute) for number in numbers]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=DAILY;COUNT=3", days(28, 29, 30)),
        ("freq=daily; count=3;", days(28, 29, 30)),
        ("FREQ=DAILY;INTERVAL=2;COUNT=2", days(28, 30)),
        ("FREQ=DAILY;COUNT=2;BYHOUR=14,19;BYMINUTE=30", [*days(28), *days(29, hour=14)]),
        ("FREQ=WEEKLY;COUNT=3;BYDAY=TU,TH", [*days(28, 30), datetime(2026, 8, 4, 19, 30)]),
        ("FREQ=MONTHLY;COUNT=2;BYDAY=-1FR", [*days(31), datetime(2026, 8, 28, 19, 30)]),
        ("FREQ=YEARLY;COUNT=2", [*days(28), datetime(2027, 7, 28, 19, 30)]),
        ("FREQ=MINUTELY;INTERVAL=90;COUNT=2", [*days(28), *days(28, hour=21, minute=0)]),
    ],
)
def test_the_times_of_a_rule(rule, expected):
    assert times(rule) == expected


WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
# None of them makes a rule that nothing fits: such a one keeps dateutil busy until the year 9999.
by_parts = st.fixed_dictionaries(
    {},
    optional={
        "BYMONTH": st.lists(st.integers(1, 12), min_size=1, max_size=3),
        "BYMONTHDAY": st.lists(st.integers(-28, 28).filter(bool), min_size=1, max_size=4),
        "BYDAY": st.lists(st.sampled_from(WEEKDAYS), min_size=1, max_size=4, unique=True),
        "BYHOUR": st.lists(st.integers(0, 23), min_size=1, max_size=3),
        "BYMINUTE": st.lists(st.integers(0, 59), min_size=1, max_size=2),
        "BYSETPOS": st.sampled_from([[1], [-1], [1, -1]]),
        "WKST": st.sampled_from([["MO"], ["SU"]]),
    },
)


@settings(deadline=None, max_examples=150)
@given(
    st.sampled_from(["YEARLY", "MONTHLY", "WEEKLY", "DAILY"]),
    st.integers(1, 5),
    st.none() | st.integers(1, 40),
    by_parts,
    st.datetimes(datetime(2024, 1, 1), datetime(2026, 12, 31)).map(lambda each: each.replace(microsecond=0)),
    st.integers(0, 900),
    st.sampled_from(["", "", "1", "-1", "2"]),
)
def test_a_rule_gives_the_times_that_dateutil_gives(frequency, interval, count, parts, start, later, which):
    if which and frequency in {"YEARLY", "MONTHLY"} and "BYDAY" in parts and "BYMONTHDAY" not in parts:
        parts = parts | {"BYDAY": [which + day for day in parts["BYDAY"]]}
    if "BYMONTHDAY" in parts and "BYDAY" in parts:
        parts = {name: values for name, values in parts.items() if name != "BYDAY"}
    if frequency == "WEEKLY":
        parts = {name: values for name, values in parts.items() if name != "BYMONTHDAY"}
    interval = 1 if "BYMONTH" in parts else interval
    stated = {"FREQ": [frequency], "INTERVAL": [interval]} | ({"COUNT": [count]} if count else {}) | parts
    text = ";".join(f"{name}={','.join(map(str, values))}" for name, values in stated.items())
    first = start + timedelta(days=later)
    last = first + timedelta(days=400)
    oracle = rrulestr(text + ("" if count else f";UNTIL={last:%Y%m%dT%H%M%S}"), dtstart=start)
    expected = [each for each in oracle if first <= each <= last]
    assert times(text, start, first, last) == expected[:500]


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;COUNT=9999999;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=SECONDLY",
        "FREQ=DAILY;BYMONTHDAY=31;BYMONTH=2",
    ],
)
def test_a_rule_that_goes_on_for_ever_ends(rule):
    effort = Effort(2000)
    with pytest.raises(RuleError, match="too long"):
        list(recurrences(read_rule(rule), datetime(1601, 1, 1), datetime(1601, 1, 1), LATE, effort))


def test_what_comes_before_the_first_day_costs_nothing_unless_it_is_counted():
    rule = read_rule("FREQ=DAILY")
    old = datetime(1601, 1, 1, 9)
    effort = Effort(10)
    found = list(recurrences(rule, old, datetime(2026, 7, 28), datetime(2026, 7, 30), effort))
    assert found == [datetime(2026, 7, 28, 9), datetime(2026, 7, 29, 9)]


def test_an_endless_rule_stops_at_the_end_of_the_calendar():
    start = datetime(9999, 12, 30)
    assert times("FREQ=DAILY", start, last=datetime.max) == [start, start + timedelta(days=1)]
    assert times("FREQ=YEARLY", start, last=datetime.max) == [start]
    assert times("FREQ=MONTHLY", start, last=datetime.max) == [start]
    assert times("FREQ=WEEKLY", start, last=datetime.max) == [start]


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("", "how often"),
        ("FREQ=FORTNIGHTLY", "how often"),
        ("FREQ=DAILY;INTERVAL=0", "cannot be: 0"),
        ("FREQ=DAILY;COUNT=-1", "cannot be: -1"),
        ("FREQ=DAILY;COUNT=99999999999999", "cannot be"),
        ("FREQ=MONTHLY;BYMONTHDAY=32", "cannot be: 32"),
        ("FREQ=WEEKLY;BYDAY=XX", "weekday that cannot be: XX"),
        ("FREQ=YEARLY;BYWEEKNO=20", "BYWEEKNO"),
    ],
)
def test_a_rule_that_cannot_be_read_says_why(rule, says):
    with pytest.raises(RuleError, match=says):
        read_rule(rule)
