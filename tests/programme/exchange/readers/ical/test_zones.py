"""Times of iCalendar files: zones of every kind, floating ones, whole days."""

import pytest

from tests.programme.exchange.readers.ical.calendars import JAZZ, contents, find_problems, local


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("DTSTART:20260728T180000Z", "28 20:00"),
        ("DTSTART:20260728T200000", "28 20:00"),
        ("DTSTART;VALUE=DATE:20260728T200000", "28 20:00"),
        ("DTSTART;TZID=Europe/Helsinki:20260728T210000", "28 20:00"),
        ("DTSTART;TZID=europe/helsinki:20260728T210000", "28 20:00"),
        ("DTSTART;TZID=W. Europe Standard Time:20260728T200000", "28 20:00"),
        ("DTSTART;TZID=/mozilla.org/20070129_1/Europe/Helsinki:20260728T210000", "28 20:00"),
        ("DTSTART:2026-07-28T20:00", "28 20:00"),
        ("DTSTART:20260728T240000", "29 00:00"),
    ],
)
def test_a_start_in_any_zone(start, expected):
    assert local((*JAZZ[:2], start, "DURATION:PT1H"))[0].partition("–")[0] == expected
    assert find_problems((*JAZZ[:2], start, "DURATION:PT1H")) == []


def test_floating_times_are_the_calendars():
    head = ("X-WR-TIMEZONE:Europe/Helsinki",)
    assert local((*JAZZ[:2], "DTSTART:20260728T210000", "DURATION:PT1H"), head=head) == ["28 20:00–28 21:00"]


def test_an_unknown_zone_is_reported_and_the_festivals_taken():
    event = (*JAZZ[:2], "DTSTART;TZID=Narnia:20260728T200000", "DURATION:PT1H")
    assert local(event) == ["28 20:00–28 21:00"]
    assert find_problems(event) == [("line 6", "the time zone “Narnia” is not known; Europe/Stockholm taken")]


def describe_zone(name: str, standard: str, daylight: str, rules: tuple[str, str]) -> tuple[str, ...]:
    """Return a VTIMEZONE as Outlook writes it."""
    parts = (("STANDARD", daylight, standard, rules[0]), ("DAYLIGHT", standard, daylight, rules[1]))
    lines = [
        (f"BEGIN:{part}", "DTSTART:16010101T020000", f"TZOFFSETFROM:{before}", f"TZOFFSETTO:{after}", rule)
        for part, before, after, rule in parts
    ]
    ends = [*lines[0], "END:STANDARD", *lines[1], "END:DAYLIGHT"]
    return ("BEGIN:VTIMEZONE", f"TZID:{name}", *filter(None, ends), "END:VTIMEZONE")


EUROPEAN = ("RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3")
NEVER = ("", "")


@pytest.mark.parametrize(
    ("name", "zone", "expected"),
    [
        ("Customized Time Zone", ("+0000", "+0100", EUROPEAN), "28 21:00"),
        # What is called so in the east of Australia.
        ("Eastern Standard Time", ("+1000", "+1000", NEVER), "28 12:00"),
        ("EST", ("+1000", "+1000", NEVER), "28 12:00"),
        ("Etc/GMT+10", ("+1000", "+1000", NEVER), "28 12:00"),
        ("(UTC+01:00) Stockholm", ("+020000", "+030000", EUROPEAN), "28 19:00"),
        ("/own.example/Europe/Stockholm", ("+0200", "+0300", EUROPEAN), "28 19:00"),
        # Its place is named, and the description one of a winter.
        ("Europe/Stockholm", ("+0100", "+0100", NEVER), "28 20:00"),
        # Not followed: the name is what is left.
        ("W. Europe Standard Time", ("+0900", "+9900", EUROPEAN), "28 20:00"),
        ("W. Europe Standard Time", ("+0900", "+0900", ("RRULE:FREQ=SECONDLY;BYMONTH=1", "")), "28 20:00"),
        ("W. Europe Standard Time", ("", "", EUROPEAN), "28 20:00"),
        (
            "W. Europe Standard Time",
            ("+0900", "+0900", ("RRULE:FREQ=YEARLY;BYMONTH=1;BYDAY=XX", "")),
            "28 20:00",
        ),
    ],
)
def test_the_files_own_description_goes_before_a_guess_from_the_name(name, zone, expected):
    head = describe_zone(name, *zone)
    start = f'DTSTART;TZID="{name}":20260728T200000'
    assert local((*JAZZ[:2], start, "DURATION:PT1H"), head=head)[0].partition("–")[0] == expected
    series = (*JAZZ[:2], start, "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=2")
    assert [each.partition("–")[0] for each in local(series, head=head)] == [
        expected, expected.replace("28", "29", 1)
    ]  # fmt: skip
    assert find_problems((*JAZZ[:2], start, "DURATION:PT1H"), head=head) == []


def test_a_described_zone_has_its_winter_and_its_summer():
    head = describe_zone("Customized Time Zone", "+0000", "+0100", EUROPEAN)
    winter = (*JAZZ[:2], "DTSTART;TZID=Customized Time Zone:20261128T190000", "DURATION:PT1H")
    assert local(winter, head=head) == ["28 20:00–28 21:00"]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        (("DTSTART;VALUE=DATE:20260728",), "28 04:00–28 23:59"),
        (("DTSTART;VALUE=DATE:20260728", "DTEND;VALUE=DATE:20260730"), "28 04:00–29 23:59"),
        (("DTSTART;VALUE=DATE:20260728", "DTEND;VALUE=DATE:20260728"), "28 04:00–28 23:59"),
        (("DTSTART:20260728", "DURATION:P2D"), "28 04:00–29 23:59"),
        (("DTSTART;TZID=Europe/Stockholm:20260728", "DURATION:PT86400S"), "28 04:00–28 23:59"),
    ],
)
def test_a_day_without_a_time_is_the_whole_festival_day_and_ends_on_it(times, expected):
    event = (*JAZZ[:2], *times)
    assert local(event) == [expected]
    assert find_problems(event) == [
        ("Jazz (line 3)", "has no time of day, and stands for the whole festival day")
    ]


@pytest.mark.parametrize("end", [(), ("DTEND:20260728T180000Z",), ("DTEND:soon",), ("DURATION:-PT1H",)])
def test_without_a_usable_end_half_an_hour_is_taken_and_reported(end):
    event = (*JAZZ[:3], *end)
    assert local(event) == ["28 20:00–28 20:30"]
    [(where, what)] = find_problems(event)
    assert where == "Jazz (line 3)"
    assert "30 minutes assumed" in what


def test_a_component_without_start_or_title_is_left_out_and_reported_by_its_line():
    no_start = ("UID:1", "SUMMARY:When?", "DTSTART:sometime")
    no_title = ("UID:2", "DTSTART:20260728T180000Z")
    assert all(problem.left_out for problem in contents(JAZZ, no_start, no_title).problems)
    assert find_problems(JAZZ, no_start, no_title) == [
        ("When? (line 9)", "left out, because its start cannot be read: “sometime”"),
        ("line 14", "left out, because it has no title"),
    ]


@pytest.mark.parametrize(
    "times",
    [
        ("DTSTART:99991231T230000",),
        ("DTSTART:99991231T230000Z", "DTEND:99991231T235959Z"),
        ("DTSTART:25000101T100000",),
        ("DTSTART:00010101T000000",),
        ("DTSTART;VALUE=DATE:99991231",),
        ("DTSTART:99991231T230000", "RRULE:FREQ=DAILY;COUNT=3"),
        ("DTSTART:21991231T235000Z",),
    ],
)
def test_a_year_that_cannot_be_stored_is_refused(times):
    other = ("UID:o", "SUMMARY:Other", *times)
    assert find_problems(JAZZ, other) == [
        ("Other (line 9)", "left out: check the year: it must be from 1900 to 2199")
    ]
    assert [event.title for event in contents(JAZZ, other).events] == ["Jazz"]
