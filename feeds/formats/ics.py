"""iCalendar (RFC 5545, RFC 7986): one VEVENT per occasion; as a calendar, or as plain text.

The icalendar library writes the same lines (a test compares them) 15 times as slowly: it folds one
character at a time, and the first .ics after a start waits for each line of the programme.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Timezone, vDDDLists

from feeds.formats.base import Format
from feeds.listing import Listing, RemovedOccasion
from feeds.memoization import memoize
from feeds.programme import Programme
from feeds.selection import Cancelled
from feeds.syndication import category_names, summarize
from feeds.vocabulary import LanguageCode, Occasion, Site, Text
from feeds.wording import WORDS, format_booking_link, format_change, format_urgent

# Octets of a line, and of a continuation line after its blank.
LONGEST = 74
# The octets of UTF-8 that do not begin a character.
FIRST_FOLLOWING, LAST_FOLLOWING = 0x80, 0xBF
# In this order, so that no backslash is escaped twice.
_ESCAPES = (("\\", r"\\"), (";", r"\;"), (",", r"\,"), ("\r\n", r"\n"), ("\n", r"\n"), ("\r", r"\n"))


def escape_text(text: str) -> str:
    """Return a text as a value of type TEXT."""
    for plain, escape in _ESCAPES:
        text = text.replace(plain, escape)
    return text


def format_instant(moment: datetime) -> str:
    """Return a moment as a DATE-TIME in UTC, in whole seconds: `20260729T120000Z`."""
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def fold_line(line: str) -> bytes:
    """Return a content line in UTF-8 with its CRLF, never folded inside a character or an escape."""
    octets = line.encode()
    if len(octets) <= LONGEST:
        return octets + b"\r\n"
    parts = []
    begin = 0
    while len(octets) - begin > LONGEST:
        end = begin + LONGEST
        while FIRST_FOLLOWING <= octets[end] <= LAST_FOLLOWING:
            end -= 1
        # An odd number of backslashes begins an escape, and some calendars unescape before they unfold.
        end -= (end - begin - len(octets[begin:end].rstrip(b"\\"))) % 2
        parts.append(octets[begin:end])
        begin = end
    return b"\r\n ".join((*parts, octets[begin:])) + b"\r\n"


PRODUCER = "-//Festival programme//Programme publishing service//SV"
REFRESHED_EVERY = "PT6H"
# An occasion's SEQUENCE is the whole seconds from this instant to its last modification.
SEQUENCES_BEGIN = datetime(2020, 1, 1, tzinfo=UTC)
END = b"END:VCALENDAR\r\n"


class CalendarFormat(Format):
    extension = "ics"
    media_types = ("text/calendar",)
    rank = 50
    label = Text(sv="iCalendar", en="iCalendar")
    purpose = Text(sv="för kalendrar", en="for calendars")
    depends_on_time = False
    is_file = True
    takes_cancelled = True

    @staticmethod
    def prepare(programme: Programme, occasions: Iterable[Occasion]) -> None:
        """Write the occasions of Swedish calendars, before the first request."""
        for each in occasions:
            _event(each, programme.site, "sv", None)

    def write_events(self, listing: Listing) -> bytes:
        way, site, language = listing.selection.cancelled, listing.site, listing.language
        events = [_event(each, site, language, way if each.cancelled else None) for each in listing.occasions]
        events += (_removed(each) for each in listing.removed or ())
        # A calendar must hold at least one component (RFC 5545, section 3.4).
        components = events or [_time_zone(listing.site.time.zone_name)]
        return b"".join((_calendar(listing), *components, END))


class CalendarTextFormat(CalendarFormat):
    extension = "ics-text"
    media_types = ("text/plain",)
    rank = 60
    label = Text(sv="iCalendar som text", en="iCalendar as text")
    purpose = Text(
        sv="samma kalender, att läsa i webbläsaren", en="the same calendar, to read in the browser"
    )
    is_file = False


def _calendar(listing: Listing) -> bytes:
    """Return the properties of a calendar; a single occasion's has no name (decisions, "iCalendar")."""
    title, description = escape_text(listing.title), escape_text(listing.description)
    names = (
        *(f"NAME:{title}", f"DESCRIPTION:{description}"),
        *(f"X-WR-CALNAME:{title}", f"X-WR-CALDESC:{description}"),
    )
    return _lines(
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCER}",
        *(names if listing.is_calendar else ()),
        f"X-PUBLISHED-TTL:{REFRESHED_EVERY}",
        f"REFRESH-INTERVAL;VALUE=DURATION:{REFRESHED_EVERY}",
    )


@lru_cache
def _time_zone(name: str) -> bytes:
    zone = Timezone.from_tzinfo(ZoneInfo(name))
    parts: list[Any] = zone.subcomponents
    for each in parts:
        # The library writes onsets in the new local time instead of the former (RFC 5545, section 3.6.5).
        ahead = max(each.TZOFFSETTO - each.TZOFFSETFROM, timedelta())
        each.DTSTART -= ahead
        if each.rdates:
            each["RDATE"] = vDDDLists([start - ahead for start, _ in each.rdates])
    # By default the library sorts properties.
    return bytes(zone.to_ical(sorted=False))


@memoize
def _event(occasion: Occasion, site: Site, language: LanguageCode, cancelled: Cancelled | None) -> bytes:
    """Return the component of an occasion.

    `cancelled` is how to show the cancellation to programs that hide or ignore the status CANCELLED.
    """
    modified = occasion.event.last_modified
    title, description = occasion.event.title, _description(occasion, site, language)
    if cancelled:
        title = f"{WORDS[language].cancelled}. {title}"
    place = occasion.place
    location = "\n".join(filter(None, (place.full_name, place.location.address))) if place else ""
    return _lines(
        "BEGIN:VEVENT",
        f"UID:{escape_text(occasion.identity.calendar_uid)}",
        f"DTSTAMP:{format_instant(modified)}",
        f"DTSTART:{format_instant(occasion.start)}",
        f"DTEND:{format_instant(occasion.end)}",
        f"SUMMARY:{escape_text(title)}",
        f"DESCRIPTION:{escape_text(description)}" if description else "",
        f"LOCATION:{escape_text(location)}" if location else "",
        f"CATEGORIES:{','.join(map(escape_text, category_names(occasion.event, language)))}",
        f"URL:{site.occasion_url(occasion.identity, language)}",
        f"STATUS:{'CANCELLED' if occasion.cancelled and cancelled is not Cancelled.SHOW else 'CONFIRMED'}",
        f"SEQUENCE:{_sequence(modified)}",
        f"LAST-MODIFIED:{format_instant(modified)}",
        "TRANSP:TRANSPARENT",
        _position(occasion),
        "END:VEVENT",
    )


def _removed(removed: RemovedOccasion) -> bytes:
    """Return a cancelled VEVENT, so that calendars drop the occasion."""
    modified = format_instant(removed.at)
    return _lines(
        "BEGIN:VEVENT",
        f"UID:{escape_text(removed.identity.calendar_uid)}",
        f"DTSTAMP:{modified}",
        # Required (RFC 5545, section 3.8.2.4); the start of a deleted occasion is not known.
        f"DTSTART:{format_instant(removed.start or removed.at)}",
        "STATUS:CANCELLED",
        f"SEQUENCE:{_sequence(removed.at)}",
        f"LAST-MODIFIED:{modified}",
        "END:VEVENT",
    )


def _lines(*lines: str) -> bytes:
    """Return content lines; empty ones, of missing properties, are left out."""
    return b"".join(map(fold_line, filter(None, lines)))


def _description(occasion: Occasion, site: Site, language: LanguageCode) -> str:
    organizer = occasion.event.organizer
    by = f"{WORDS[language].organizer}: {organizer.name}" if organizer else ""
    parts = (
        summarize(occasion.event, language),
        by,
        format_urgent(occasion, language),
        format_booking_link(occasion, site.time, language),
        format_change(occasion, site.time, language),
    )
    return "\n\n".join(filter(None, parts))


def _position(occasion: Occasion) -> str:
    """Return `GEO:57.708870;11.974560` of a place with coordinates (RFC 5545, section 3.8.1.6)."""
    location = occasion.place.location if occasion.place else None
    if location is None or location.latitude is None:
        return ""
    return f"GEO:{location.latitude:.6f};{location.longitude:.6f}"


def _sequence(last_modified: datetime) -> int:
    return max(0, (last_modified - SEQUENCES_BEGIN) // timedelta(seconds=1))
