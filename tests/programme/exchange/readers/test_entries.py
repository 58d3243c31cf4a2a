"""Durations, starts and ends, in every format."""

import json
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.festival_time import FestivalTime
from programme.exchange.readers.entries import (
    find_start,
    parse_duration,
    parse_instant,
    settle_end,
)
from programme.exchange.readers.registry import read
from programme.exchange.values import Contents, Entry, ImportDefaults
from tests.programme.exchange.readers.ical.calendars import calendar

ZONE = ZoneInfo("Europe/Stockholm")


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
    parse_instant(text, ZONE)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        # The date with its own offset, or of the schedule's zone.
        (Entry(date="2019-12-28T01:30:00+01:00", start="09:99", day="2019-12-27"), "2019-12-28T00:30"),
        (Entry(date="2026-07-29T14:00:00"), "2026-07-29T12:00"),
        # Else the day and the clock: before the change of day the next date, but for a date of its own.
        (Entry(day="2013-02-02", start="10:30"), "2013-02-02T09:30"),
        (Entry(day="2013-02-02", start="08:59"), "2013-02-03T07:59"),
        (Entry(date="2026-07-29", day="2026-07-28", start="01:00"), "2026-07-28T23:00"),
    ],
)
def test_an_entry_tells_its_start(entry, expected):
    assert find_start(entry, ZONE, time(9)) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


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
    assert find_start(entry, ZONE, None) is None


UUID = "0b2a3c4d-1111-4222-8333-444455556666"
NO_LENGTH = "the end is not later than the start: 30 minutes assumed"
NEXT_DAY = "the end is before the start on the same date: the next day assumed"


def write_sheet(start: str, end: str) -> tuple[str, bytes]:
    row = ";".join(("Fest", *start.split(), end.split()[1]))
    return "x.csv", f"Titel;Datum;Start;Slut\n{row}\n".encode()


def write_sheet_with_end_date(start: str, end: str) -> tuple[str, bytes]:
    row = ";".join(("Fest", *start.split(), *end.split()))
    return "x.csv", f"Titel;Datum;Start;Slutdatum;Slut\n{row}\n".encode()


def write_sheet_of_moments(start: str, end: str) -> tuple[str, bytes]:
    return "x.csv", f"Titel;Start;Slut\nFest;{start};{end}\n".encode()


def write_own_sheet(start: str, end: str) -> tuple[str, bytes]:
    row = ";".join(("Fest", *start.split(), end.split()[1], UUID, "2026-07-01T00:00:00+00:00"))
    return "x.csv", f"Titel;Datum;Start;Slut;Tillfällets ID;Exportens nr\n{row}\n".encode()


def write_calendar(start: str, end: str, zone: str = "Europe/Stockholm", head: tuple[str, ...] = ()):
    # In iCalendar's format.
    first, last = (each.translate({45: "", 58: "", 32: "T"}) + "00" for each in (start, end))
    times = (f"DTSTART;TZID={zone}:{first}", f"DTEND;TZID={zone}:{last}")
    return "x.ics", calendar((f"UID:{UUID}", "SUMMARY:Fest", *times), head=head)


def write_calendar_elsewhere(start: str, end: str) -> tuple[str, bytes]:
    """A calendar of London, whose dates are those of its own clock."""
    earlier = [f"{each[:11]}{(int(each[11:13]) - 1) % 24:02}{each[13:]}" for each in (start, end)]
    return write_calendar(*earlier, zone="Europe/London")


def write_flat_schedule(start: str, end: str) -> tuple[str, bytes]:
    fest = {"title": "Fest", "start": f"{start}:00+02:00", "end": f"{end}:00+02:00"}
    schedule = {"conference": {"title": "Feast"}, "events": [fest]}
    return "x.json", json.dumps({"schedule": schedule}).encode()


FOREIGN = [
    write_sheet,
    write_sheet_with_end_date,
    write_sheet_of_moments,
    write_calendar,
    write_calendar_elsewhere,
    write_flat_schedule,
]


def contents(name: str, content: bytes) -> Contents:
    return read(content, name, ImportDefaults(FestivalTime("Europe/Stockholm"))).contents


def span(found: Contents) -> str:
    [[occasion]] = [each.occasions for each in found.events]
    start, end = (each.astimezone(ZONE) for each in (occasion.start, occasion.end))
    return f"{start:%d %H:%M}–{end:%d %H:%M}"


def read_span(write, start: str, end: str) -> tuple[str, list[str]]:
    found = contents(*write(start, end))
    about_ends = [each.what for each in found.problems if "assumed" in each.what]
    return span(found), about_ends


@pytest.mark.parametrize("write", [*FOREIGN, write_own_sheet])
def test_an_end_before_the_start_on_the_same_date_is_the_next_day(write):
    found, _notes = read_span(write, "2026-07-28 23:00", "2026-07-28 00:30")
    assert found == "28 23:00–29 00:30"


@pytest.mark.parametrize("write", [write_calendar, write_flat_schedule])
def test_a_date_that_the_file_states_otherwise_is_reported(write):
    assert read_span(write, "2026-07-28 23:00", "2026-07-28 00:30")[1] == [NEXT_DAY]


@pytest.mark.parametrize(("end", "notes"), [("02:00", []), ("13:30", [NEXT_DAY])])
@pytest.mark.parametrize("write", [write_sheet, write_sheet_of_moments])
def test_a_night_of_more_than_12_hours_is_reported_because_its_end_may_be_mistyped(write, end, notes):
    found = read_span(write, "2026-07-28 14:00", f"2026-07-28 {end}")
    assert found == (f"28 14:00–29 {end}", notes)


@pytest.mark.parametrize("write", FOREIGN)
def test_no_length_is_30_minutes_and_reported(write):
    found = read_span(write, "2026-07-28 12:00", "2026-07-28 12:00")
    assert found == ("28 12:00–28 12:30", [NO_LENGTH])


def test_in_our_own_sheets_equal_clock_times_are_24_hours():
    found = read_span(write_own_sheet, "2026-07-28 12:00", "2026-07-28 12:00")
    assert found == ("28 12:00–29 12:00", [])


@pytest.mark.parametrize("write", [*FOREIGN, write_own_sheet])
def test_the_next_day_is_the_next_by_the_clock(write):
    # In this night the clock goes back.
    found, _notes = read_span(write, "2026-10-24 23:00", "2026-10-24 04:00")
    assert found == "24 23:00–25 04:00"


def test_a_duration_of_zero_in_a_sheet_is_30_minutes_and_reported():
    found = contents("x.csv", b"Titel;Datum;Start;Varaktighet\nFest;2026-07-28;19:00;0:00\n")
    assert span(found) == "28 19:00–28 19:30"
    assert [(each.where, each.what) for each in found.problems] == [("row 2, Varaktighet", NO_LENGTH)]


def test_rows_that_only_show_how_to_write_a_time_are_refused():
    found = contents("x.csv", b"Titel;Datum;Start;Slut\nFest;2026-07-28;HH:MM;HH:MM\n")
    assert found.events == ()
    assert [(each.where, each.left_out) for each in found.problems] == [("row 2, Start", True)]


def test_an_end_that_the_clock_does_not_show_on_the_next_day_is_refused():
    # The clock goes forward in the night to the 29th.
    found = contents("x.csv", b"Titel;Datum;Start;Slut\nFest;2026-03-28;23:00;02:30\n")
    assert [(each.where, each.left_out) for each in found.problems] == [("row 2, Slut", True)]
    found = contents("x.csv", b"Titel;Datum;Start;Slut\nFest;2026-03-29;23:00;02:30\n")
    assert span(found) == "29 23:00–30 02:30"


@pytest.mark.parametrize("equal_is_a_day", [False, True])
def test_in_the_hour_that_comes_twice_instants_tell(equal_is_a_day):
    first = datetime(2026, 10, 25, 2, 30, tzinfo=ZONE)
    again = datetime(2026, 10, 25, 2, 10, tzinfo=ZONE, fold=1)
    assert settle_end(first, again, equal_is_a_day=equal_is_a_day) == again


@pytest.mark.parametrize(
    "write", [write_sheet, write_sheet_with_end_date, write_sheet_of_moments, write_calendar, write_own_sheet]
)
def test_of_two_equal_clock_times_an_end_is_the_one_after_the_start(write):
    [event] = contents(*write("2026-10-25 02:45", "2026-10-25 02:15")).events
    [occasion] = event.occasions
    assert (occasion.end - occasion.start, occasion.note) == (timedelta(minutes=30), "")


def test_an_end_on_an_earlier_date_is_none():
    start = datetime(2026, 7, 28, 12, tzinfo=ZONE)
    assert settle_end(start, datetime(2026, 7, 27, 23, tzinfo=ZONE)) is None
    assert settle_end(start, datetime(2026, 7, 27, 12, tzinfo=ZONE), equal_is_a_day=True) is None
