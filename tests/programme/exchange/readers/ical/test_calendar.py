"""iCalendar files, whole and odd: components, lines and problems."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.exchange.readers.ical.calendar import read_calendar
from programme.exchange.readers.ical.lines import is_calendar
from programme.exchange.values import ImportDefaults, UnreadableFileError
from tests.programme.exchange.readers.ical.calendars import JAZZ, STOCKHOLM, calendar, contents, local, read


def test_a_component_becomes_an_entry():
    event = (
        "UID:42@fest.example", "SUMMARY;LANGUAGE=en-GB:Tea\\, and cake",
        "DESCRIPTION:A cup.\\n\\nOf tea\\; with \\\\ backslash.",
        "LOCATION:Kulturhuset\\nSergels torg 3\\nStockholm", "CATEGORIES:Drinks\\, hot,Food",
        "CATEGORIES:More", 'ORGANIZER;CN="Tea: the Society":mailto:tea@fest.example',
        "URL:https://fest.example/tea", "IMAGE;VALUE=URI:https://fest.example/tea.jpg", "STATUS:CONFIRMED",
        "DTSTART;TZID=Europe/Stockholm:20260728T150000", "DURATION:PT1H30M",
    )  # fmt: skip
    [event] = contents(event).events
    [occasion] = event.occasions
    assert event.key == event.source_id == "42@fest.example"
    assert (event.title, event.organizer) == ("Tea, and cake", "Tea: the Society")
    assert (event.language, event.type) == ("", "Drinks, hot; Food; More")
    texts = {"intro_en": "A cup.", "description_en": "Of tea; with \\ backslash."}
    address = "https://fest.example/tea"
    assert event.more == texts | {"external_url": address, "image_url": f"{address}.jpg"}
    assert (occasion.location, occasion.address, occasion.room) == (
        "Kulturhuset",
        "Sergels torg 3, Stockholm",
        "",
    )
    assert (occasion.guid, occasion.cancelled) == ("", False)
    assert f"{occasion.start:%d %H:%M}–{occasion.end:%H:%M}" == "28 13:00–14:30"


def test_the_calendar_names_the_source():
    head = ("X-WR-CALNAME:Sommarscenen", "X-WR-RELCALID:sommar26")
    conference = read(JAZZ, head=head).conference
    assert (conference.title, conference.acronym) == ("Sommarscenen", "sommar26")


def test_components_of_one_identifier_are_occasions_of_one_event():
    later = ("UID:jazz", "SUMMARY:Jazz", "DTSTART:20260729T180000Z", "DTEND:20260729T190000Z")
    [event] = contents(later, JAZZ).events
    assert [occasion.start.day for occasion in event.occasions] == [28, 29]


def test_without_identifiers_the_title_identifies_events():
    plain = [tuple(line.replace("20260728", day) for line in JAZZ[1:]) for day in ("20260728", "20260729")]
    assert [(event.key, len(event.occasions)) for event in contents(*plain).events] == [("Jazz", 2)]


def test_a_component_or_its_whole_calendar_is_cancelled():
    for found in (contents((*JAZZ, "STATUS:CANCELLED")), contents(JAZZ, head=("METHOD:CANCEL",))):
        [occasion] = found.events[0].occasions
        assert occasion.cancelled


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
    assert event.more["intro_sv"] == "One\ntwo words"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_letters_in_the_encodings_that_are_found(encoding):
    content = calendar((*JAZZ, "LOCATION:Skärgården")).decode().encode(encoding)
    assert is_calendar(content)
    [entry] = read_calendar(content, ImportDefaults(STOCKHOLM)).entries
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
def test_a_damaged_calendar_is_refused(content, says):
    with pytest.raises(UnreadableFileError, match=says):
        read_calendar(content, ImportDefaults(STOCKHOLM))


def test_other_components_and_private_events_are_reported():
    content = calendar(JAZZ, ("UID:tea", "CLASS:PRIVATE", *JAZZ[1:])).replace(
        b"END:VCALENDAR", b"BEGIN:VTODO\r\nSUMMARY:Buy tea\r\nEND:VTODO\r\nEND:VCALENDAR"
    )
    found = read_calendar(content, ImportDefaults(STOCKHOLM))
    assert [entry.title for entry in found.entries] == ["Jazz"]
    assert [(problem.where, problem.what) for problem in found.problems] == [
        ("line 1", "VTODO left out, because it is no event: 1"),
        ("line 1", "marked as private, and left out: 1 (make public what is to be imported)"),
    ]


def test_a_file_holds_several_calendars():
    other = ("UID:tea", "SUMMARY:Tea", *JAZZ[2:])
    found = read_calendar(calendar(JAZZ) + calendar(other), ImportDefaults(STOCKHOLM))
    assert [(entry.title, entry.place) for entry in found.entries] == [("Jazz", "line 3"), ("Tea", "line 12")]


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"<schedule/>", b"BEGIN", b"SUMMARY:Jazz", json.dumps({"a": 1}).encode()]
)
def test_another_beginning_is_no_calendar(content):
    assert not is_calendar(content)


@given(
    st.lists(
        st.sampled_from(
            [
                *JAZZ, "RRULE:FREQ=DAILY;COUNT=3", "RRULE:", "RRULE:FREQ=", "EXDATE:", "RDATE:,",
                "DTSTART;TZID=:x", "DTSTART;VALUE=DATE:99991231", "DTSTART:00010101T000000Z",
                "DTSTART:99991231T235959Z", "DURATION:P999999W", "RECURRENCE-ID:20260728T180000Z",
                "BEGIN:VALARM", "END:VALARM", "LOCATION", ";;;", ":", '"', "ORGANIZER;CN=", "UID:",
                " folded",
            ]
        )
        | st.text(max_size=20),
        max_size=12,
    )
)  # fmt: skip
def test_whatever_the_lines_are_a_file_is_read_or_refused_in_one_sentence(lines):
    try:
        found = contents(("X-FIRST:", *(re.sub(r"[\r\n]", "", line) for line in lines)), JAZZ)
    except UnreadableFileError:
        # Lines may close what they did not open.
        assert any("BEGIN" in line or "END" in line for line in lines)
    else:
        assert {event.title for event in found.events} | {problem.where for problem in found.problems}


def test_entities_of_a_website_are_decoded_once():
    event = (
        *("UID:rock", "SUMMARY:Rock &amp\\; pop &#8211\\; l&#xf6;rdag &amp;lt; R&B & AT&T;", JAZZ[2], JAZZ[3]),
        *("LOCATION:Caf&eacute; Ett\\nGatan 1 &amp; 3", "CATEGORIES:Rock &amp; pop", 'ORGANIZER;CN="A &amp; B":mailto:a@b.example'),
    )  # fmt: skip
    [found] = contents(event).events
    assert found.title == "Rock & pop – lördag &lt; R&B & AT&T;"
    assert (found.type, found.organizer) == ("Rock & pop", "A & B")
    assert (found.occasions[0].location, found.occasions[0].address) == ("Café Ett", "Gatan 1 & 3")
