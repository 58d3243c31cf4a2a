"""Conference schedules by festival days and rooms: schedule.xml and schedule.json, the dialects of frab.

The C3VOC maintains their schemas (voc/schedule); pretalx and the apps of conferences read them.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, UUID, uuid5
from xml.sax.saxutils import quoteattr

from django.utils.encoding import iri_to_uri, punycode
from django.utils.text import slugify
from msgspec import Raw, json

from feeds.festival_time import ONE_DAY
from feeds.formats.base import Format
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.syndication import escape, write_element
from feeds.vocabulary import Event, LanguageCode, Occasion, Site, Text
from feeds.wording import WORDS

GENERATOR, VERSION = "Festival programme", "1"
SLOT = "00:05"
_SHORTEST_ACRONYM, _LONGEST_ACRONYM, _LONGEST_SLUG = 4, 30, 40
_MOST_DAYS = 23
# Groups: the scheme with user information, the host, the port with the rest.
_WEB_ADDRESS = re.compile(r"(https?://(?:[^/?#]*@)?)([^/?#:]*)(.*)", re.DOTALL)

# In the order of frab's own files.
_ELEMENTS = (
    *("room", "title", "subtitle", "type", "date", "start", "duration", "abstract", "slug", "track", "logo"),
    *("language", "description"),
)


class ScheduleDay(NamedTuple):
    """A festival day with its rooms by name, each with its occasions in order."""

    number: int
    date: date
    begins: datetime
    ends: datetime
    rooms: dict[str, list[Occasion]]


class FrabSchedule:
    """A conference with the festival days on which something begins, at least one."""

    def __init__(self, listing: Listing) -> None:
        self.acronym = build_acronym(listing)
        self.version = f"{listing.modified:%Y-%m-%d %H:%M}"
        self.days = _days(listing)
        self.guids = _identify_rooms(listing)


def build_acronym(listing: Listing) -> str:
    """Return the festival's name in small letters and digits, with its year, the same in each selection."""
    programme = listing.snapshot.programme
    year = f"{_first_day(listing).year}" if programme.occasions else ""
    name = slugify(programme.festival.name.within("sv")).replace("-", "_")[:_LONGEST_ACRONYM].strip("_")
    return f"{name}{year}".ljust(_SHORTEST_ACRONYM, "_")


def _first_day(listing: Listing) -> date:
    """Return the programme's first festival day; without any, the one on which the festival was saved."""
    programme = listing.snapshot.programme
    if not programme.occasions:
        return listing.site.time.day_of(programme.festival.saved_at)
    return programme.span(programme.occasions[0]).day


def _days(listing: Listing) -> list[ScheduleDay]:
    time, programme = listing.site.time, listing.snapshot.programme
    found: dict[date, dict[str, list[Occasion]]] = defaultdict(lambda: defaultdict(list))
    for occasion in listing.occasions:
        found[programme.span(occasion).day][name_room(occasion)].append(occasion)
    # The schema of XML demands a day, with its dates.
    days = sorted(found) or [_first_day(listing)]

    def begin(day: date) -> datetime:
        return time.local(time.day_begins(day))

    return [
        ScheduleDay(number, day, begin(day), begin(day + ONE_DAY), found[day])
        for number, day in enumerate(days, start=1)
    ]


def name_room(occasion: Occasion) -> str:
    """Return the name of the room of a place; the formats have only rooms, and require one."""
    return occasion.place.full_name if occasion.place else occasion.event.area.name


def _identify_rooms(listing: Listing) -> dict[str, UUID]:
    """Return the guids of rooms by name, the same in each selection; rooms of the same name are one."""
    found: dict[str, tuple[str, int]] = {}
    for occasion in listing.snapshot.programme.occasions:
        name, place = name_room(occasion), occasion.place
        row = ("location", place.location.id) if place else ("area", occasion.event.area.id)
        if place and place.room:
            row = "room", place.room.id
        found[name] = min(found.get(name, row), row)
    return {
        name: uuid5(NAMESPACE_URL, f"{listing.site.base_url}/{kind}/{key}")
        for name, (kind, key) in found.items()
    }


def describe(occasion: Occasion, acronym: str, site: Site, language: LanguageCode) -> dict[str, str]:
    """Return the texts of an occasion by their names in both dialects, in JSON's order."""
    event, fitted = occasion.event, _fit_event(occasion.event)
    start = site.time.span(occasion.start, occasion.end).start
    # The format has no other place for a cancellation.
    prefix = f"[{WORDS[language].cancelled}] " if occasion.cancelled else ""
    return {
        "room": name_room(occasion),
        "title": prefix + event.title,
        "subtitle": event.intro.within(language),
        "type": event.type.name.within(language),
        "date": start.isoformat(),
        "start": start.isoformat()[11:16],
        "duration": format_duration(occasion.end - occasion.start),
        "abstract": event.description.within(language),
        "slug": f"{acronym}-{occasion.id}-{fitted.slug}",
        "track": event.area.name,
        "logo": fitted.logo,
        "language": event.language.code if event.language else "",
        "url": site.occasion_url(occasion.identity, language),
    }


class FittedEvent(NamedTuple):
    """The texts of an event that the schemas demand in ASCII."""

    slug: str
    logo: str
    link: str


@memoize
def _fit_event(event: Event) -> FittedEvent:
    words = re.sub("[^a-z0-9]+", "-", slugify(event.title))[:_LONGEST_SLUG].strip("-")
    # With the acronym and the number a slug must have four characters or more.
    slug = words if len(words) > 1 else "programme"
    return FittedEvent(slug, _uri(event.image_url), _uri(event.external_url))


def _uri(address: str) -> str:
    """Return a web address in ASCII, as the schemas require, with its host in IDNA; '' for any other text."""
    found = _WEB_ADDRESS.fullmatch(address)
    if not found:
        return ""
    scheme, host, rest = found.groups()
    with suppress(UnicodeError):
        host = punycode(host)
    return iri_to_uri(scheme + host + rest).replace("[", "%5B").replace("]", "%5D")


def format_duration(length: timedelta) -> str:
    """Return a duration in hours and minutes, `01:30`; begun minutes count."""
    hours, minutes = divmod(-(-length // timedelta(minutes=1)), 60)
    return f"{hours:02}:{minutes:02}"


def write_days(duration: str) -> str:
    """Return a duration with days from 24 hours on, `2:06:00`; at most the longest that Giggity loads."""
    hours, minutes = map(int, duration.split(":"))
    days, rest = divmod(hours, 24)
    if days > _MOST_DAYS:
        return f"{_MOST_DAYS}:23:59"
    return f"{days}:{rest:02}:{minutes:02}" if days else duration


class FrabXmlFormat(Format):
    extension = "frab-xml"
    # Apps ask for it by its address alone; for this type `Accept` chooses Atom.
    media_types = ()
    sent_as = "application/xml"
    rank = 82
    label = Text(sv="frab XML", en="frab XML")
    purpose = Text(sv="för konferensappar (Giggity, Fahrplan)", en="for conference apps (Giggity, Fahrplan)")
    depends_on_time = False

    def write_events(self, listing: Listing) -> bytes:
        built = FrabSchedule(listing)
        conference = {
            "title": listing.title,
            "acronym": built.acronym,
            "start": str(built.days[0].date),
            "end": str(built.days[-1].date),
            "days": str(len(built.days)),
            "timeslot_duration": SLOT,
            "base_url": f"{listing.site.base_url}/",
            "time_zone_name": listing.site.time.zone_name,
        }
        lines = [
            '<?xml version="1.0" encoding="utf-8"?>',
            "<schedule>",
            f"  <generator name={quoteattr(GENERATOR)} version={quoteattr(VERSION)}/>",
            f"  <version>{built.version}</version>",
            "  <conference>",
            *(f"    <{name}>{escape(text)}</{name}>" for name, text in conference.items()),
            "  </conference>",
        ]
        days = (line for day in built.days for line in _day_in_xml(day, built, listing))
        return b"\n".join(("\n".join(lines).encode(), *days, b"</schedule>\n"))


def _day_in_xml(day: ScheduleDay, built: FrabSchedule, listing: Listing) -> Iterator[bytes]:
    span = f'start="{day.begins.isoformat()}" end="{day.ends.isoformat()}"'
    yield f'  <day index="{day.number}" date="{day.date}" {span}>'.encode()
    for name, occasions in day.rooms.items():
        yield f'    <room name={quoteattr(name)} guid="{built.guids[name]}">'.encode()
        for occasion in occasions:
            yield _event_in_xml(occasion, built.acronym, listing.site, listing.language)
        yield b"    </room>"
    yield b"  </day>"


@memoize
def _event_in_xml(occasion: Occasion, acronym: str, site: Site, language: LanguageCode) -> bytes:
    texts = describe(occasion, acronym, site, language) | {"description": ""}
    texts["duration"] = write_days(texts["duration"])
    lines = [f'      <event id="{occasion.id}" guid="{occasion.identity.uuid}">']
    lines += (f"        {write_element(name, texts[name])}" for name in _ELEMENTS)
    organizer = occasion.event.organizer
    person = write_element("person", organizer.name, f' id="{organizer.id}"') if organizer else ""
    # Readers of this format require the element.
    lines.append(f"        <persons>{person}</persons>")
    if link := _fit_event(occasion.event).link:
        lines.append(f"        <links><link href={quoteattr(link)}>{escape(link)}</link></links>")
    lines += [f"        {write_element('url', texts['url'])}", "      </event>"]
    return "\n".join(lines).encode()


class FrabJsonFormat(Format):
    extension = "frab-json"
    media_types = ()
    sent_as = "application/json"
    rank = 84
    label = Text(sv="frab JSON", en="frab JSON")
    purpose = Text(
        sv="samma schema för nyare konferensappar", en="the same schedule for newer conference apps"
    )
    depends_on_time = False

    def write_events(self, listing: Listing) -> bytes:
        built = FrabSchedule(listing)
        conference = {
            "acronym": built.acronym,
            "title": listing.title,
            "start": built.days[0].date,
            "end": built.days[-1].date,
            "daysCount": len(built.days),
            "timeslot_duration": SLOT,
            "time_zone_name": listing.site.time.zone_name,
            "rooms": [
                {"name": name, "guid": built.guids[name]}
                for name in dict.fromkeys(name for day in built.days for name in day.rooms)
            ],
            "days": [_day_in_json(day, built.acronym, listing) for day in built.days],
        }
        base_url = f"{listing.site.base_url}/"
        schedule = {"version": built.version, "base_url": base_url, "conference": conference}
        generator = {"name": GENERATOR, "version": VERSION}
        return json.encode({"generator": generator, "schedule": schedule})


def _day_in_json(day: ScheduleDay, acronym: str, listing: Listing) -> dict[str, Any]:
    return {
        "index": day.number,
        "date": day.date,
        "day_start": day.begins.isoformat(),
        "day_end": day.ends.isoformat(),
        "rooms": {
            name: [Raw(_event_in_json(each, acronym, listing.site, listing.language)) for each in occasions]
            for name, occasions in day.rooms.items()
        },
    }


@memoize
def _event_in_json(occasion: Occasion, acronym: str, site: Site, language: LanguageCode) -> bytes:
    organizer, link = occasion.event.organizer, _fit_event(occasion.event).link
    return json.encode(
        {
            "id": occasion.id,
            "guid": occasion.identity.uuid,
            **describe(occasion, acronym, site, language),
            "description": "",
            "persons": [{"id": organizer.id, "public_name": organizer.name}] if organizer else [],
            "links": [{"type": "web", "url": link, "title": link}] if link else [],
            "attachments": [],
        }
    )
