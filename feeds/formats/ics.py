"""iCalendar (RFC 5545, RFC 7986): one VEVENT per occasion; as a calendar, or as plain text."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component, Timezone, vText

from feeds.content_lines import escaped, folded, instant
from feeds.formats.base import Format
from feeds.listing import Listing
from feeds.remembered import Remembered
from feeds.syndication import category_names
from feeds.vocabulary import LanguageCode, Occasion, Site, Text
from feeds.wording import WORDS

PRODUCER = "-//Festival programme//Programme publishing service//SV"
REFRESHED_EVERY = timedelta(hours=6)
# Whole seconds since then to the last modification are an occasion's SEQUENCE.
SEQUENCES_BEGIN = datetime(2020, 1, 1, tzinfo=UTC)
END = b"END:VCALENDAR\r\n"


class CalendarFormat(Format):
    extension = "ics"
    media_types = ("text/calendar",)
    rank = 50
    label = Text(sv="iCalendar", en="iCalendar")
    holds_clock = False

    def write_events(self, listing: Listing) -> bytes:
        events = [_event(each, listing.site, listing.language) for each in listing.occasions]
        # A calendar must hold at least one component (RFC 5545, section 3.4).
        components = events or [_time_zone(listing.site.time.zone_name)]
        return b"".join((_calendar(listing).removesuffix(END), *components, END))


class CalendarTextFormat(CalendarFormat):
    extension = "ics-text"
    media_types = ("text/plain",)
    rank = 60
    label = Text(sv="iCalendar som text", en="iCalendar as text")


class _Text(vText):
    r"""Text as RFC 5545, section 3.3.11, has it: the library would write our own `\N` as a line break."""

    def to_ical(self) -> bytes:
        return rb"\\N".join(vText(part).to_ical() for part in self.split(r"\N"))


def _calendar(listing: Listing) -> bytes:
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", PRODUCER)
    calendar.add("name", _Text(listing.title))
    calendar.add("description", _Text(listing.description))
    calendar.add("x-wr-calname", _Text(listing.title))
    calendar.add("x-wr-caldesc", _Text(listing.description))
    calendar.add("x-published-ttl", "PT6H")
    calendar.add("refresh-interval", REFRESHED_EVERY, {"VALUE": "DURATION"})
    return _written(calendar)


@lru_cache
def _time_zone(name: str) -> bytes:
    return _written(Timezone.from_tzinfo(ZoneInfo(name)))


@Remembered
def _event(occasion: Occasion, site: Site, language: LanguageCode) -> bytes:
    modified = occasion.event.last_modified
    description = _description(occasion, language)
    location = _location(occasion)
    lines = (
        "BEGIN:VEVENT",
        f"UID:{occasion.identity.uuid}",
        f"DTSTAMP:{instant(modified)}",
        f"DTSTART:{instant(occasion.start)}",
        f"DTEND:{instant(occasion.end)}",
        f"SUMMARY:{escaped(occasion.event.title)}",
        f"DESCRIPTION:{escaped(description)}" if description else "",
        f"LOCATION:{escaped(location)}" if location else "",
        f"CATEGORIES:{','.join(map(escaped, category_names(occasion, language)))}",
        f"URL:{site.occasion_url(occasion.identity, language)}",
        f"STATUS:{'CANCELLED' if occasion.cancelled else 'CONFIRMED'}",
        f"SEQUENCE:{_sequence(modified)}",
        f"LAST-MODIFIED:{instant(modified)}",
        "END:VEVENT",
    )
    return b"".join(map(folded, filter(None, lines)))


def _written(component: Component) -> bytes:
    # The library sorts properties unless told not to; the interface states their order.
    written: bytes = component.to_ical(sorted=False)
    return written


def _description(occasion: Occasion, language: LanguageCode) -> str:
    organizer = occasion.event.organizer
    by = f"{WORDS[language].organizer}: {organizer.name}" if organizer else ""
    return "\n\n".join(filter(None, (occasion.event.intro.within(language), by)))


def _location(occasion: Occasion) -> str:
    if occasion.place is None:
        return ""
    return "\n".join(filter(None, (occasion.place.full_name, occasion.place.location.address)))


def _sequence(last_modified: datetime) -> int:
    return max(0, (last_modified - SEQUENCES_BEGIN) // timedelta(seconds=1))
