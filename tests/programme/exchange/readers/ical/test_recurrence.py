"""Recurring components of iCalendar files are read for the festival's days alone."""

from datetime import date

import pytest

from programme.exchange.readers.ical import calendar as calendar_reader
from programme.exchange.values import UnreadableFileError
from tests.programme.exchange.readers.ical.calendars import DAYS, JAZZ, contents, find_problems, local


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("RRULE:FREQ=DAILY",), [28, 29, 30, 31]),
        (("RRULE:FREQ=DAILY;COUNT=2",), [28, 29]),
        (("RRULE:FREQ=DAILY;UNTIL=20260729",), [28, 29]),
        (("RRULE:FREQ=DAILY;UNTIL=20260729T180000Z",), [28, 29]),
        (("RRULE:FREQ=DAILY;UNTIL=20260729T175959Z",), [28]),
        (("RRULE:FREQ=DAILY", "EXDATE:20260729T180000Z,20260730T180000Z"), [28, 31]),
        (("RRULE:FREQ=DAILY", "EXDATE;TZID=Europe/Helsinki:20260729T210000"), [28, 30, 31]),
        (("RRULE:FREQ=DAILY", "EXDATE;VALUE=DATE:20260729"), [28, 30, 31]),
        (("RDATE:20260730T180000Z", "RDATE;VALUE=DATE:20260731"), [28, 30, 31]),
        (("RDATE;VALUE=PERIOD:20260730T180000Z/PT2H",), [28, 30]),
        (("RRULE:FREQ=DAILY;INTERVAL=2", "RRULE:FREQ=DAILY;COUNT=2"), [28, 29, 30]),
        (("RRULE:FREQ=DAILY;UNTIL=20260720",), [28]),
        (("RRULE:FREQ=DAILY;UNTIL=99991231T235959Z",), [28, 29, 30, 31]),
        (("RRULE:freq=daily; count=3;",), [28, 29, 30]),
        (("RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=TU,TH",), [28, 30]),
        (("RRULE:FREQ=MONTHLY;BYDAY=-1FR",), [28, 31]),
    ],
)
def test_a_series_is_read_on_the_festivals_days(lines, expected):
    [event] = contents((*JAZZ, *lines)).events
    assert [occasion.start.day for occasion in event.occasions] == expected


def test_a_rule_of_years_ago_keeps_its_clock_through_summer_time():
    event = (
        *JAZZ[:2],
        "DTSTART;TZID=Europe/Stockholm:20190101T200000",
        "DURATION:PT1H",
        "RRULE:FREQ=WEEKLY;BYDAY=WE",
    )
    assert local(event) == ["29 20:00–29 21:00"]


@pytest.mark.parametrize(
    ("start", "length", "hours"),
    [
        ("20261024T230000", "PT4H", 4),
        ("20270327T230000", "PT3H", 3),
        ("20261024T120000", "PT24H", 24),
        ("20261024T120000", "P1D", 25),
        ("20261024T120000", "P1DT1H", 26),
        ("20261020T120000", "P1W", 169),
        ("20270327T120000", "P1D", 23),
        ("20261025T023000", "PT30M", 0.5),
    ],
)
@pytest.mark.parametrize("rule", [(), ("RRULE:FREQ=YEARLY;COUNT=1",)])
def test_hours_are_of_instants_and_days_of_the_calendar(start, length, hours, rule):
    lines = (*JAZZ[:2], f"DTSTART;TZID=Europe/Stockholm:{start}", f"DURATION:{length}", *rule)
    [event] = contents(lines, days=frozenset()).events
    [occasion] = event.occasions
    assert (occasion.end - occasion.start).total_seconds() / 3600 == hours


def test_a_series_lasts_as_long_in_the_night_in_which_the_clock_changes():
    days = frozenset(date(2026, 10, day) for day in (23, 24))
    night = (*JAZZ[:2], "DTSTART;TZID=Europe/Stockholm:20261023T230000", "RRULE:FREQ=DAILY;COUNT=2")
    assert local((*night, "DURATION:PT4H"), days=days) == ["23 23:00–24 03:00", "24 23:00–25 02:00"]
    until = "DTEND;TZID=Europe/Stockholm:20261024T030000"
    assert local((*night, until), days=days) == ["23 23:00–24 03:00", "24 23:00–25 03:00"]


def test_a_rule_that_no_day_fits_leaves_the_start():
    assert local((*JAZZ, "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")) == ["28 20:00–28 21:00"]


def test_times_outside_of_the_festival_are_reported():
    assert find_problems((*JAZZ, "RRULE:FREQ=DAILY;COUNT=6")) == [
        ("Jazz (line 3)", "4 of its times are on festival days; the others are left out")
    ]


def test_the_festivals_night_belongs_to_its_day():
    late = (*JAZZ[:2], "DTSTART;TZID=Europe/Stockholm:20260728T010000", "DURATION:PT1H", "RRULE:FREQ=DAILY")
    assert [time[:5] for time in local(late)] == ["29 01", "30 01", "31 01", "01 01"]


def test_exceptions_move_rename_and_cancel_single_times():
    series = (*JAZZ, "RRULE:FREQ=DAILY")
    moved = (
        *("UID:jazz", "RECURRENCE-ID:20260729T180000Z", "SUMMARY:Jazz", "DTSTART:20260729T200000Z"),
        "DURATION:PT1H",
    )
    cancelled = (
        "UID:jazz",
        "RECURRENCE-ID:20260730T180000Z",
        *JAZZ[1:2],
        "DTSTART:20260730T180000Z",
        "STATUS:CANCELLED",
    )
    away = (
        "UID:jazz",
        "RECURRENCE-ID:20260731T180000Z",
        *JAZZ[1:2],
        "DTSTART:20261224T180000Z",
        "DURATION:PT1H",
    )
    [event] = contents(moved, series, cancelled, away).events
    assert [(each.guid, f"{each.start:%d %H}", each.cancelled) for each in event.occasions] == [
        ("jazz/20260728T180000Z", "28 18", False),
        ("jazz/20260729T180000Z", "29 20", False),
        ("jazz/20260730T180000Z", "30 18", True),
    ]


def test_the_last_day_of_whole_days_may_be_stated_as_an_instant():
    series = (*JAZZ[:2], "DTSTART;VALUE=DATE:20260728", "RRULE:FREQ=DAILY;UNTIL=20260728T220000Z")
    assert local(series) == ["28 04:00–28 23:59", "29 04:00–29 23:59"]


@pytest.mark.parametrize(
    ("end", "note"),
    [
        ("DTEND:20260728T180000Z", "the end is not later than the start"),
        ("DTEND:21260728T180000Z", "no usable duration"),
        ("DURATION:P3000D", "no usable duration"),
        ("DURATION:PT0S", "the end is not later than the start"),
        ("DTEND:soon", "no end"),
    ],
)
def test_a_series_without_a_usable_end_has_half_an_hour(end, note):
    event = (*JAZZ[:3], end, "RRULE:FREQ=DAILY;COUNT=2")
    assert local(event) == ["28 20:00–28 20:30", "29 20:00–29 20:30"]
    problems = find_problems(event)
    assert len(problems) == 2
    assert all(what.startswith(note) and "30 minutes assumed" in what for _where, what in problems)


def test_an_exception_without_a_start_stays_where_it_was():
    series = (*JAZZ, "RRULE:FREQ=DAILY;COUNT=2")
    cancelled = ("UID:jazz", "RECURRENCE-ID:20260729T180000Z", *JAZZ[1:2], "STATUS:CANCELLED")
    [event] = contents(series, cancelled).events
    assert [(f"{each.start:%d %H}", each.cancelled) for each in event.occasions] == [
        ("28 18", False),
        ("29 18", True),
    ]


def test_without_known_days_an_exception_may_come_before_its_series():
    series = (*JAZZ, "RRULE:FREQ=DAILY;COUNT=2")
    moved = ("UID:jazz", "RECURRENCE-ID:20260729T180000Z", *JAZZ[1:2], "DTSTART:20260701T180000Z")
    assert [time[:5] for time in local(series, moved, days=frozenset())] == ["01 20", "28 20"]


def test_exceptions_from_days_without_a_time():
    series = (*JAZZ[:2], "DTSTART;VALUE=DATE:20260728", "RRULE:FREQ=DAILY;COUNT=2")
    moved = ("UID:jazz", "RECURRENCE-ID:20260729T000000Z", "SUMMARY:Jazz", "DTSTART;VALUE=DATE:20260730")
    assert local(series, moved) == ["28 04:00–28 23:59", "30 04:00–30 23:59"]


def test_an_exception_alone_is_an_occasion():
    alone = (
        *("UID:jazz", "RECURRENCE-ID:20260729T180000Z", "SUMMARY:Jazz", "DTSTART:20260729T200000Z"),
        "DURATION:PT1H",
    )
    [event] = contents(alone).events
    assert [each.guid for each in event.occasions] == ["jazz/20260729T180000Z"]


@pytest.mark.parametrize(
    ("rule", "days", "says"),
    [
        (
            "FREQ=DAILY",
            frozenset(),
            "it recurs without an end, and it is not known which days the festival has",
        ),
        ("FREQ=SECONDLY", DAYS, "FREQ=SECONDLY"),
        ("FREQ=DAILY;UNTIL=20361231", frozenset(), "it recurs more than 2000 times"),
        ("FREQ=DAILY;UNTIL=never", DAYS, "the end of its rule cannot be read: NEVER"),
    ],
)
def test_a_rule_that_cannot_be_followed_leaves_its_event_out(rule, days, says):
    other = ("UID:tea", "SUMMARY:Tea", *JAZZ[2:])
    found = contents((*JAZZ, f"RRULE:{rule}"), other, days=days)
    assert [event.title for event in found.events] == ["Tea"]
    [problem] = found.problems
    assert problem.where == "Jazz (line 3)"
    assert problem.what.startswith("left out: ")
    assert says in problem.what
    assert problem.left_out
    # It is in the file all the same, and must not be taken for gone.
    assert found.unread_keys == {"jazz"}


def test_a_series_that_is_moved_from_one_time_on_is_left_out():
    moved = (
        *("UID:jazz", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260729T180000Z", "SUMMARY:Jazz"),
        "DTSTART:20260729T200000Z",
    )
    other = ("UID:tea", "SUMMARY:Tea", *JAZZ[2:])
    found = contents((*JAZZ, "RRULE:FREQ=DAILY"), moved, other)
    [problem] = found.problems
    assert ([event.title for event in found.events], problem.left_out) == (["Tea"], True)
    assert problem.what == "left out: it moves all times from one on, which is not read here"


def test_a_calendar_with_more_times_than_the_limit_ends_the_reading_at_once(settings, monkeypatch):
    settings.IMPORT_ROWS = 3
    followed = []
    find = calendar_reader.find_recurring_times

    def count(component, *arguments):
        followed.append(component.text("UID"))
        return find(component, *arguments)

    monkeypatch.setattr(calendar_reader, "find_recurring_times", count)
    series = [(*JAZZ[1:], f"UID:{name}", "RRULE:FREQ=DAILY;COUNT=2") for name in "abcd"]
    reason = "it has more than 3 occasions: divide it into several files"
    with pytest.raises(UnreadableFileError, match=f"^{reason}$"):
        contents(*series)
    assert followed == ["a", "b"]
    settings.IMPORT_ROWS = 4
    assert len(contents(*series[:2]).events) == 2
