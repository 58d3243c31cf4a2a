"""Documents are as the interface's lists say, and valid as their own standards say."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from io import StringIO
from pathlib import Path
from zoneinfo import ZoneInfo

import icalendar
import msgspec
import pytest
from django.utils.xmlutils import SimplerXMLGenerator
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from feeds.festival_time import FestivalTime
from feeds.formats import BY_EXTENSION
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.syndication import write_attribute, write_element
from feeds.vocabulary import Terms
from tests.conftest import NOW, SITE
from tests.feeds import parsers
from tests.feeds.parsers import ATOM
from tests.feeds.selections import build_listing
from tests.programmes import utc

ATOM_SCHEMA = etree.RelaxNG(etree.parse(Path(__file__).parent / "atom.rng"))
RSS_ATOM_LINK = f"{ATOM}link"

# Everything, nothing, what only English readers ask for, and a title of awkward characters.
QUERIES = [
    *("", "area=Tomten", "area=Finns inte <&]]>%00%ef%bf%be", "language=en&date=today"),
    "highlighted&date=2026-01-01/2026-12-31",
]


@pytest.fixture(params=QUERIES)
def listing(sample_programme: Programme, request: pytest.FixtureRequest) -> Listing:
    return build_listing(sample_programme, request.param)


def write(extension: str, listing: Listing) -> bytes:
    return BY_EXTENSION[extension]().write_events(listing)


def test_atom_is_valid(listing):
    feed = parsers.parse_xml(write("atom", listing))
    assert ATOM_SCHEMA.validate(feed), ATOM_SCHEMA.error_log


@pytest.mark.parametrize("extension", ["atom", "rss"])
def test_an_empty_feed_was_updated_when_the_festival_was_saved(sample_programme, extension):
    feed = parsers.parse_feed(write(extension, build_listing(sample_programme, "area=Tomten"))).feed
    assert feed.updated_parsed[:6] == (2026, 5, 1, 8, 0, 0)


@pytest.mark.parametrize(
    ("query", "withdrawn_at", "updated"),
    [
        ("organizer=3001", utc(2026, 7, 29, 1), (2026, 7, 29, 1, 0, 0)),
        ("organizer=3001", utc(2026, 7, 1), (2026, 7, 28, 12, 3, 12)),
        ("area=Tomten", utc(2026, 7, 1), (2026, 7, 1, 0, 0, 0)),
    ],
)
@pytest.mark.parametrize("extension", ["atom", "rss", "rss-wp"])
def test_a_feed_does_not_go_back_behind_a_withdrawal(
    sample_programme, extension, query, withdrawn_at, updated
):
    revision = msgspec.structs.replace(sample_programme.revision, withdrawn_at=withdrawn_at)
    programme = msgspec.structs.replace(sample_programme, revision=revision)
    feed = parsers.parse_feed(write(extension, build_listing(programme, query))).feed
    assert feed.updated_parsed[:6] == updated


@pytest.mark.parametrize(
    ("terms", "rights"),
    [
        (Terms(), None),
        (Terms(contact_name="Kansliet"), None),
        (Terms(license_name="CC0"), "Kulturnatten i Åsunda, CC0"),
        (Terms("CC BY", "https://x.example/?a&b"), "Kulturnatten i Åsunda, CC BY, https://x.example/?a&b"),
    ],
)
def test_feeds_have_the_licence_of_the_programme(sample_programme, terms, rights):
    festival = msgspec.structs.replace(sample_programme.festival, terms=terms)
    listing = build_listing(msgspec.structs.replace(sample_programme, festival=festival), "area=Tomten")
    atom = parsers.parse_xml(write("atom", listing))
    assert ATOM_SCHEMA.validate(atom), ATOM_SCHEMA.error_log
    assert atom.findtext(f"{ATOM}rights") == rights
    for extension in ("rss", "rss-wp"):
        assert parsers.parse_xml(write(extension, listing)).findtext("channel/copyright") == rights


# RFC 822, section 5, with the four-digit years of RSS 2.0 and the interface's numeric offset.
RFC_822 = re.compile(
    r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}"
    r" \d\d:\d\d:\d\d [+-]\d{4}"
)


@pytest.mark.parametrize("extension", ["rss", "rss-wp"])
def test_rss_keeps_the_rules_of_the_w3c_validator(listing, extension):
    (channel,) = parsers.parse_xml(write(extension, listing))
    # Not blank; a website; a date that can be a date (MissingDescription, InvalidRFC2822Date ...).
    assert all(channel.findtext(name).strip() for name in ("title", "description", "language"))
    assert channel.findtext("link") == "https://kulturnatten.example/"
    assert RFC_822.fullmatch(channel.findtext("lastBuildDate"))
    # MissingAtomSelfLink, SelfDoesntMatchLocation.
    assert dict(channel.find(RSS_ATOM_LINK).attrib) == {
        "href": listing.url(extension),
        "rel": "self",
        "type": "application/rss+xml",
    }
    guids = [item.find("guid") for item in channel.iter("item")]
    # DuplicateValue, NotHttpUrl.
    assert len({guid.text for guid in guids}) == len(guids)
    for item, guid in zip(channel.iter("item"), guids, strict=True):
        assert guid.attrib == {"isPermaLink": "true"}
        assert guid.text.startswith("https://")
        assert item.findtext("link").startswith("https://")
        assert item.findtext("title").strip()
        date = item.findtext("pubDate")
        assert RFC_822.fullmatch(date)
        # The day of the week is that of the date (InvalidRFC2822Date).
        assert f"{parsedate_to_datetime(date):%a}" == date[:3]
        assert [len(extra) for extra in item] == [0] * len(item)


OF_THE_INTERFACE = (
    *("UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY", "DESCRIPTION", "LOCATION", "CATEGORIES", "URL"),
)
CALENDARS = pytest.mark.parametrize("extension", ["ics", "ics-text"])


def properties(component: icalendar.Component) -> list[str]:
    listed = component.property_items(recursive=False, sorted=False)
    return [name for name, _value in listed if name not in ("BEGIN", "END")]


@CALENDARS
def test_a_calendar_is_valid(listing, extension):
    body = write(extension, listing)
    # Section 3.1: lines end in CRLF and are not longer than 75 octets, and no character is cut.
    assert body.endswith(b"END:VCALENDAR\r\n")
    assert body.count(b"\r\n") == body.count(b"\n") == body.count(b"\r")
    for line in body.split(b"\r\n"):
        assert len(line) <= 75
        line.decode()
    calendar = parsers.parse_calendar(body)
    # Section 3.6: at least one component; section 3.6.1: what an event must have and how often.
    assert calendar.subcomponents
    assert "METHOD" not in calendar
    events = calendar.walk("VEVENT")
    assert len({str(event["UID"]) for event in events}) == len(events)
    for event in events:
        assert event.errors == []
        assert event["DTEND"].dt > event["DTSTART"].dt
        names = properties(event)
        assert len(set(names)) == len(names)
        place = names.index("URL") + 1
        assert names[:place] == [each for each in OF_THE_INTERFACE if each in names]


@pytest.mark.parametrize(
    "zone",
    [
        *("UTC", "Europe/Stockholm", "Europe/Dublin", "America/Sao_Paulo", "Australia/Lord_Howe"),
        *("Europe/London", "Asia/Kolkata", "America/Havana"),
    ],
)
def test_the_zone_of_an_empty_calendar_has_its_onsets_by_the_clock_before(sample_programme, zone, ical_js):
    """Section 3.6.5: an onset is local time with the offset from which it leads away."""
    site = msgspec.structs.replace(SITE, time=FestivalTime(zone))
    empty = msgspec.structs.replace(sample_programme, site=site, occasions=())
    body = write("ics", build_listing(empty))
    assert ical_js(body)[0] == "vcalendar"
    [written] = parsers.parse_calendar(body).walk("VTIMEZONE")
    onsets = [
        ((start - each.TZOFFSETFROM).replace(tzinfo=UTC), each.TZOFFSETTO)
        for each in written.subcomponents
        for start in (each.DTSTART, *(start for start, _ in each.rdates))
    ]
    # Around each change of the clock in Stockholm, and at some hour of every ninth day for 66 years.
    moments = [
        datetime(1971, 1, 1, tzinfo=UTC) + number * timedelta(days=9, hours=5) for number in range(2_600)
    ]
    moments += [
        utc(2026, 3, 29, 0, 59, 59),
        utc(2026, 3, 29, 1),
        utc(2026, 10, 25, 0, 59, 59),
        utc(2026, 10, 25, 1),
    ]
    for moment in moments:
        offset = max(onset for onset in onsets if onset[0] <= moment)[1]
        assert offset == moment.astimezone(ZoneInfo(zone)).utcoffset()


@pytest.mark.parametrize("extension", parsers.PARSERS)
def test_a_festival_s_own_website_may_have_the_occasions_pages(sample_programme, extension):
    site = msgspec.structs.replace(
        SITE,
        occasion_url_sv="https://festival.example/program?id={id}&e={event_id}",
        occasion_url_en="https://festival.example/en/[{uuid}]",
    )
    elsewhere = msgspec.structs.replace(sample_programme, site=site)
    listing = build_listing(elsewhere, "room=Källaren")
    (facts,) = parsers.PARSERS[extension](write(extension, listing))
    assert facts["url"] == "https://festival.example/program?id=8002&e=7001"
    assert listing.snapshot.now == NOW


texts = st.lists(st.sampled_from([*"<>&\"'\n\t å🎷", "]]>", "&amp;", "a"])).map("".join)
values = st.dictionaries(st.sampled_from(["href", "term", "type"]), texts)


@given(texts, values)
def test_an_element_is_what_the_generator_writes(text, attributes):
    out = StringIO()
    SimplerXMLGenerator(out, "utf-8", short_empty_elements=True).addQuickElement("title", text, attributes)
    written = "".join(write_attribute(name, value) for name, value in sorted(attributes.items()))
    assert write_element("title", text, written) == out.getvalue()
