"""iCalendar files as they come: whole and odd, with times of every kind, and what the report says of them."""

import json
import re
from datetime import date

import pytest
from django.utils.translation import override
from hypothesis import given as sampled
from hypothesis import strategies as st

from feeds.festival_time import FestivalTime
from programme.schedules.grouping import contents_of
from programme.schedules.ical import is_calendar, read_calendar
from programme.schedules.values import Contents, Given, NotASchedule, Schedule

STOCKHOLM = FestivalTime("Europe/Stockholm", 4)
DAYS = frozenset(date(2026, 7, day) for day in range(28, 32))
JAZZ = ("UID:jazz", "SUMMARY:Jazz", "DTSTART:20260728T180000Z", "DTEND:20260728T190000Z")


@pytest.fixture(scope="module", autouse=True)
def _in_english():
    with override("en"):
        yield


def calendar(*events: tuple[str, ...], head: tuple[str, ...] = (), end: str = "\r\n") -> bytes:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", *head]
    for event in events:
        lines += ["BEGIN:VEVENT", *event, "END:VEVENT"]
    return end.join([*lines, "END:VCALENDAR", ""]).encode()


def read(*events: tuple[str, ...], days: frozenset[date] = DAYS, **more) -> Schedule:
    return read_calendar(calendar(*events, **more), Given(STOCKHOLM, days=days))


def contents(*events: tuple[str, ...], **more) -> Contents:
    return contents_of(read(*events, **more), STOCKHOLM.zone, "sv")


def local(*events: tuple[str, ...], **more) -> list[str]:
    """Return when and where the occasions take place, by the festival's wall clock."""
    return [
        f"{STOCKHOLM.local(each.start):%d %H:%M}–{STOCKHOLM.local(each.end):%d %H:%M}"
        for event in contents(*events, **more).events
        for each in event.occasions
    ]


def told(*events: tuple[str, ...], **more) -> list[tuple[str, str]]:
    return [(problem.where, problem.what) for problem in contents(*events, **more).problems]


# --- What becomes what ----------------------------------------------------------------------


def test_a_component_becomes_an_entry():
    event = (
        "UID:42@fest.example",
        "SUMMARY;LANGUAGE=en-GB:Tea\\, and cake",
        "DESCRIPTION:A cup.\\n\\nOf tea\\; with \\\\ backslash.",
        "LOCATION:Kulturhuset\\nSergels torg 3\\nStockholm",
        "CATEGORIES:Drinks\\, hot,Food",
        "CATEGORIES:More",
        'ORGANIZER;CN="Tea: the Society":mailto:tea@fest.example',
        "URL:https://fest.example/tea",
        "IMAGE;VALUE=URI:https://fest.example/tea.jpg",
        "STATUS:CONFIRMED",
        "DTSTART;TZID=Europe/Stockholm:20260728T150000",
        "DURATION:PT1H30M",
    )
    [event] = contents(event).events
    [occasion] = event.occasions
    assert event.key == event.source_id == "42@fest.example"
    assert (event.title, event.intro, event.description) == (
        "Tea, and cake",
        "A cup.",
        "Of tea; with \\ backslash.",
    )
    assert (event.text_language, event.language, event.type) == ("en", "", "Drinks, hot")
    assert (event.organizer, event.external_url) == ("Tea: the Society", "https://fest.example/tea")
    assert event.image_url == "https://fest.example/tea.jpg"
    assert (occasion.location, occasion.address, occasion.room) == (
        "Kulturhuset",
        "Sergels torg 3, Stockholm",
        "",
    )
    assert (occasion.guid, event.cancelled) == ("", False)
    assert f"{occasion.start:%d %H:%M}–{occasion.end:%H:%M}" == "28 13:00–14:30"


def test_the_calendar_names_the_source():
    head = ("X-WR-CALNAME:Sommarscenen", "X-WR-RELCALID:sommar26")
    conference = read(JAZZ, head=head).conference
    assert (conference.title, conference.acronym) == ("Sommarscenen", "sommar26")


def test_components_of_one_identifier_are_occasions_of_one_event():
    later = ("UID:jazz", "SUMMARY:Jazz", "DTSTART:20260729T180000Z", "DTEND:20260729T190000Z")
    [event] = contents(later, JAZZ).events
    assert [occasion.start.day for occasion in event.occasions] == [28, 29]


def test_without_identifiers_the_title_tells_events():
    plain = [tuple(line.replace("20260728", day) for line in JAZZ[1:]) for day in ("20260728", "20260729")]
    assert [(event.key, len(event.occasions)) for event in contents(*plain).events] == [("Jazz", 2)]


def test_a_cancelled_component_is_a_cancelled_event():
    [event] = contents((*JAZZ, "STATUS:CANCELLED")).events
    assert event.cancelled
    [event] = contents(JAZZ, head=("METHOD:CANCEL",)).events
    assert event.cancelled


# --- Lines ----------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
def test_lines_end_as_they_like(end):
    assert local(JAZZ, end=end) == ["28 20:00–28 21:00"]


@pytest.mark.parametrize(
    "lines",
    [
        ("SUMMARY\r\n :Jazz on\r\n  deck", *JAZZ[2:]),
        ("", "SUMMARY:Jazz\r\n\t on deck", "", *JAZZ[2:]),
        ("summary ; language=en :Jazz on deck", *JAZZ[2:]),
        ("SUMMARY:Jazz \r\n\r\n on deck", *JAZZ[2:]),
    ],
)
def test_folded_lines(lines):
    assert [event.title for event in contents(lines).events] == ["Jazz on deck"]


def test_a_line_that_should_have_been_folded_goes_on_with_the_text():
    [event] = contents((*JAZZ, "DESCRIPTION:One", "two words")).events
    assert event.intro == "One\ntwo words"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_letters_in_the_encodings_that_are_found(encoding):
    content = calendar((*JAZZ, "LOCATION:Skärgården")).decode().encode(encoding)
    assert is_calendar(content)
    [entry] = read_calendar(content, Given(STOCKHOLM)).entries
    assert entry.location == "Skärgården"


def test_a_quote_that_ends_too_late_holds_no_value():
    assert local((*JAZZ[:2], 'DTSTART;TZID="W. Europe Standard Time:20260728T200000"', "DURATION:PT1H")) == [
        "28 20:00–28 21:00"
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Jazz\n", "cut off: the VEVENT of line 2 does not end"),
        (b"BEGIN:VCALENDAR\nEND:VEVENT\n", "line 2 ends VEVENT inside of VCALENDAR"),
        (b"BEGIN:VCARD\nEND:VCARD\n", "it holds no calendar"),
        (calendar(), "it names no event"),
        (calendar((*JAZZ, "RRULE:FREQ=DAILY")), "line 3.*which days the festival has"),
    ],
)
def test_what_is_no_calendar_is_refused(content, says):
    with pytest.raises(NotASchedule, match=says):
        read_calendar(content, Given(STOCKHOLM))


# --- Times ----------------------------------------------------------------------------------


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
        ('DTSTART;TZID="(GMT+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm":20260728T200000', "28 20:00"),
        ('DTSTART;TZID="(UTC-05:00) Eastern Time (US & Canada)":20260728T140000', "28 20:00"),
        ('DTSTART;TZID="(UTC+03:00) Nowhere, Nohow":20260728T210000', "28 20:00"),
        ("DTSTART:2026-07-28T20:00", "28 20:00"),
        ("DTSTART:20260728T240000", "29 00:00"),
    ],
)
def test_a_start_in_any_zone(start, expected):
    assert local((*JAZZ[:2], start, "DURATION:PT1H"))[0].partition("–")[0] == expected
    assert told((*JAZZ[:2], start, "DURATION:PT1H")) == []


def test_floating_times_are_the_calendars():
    head = ("X-WR-TIMEZONE:Europe/Helsinki",)
    assert local((*JAZZ[:2], "DTSTART:20260728T210000", "DURATION:PT1H"), head=head) == ["28 20:00–28 21:00"]


def test_an_unknown_zone_is_told_and_the_festivals_taken():
    event = (*JAZZ[:2], "DTSTART;TZID=Narnia:20260728T200000", "DURATION:PT1H")
    assert local(event) == ["28 20:00–28 21:00"]
    assert told(event) == [("line 6", "the time zone “Narnia” is not known; Europe/Stockholm taken")]


OWN_ZONE = """BEGIN:VTIMEZONE
TZID:Customized Time Zone
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0400
TZOFFSETTO:+0300
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0300
TZOFFSETTO:+0400
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE""".splitlines()


@pytest.mark.parametrize(
    ("start", "utc"),
    [
        ("20260728T200000", "2026-07-28T16:00:00+00:00"),
        ("20260128T200000", "2026-01-28T17:00:00+00:00"),
        ("20261024T200000", "2026-10-24T16:00:00+00:00"),
        ("20261025T200000", "2026-10-25T17:00:00+00:00"),
    ],
)
def test_a_zone_that_the_file_describes_itself(start, utc):
    event = (*JAZZ[:2], f"DTSTART;TZID=Customized Time Zone:{start}", "DURATION:PT1H")
    [entry] = read(event, head=tuple(OWN_ZONE)).entries
    assert entry.date == utc


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        (("DTSTART;VALUE=DATE:20260728",), "28 04:00–29 04:00"),
        (("DTSTART;VALUE=DATE:20260728", "DTEND;VALUE=DATE:20260730"), "28 04:00–30 04:00"),
        (("DTSTART;VALUE=DATE:20260728", "DTEND;VALUE=DATE:20260728"), "28 04:00–29 04:00"),
        (("DTSTART:20260728", "DURATION:P2D"), "28 04:00–30 04:00"),
        (("DTSTART;TZID=Europe/Stockholm:20260728", "DURATION:PT86400S"), "28 04:00–29 04:00"),
    ],
)
def test_a_day_without_a_time_is_the_whole_festival_day(times, expected):
    event = (*JAZZ[:2], *times)
    assert local(event) == [expected]
    assert told(event) == [("Jazz (line 3)", "has no time of day, and stands for the whole festival day")]


@pytest.mark.parametrize("end", [(), ("DTEND:20260728T180000Z",), ("DTEND:soon",), ("DURATION:-PT1H",)])
def test_without_a_usable_end_half_an_hour_is_taken_and_told(end):
    event = (*JAZZ[:3], *end)
    assert local(event) == ["28 20:00–28 20:30"]
    [(where, what)] = told(event)
    assert where == "Jazz (line 3)"
    assert "30 minutes taken" in what


def test_what_has_no_start_or_title_is_left_out_and_told_by_its_line():
    no_start = ("UID:1", "SUMMARY:When?", "DTSTART:sometime")
    no_title = ("UID:2", "DTSTART:20260728T180000Z")
    assert all(problem.left_out for problem in contents(JAZZ, no_start, no_title).problems)
    assert told(JAZZ, no_start, no_title) == [
        ("When? (line 9)", "left out, because its start cannot be read: “sometime”"),
        ("line 14", "left out, because it has no title"),
    ]


# --- Recurring ------------------------------------------------------------------------------


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
    ],
)
def test_what_recurs_is_taken_on_the_festivals_days(lines, expected):
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


def test_times_outside_of_the_festival_are_counted():
    assert told((*JAZZ, "RRULE:FREQ=DAILY;COUNT=6")) == [
        ("Jazz (line 3)", "4 of its times are on festival days; 2 others are left out")
    ]


def test_the_festivals_night_belongs_to_its_day():
    late = (*JAZZ[:2], "DTSTART;TZID=Europe/Stockholm:20260728T010000", "DURATION:PT1H", "RRULE:FREQ=DAILY")
    assert [time[:5] for time in local(late)] == ["29 01", "30 01", "31 01", "01 01"]


def test_exceptions_move_rename_and_cancel_single_times():
    series = (*JAZZ, "RRULE:FREQ=DAILY")
    moved = (
        "UID:jazz",
        "RECURRENCE-ID:20260729T180000Z",
        "SUMMARY:Jazz",
        "DTSTART:20260729T200000Z",
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


def test_an_exception_may_be_for_all_that_follow():
    series = (*JAZZ, "RRULE:FREQ=DAILY")
    later = (
        "UID:jazz",
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20260730T180000Z",
        "SUMMARY:Jazz",
        "DTSTART:20260730T190000Z",
        "DURATION:PT2H",
    )
    assert local(series, later) == [
        "28 20:00–28 21:00",
        "29 20:00–29 21:00",
        "30 21:00–30 23:00",
        "31 21:00–31 23:00",
    ]


def test_exceptions_from_days_without_a_time():
    series = (*JAZZ[:2], "DTSTART;VALUE=DATE:20260728", "RRULE:FREQ=DAILY;COUNT=2")
    moved = ("UID:jazz", "RECURRENCE-ID:20260729T000000Z", "SUMMARY:Jazz", "DTSTART;VALUE=DATE:20260730")
    assert local(series, moved) == ["28 04:00–29 04:00", "30 04:00–31 04:00"]


def test_an_exception_alone_is_an_occasion():
    alone = (
        "UID:jazz",
        "RECURRENCE-ID:20260729T180000Z",
        "SUMMARY:Jazz",
        "DTSTART:20260729T200000Z",
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
        ("FREQ=SECONDLY", DAYS, "it recurs more than 2000 times"),
        ("FREQ=SECONDLY;COUNT=999999", frozenset(), "it recurs more than 2000 times"),
        ("FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;COUNT=9", DAYS, "would take too long to follow"),
        ("FREQ=YEARLY;BYWEEKNO=20", DAYS, "BYWEEKNO"),
        ("FREQ=DAILY;UNTIL=never", DAYS, "the end of its rule cannot be read: NEVER"),
    ],
)
def test_a_rule_that_cannot_be_followed_leaves_its_event_out(rule, days, says, monkeypatch):
    monkeypatch.setattr("programme.schedules.ical._EFFORT", 20_000)
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


# --- The rest -------------------------------------------------------------------------------


def test_what_is_no_event_and_what_is_private_is_told():
    content = calendar((*JAZZ, "CLASS:PRIVATE")).replace(
        b"END:VCALENDAR", b"BEGIN:VTODO\r\nSUMMARY:Buy tea\r\nEND:VTODO\r\nEND:VCALENDAR"
    )
    problems = read_calendar(content, Given(STOCKHOLM)).problems
    assert [(problem.where, problem.what) for problem in problems] == [
        ("line 1", "VTODO left out, because it is no event: 1"),
        ("line 1", "marked as private, but taken like the others: 1"),
    ]


def test_a_file_holds_several_calendars():
    other = ("UID:tea", "SUMMARY:Tea", *JAZZ[2:])
    found = read_calendar(calendar(JAZZ) + calendar(other), Given(STOCKHOLM))
    assert [(entry.title, entry.place) for entry in found.entries] == [("Jazz", "line 3"), ("Tea", "line 12")]


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"<schedule/>", b"BEGIN", b"SUMMARY:Jazz", json.dumps({"a": 1}).encode()]
)
def test_what_does_not_begin_like_a_calendar_is_none(content):
    assert not is_calendar(content)


@sampled(
    st.lists(
        st.sampled_from(
            [
                *JAZZ,
                "RRULE:FREQ=DAILY;COUNT=3",
                "RRULE:",
                "RRULE:FREQ=",
                "EXDATE:",
                "RDATE:,",
                "DTSTART;TZID=:x",
                "DTSTART;VALUE=DATE:99991231",
                "DTSTART:00010101T000000Z",
                "DTSTART:99991231T235959Z",
                "DURATION:P999999W",
                "RECURRENCE-ID:20260728T180000Z",
                "BEGIN:VALARM",
                "END:VALARM",
                "LOCATION",
                ";;;",
                ":",
                '"',
                "ORGANIZER;CN=",
                "UID:",
                " folded",
                "RECURRENCE-ID;RANGE=THISANDFUTURE:20260728T180000Z",
            ]
        )
        | st.text(max_size=20),
        max_size=12,
    )
)
def test_whatever_the_lines_are_a_file_is_read_or_refused_in_one_sentence(lines):
    try:
        found = contents(("X-FIRST:", *(re.sub(r"[\r\n]", "", line) for line in lines)), JAZZ)
    except NotASchedule:
        # Lines may close what they did not open.
        assert any("BEGIN" in line or "END" in line for line in lines)
    else:
        assert {event.title for event in found.events} | {problem.where for problem in found.problems}
