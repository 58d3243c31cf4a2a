"""Recurrence rules are followed unless they would keep a library busy."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date, datetime, timedelta
from unittest.mock import patch

import pytest
from dateutil import rrule
from dateutil.rrule import rrulestr
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from programme.exchange.readers.ical.rules import (
    RuleError,
    most_times,
    parse_rule,
    require_bounded,
    require_fitting_day,
)

START = date(2026, 7, 28)
# The library stops at the end of the year 9999, after almost three million days.
FEW_DAYS = 100_000
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


@contextmanager
def count_days() -> Iterator[list[int]]:
    """Return at how many days the library looks, period by period: that is what takes its time."""
    looked: list[int] = []

    def counted(find_days):
        def find(*arguments):
            days, first, last = find_days(*arguments)
            looked.append(last - first)
            return days, first, last

        return find

    with ExitStack() as stack:
        for name in ("ydayset", "mdayset", "wdayset", "ddayset"):
            find_days = getattr(rrule._iterinfo, name)
            stack.enter_context(patch.object(rrule._iterinfo, name, counted(find_days)))
        yield looked


def test_the_parts_of_a_rule():
    assert parse_rule("freq=weekly; interval=2;BYDAY=TU, TH;X-NOTE=;") == {
        "FREQ": "WEEKLY",
        "INTERVAL": "2",
        "BYDAY": "TU,TH",
    }


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("", "how often"),
        ("FREQ=", "how often"),
        ("FREQ=FORTNIGHTLY", "FREQ=FORTNIGHTLY"),
        ("FREQ=SECONDLY", "FREQ=SECONDLY"),
        ("FREQ=MINUTELY", "FREQ=MINUTELY"),
        ("FREQ=HOURLY", "FREQ=HOURLY"),
        ("FREQ=DAILY;BYSECOND=0,1", "BYSECOND=0,1"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL=0"),
        ("FREQ=DAILY;INTERVAL=1000", "INTERVAL=1000"),
        ("FREQ=DAILY;COUNT=-1", "COUNT=-1"),
        ("FREQ=DAILY;COUNT=99999999999999", "COUNT=99999999999999"),
        ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY=32"),
        ("FREQ=WEEKLY;BYDAY=XX", "BYDAY=XX"),
        ("FREQ=YEARLY;BYWEEKNO=20", "BYWEEKNO=20"),
    ],
)
def test_a_rule_that_is_not_read_says_why(rule, says):
    with pytest.raises(RuleError, match=says):
        parse_rule(rule)


@pytest.mark.parametrize(
    ("rule", "start"),
    [
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", START),
        ("FREQ=YEARLY;BYMONTH=4,6;BYMONTHDAY=31", START),
        ("FREQ=YEARLY;BYMONTH=2", date(2026, 1, 31)),
        ("FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29", date(2025, 7, 28)),
        ("FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30", date(2026, 2, 1)),
        ("FREQ=MONTHLY;INTERVAL=2;BYMONTH=1", date(2026, 2, 1)),
        ("FREQ=MONTHLY;BYDAY=1FR;BYMONTHDAY=20", START),
        ("FREQ=MONTHLY;BYMONTHDAY=1;BYSETPOS=2", START),
        ("FREQ=MONTHLY;BYDAY=WE,1MO", START),
        ("FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYDAY=5FR", START),
        ("FREQ=DAILY;INTERVAL=7;BYDAY=MO", START),
    ],
)
def test_a_rule_that_no_day_fits_is_refused_at_once(rule, start):
    with count_days() as days, pytest.raises(RuleError, match="may fit no day"):
        require_fitting_day(parse_rule(rule), start)
    assert days == []


by_parts = st.fixed_dictionaries(
    {},
    optional={
        "BYMONTH": st.lists(st.integers(1, 12), min_size=1, max_size=3),
        "BYMONTHDAY": st.lists(st.integers(-31, 31).filter(bool), min_size=1, max_size=3),
        "BYDAY": st.lists(
            st.builds("{}{}".format, st.sampled_from(["", "", 1, -1, 5]), st.sampled_from(WEEKDAYS)),
            min_size=1,
            max_size=3,
        ),
        "BYSETPOS": st.sampled_from([[1], [-1], [4], [1, -1]]),
    },
)


@settings(deadline=None, max_examples=100)
@given(
    st.sampled_from(["YEARLY", "MONTHLY", "WEEKLY", "DAILY"]),
    st.integers(1, 28),
    by_parts,
    st.datetimes(datetime(2024, 1, 1), datetime(2027, 12, 31)),  # noqa: DTZ001 - by the wall clock
)
def test_every_rule_that_is_accepted_has_a_time(frequency, interval, parts, start):
    parts = {"FREQ": [frequency], "INTERVAL": [interval]} | parts
    text = ";".join(f"{name}={','.join(map(str, values))}" for name, values in parts.items())
    try:
        require_fitting_day(parse_rule(text), start)
    except RuleError:
        assume(False)
    with count_days() as days:
        first = next(iter(rrulestr(text, dtstart=start)), None)
    assert first
    assert sum(days) < FEW_DAYS
    last = first + timedelta(days=500)
    found = rrulestr(text, dtstart=start).between(first, last, inc=True)
    assert len(found) <= most_times(parse_rule(text), (last.date() - first.date()).days) + 54


@pytest.mark.parametrize(
    ("rule", "days"),
    [
        ("FREQ=DAILY;BYHOUR=1,2;BYMINUTE=0,30", 50_000),
        ("FREQ=YEARLY;INTERVAL=2", 6_000_000),
        ("FREQ=DAILY", -5),
    ],
)
def test_the_effort_of_a_rule_is_bounded(rule, days):
    require_bounded(parse_rule(rule), days)
    if days > 0:
        with pytest.raises(RuleError, match="too long"):
            require_bounded(parse_rule(rule), days + 30)
