"""Reads the calendar beside the JSON, which knows each occasion's end and UID."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from programme.exchange.readers.entries import clean_uid
from programme.exchange.readers.ical.lines import Component, parse_calendars
from programme.exchange.readers.ical.rules import Effort
from programme.exchange.readers.ical.zones import Zones
from programme.exchange.values import ImportDefaults
from programme.models.cleaning import clean_line

# Days that the rules of time zones may look at.
_EFFORT = 100_000


class CalendarEntry(NamedTuple):
    uid: str
    start: datetime
    end: datetime | None


class Calendar:
    """What calendars say of occasions, by their web addresses, and by title and start."""

    def __init__(self, contents: Iterable[bytes], defaults: ImportDefaults) -> None:
        self.title = ""
        self._by_url: dict[str, CalendarEntry] = {}
        self._by_title: dict[tuple[str, datetime], CalendarEntry] = {}
        for content in contents:
            for calendar in parse_calendars(content):
                self._read(calendar, defaults)

    @property
    def is_empty(self) -> bool:
        return not self._by_title

    def find(self, urls: Iterable[str], title: str, start: datetime) -> CalendarEntry | None:
        found = (self._by_url.get(url.strip()) for url in urls if url.strip())
        return next(filter(None, found), None) or self._by_title.get((clean_line(title), start))

    def _read(self, calendar: Component, defaults: ImportDefaults) -> None:
        self.title = self.title or clean_line(calendar.text("X-WR-CALNAME") or calendar.text("NAME"))
        zones = Zones(calendar, defaults.zone, Effort(_EFFORT), lambda *_problem: None)
        for component in calendar.components:
            entry = _read_entry(component, zones) if component.name == "VEVENT" else None
            if entry:
                self._by_url.setdefault(component.text("URL").strip(), entry)
                self._by_title.setdefault((clean_line(component.text("SUMMARY")), entry.start), entry)


def _read_entry(component: Component, zones: Zones) -> CalendarEntry | None:
    start, end = (_read_instant(component, name, zones) for name in ("DTSTART", "DTEND"))
    return CalendarEntry(clean_uid(component.text("UID")), start, end) if start else None


def _read_instant(component: Component, name: str, zones: Zones) -> datetime | None:
    stated = component.find(name)
    found = zones.parse(stated) if stated else None
    return found.astimezone(UTC) if isinstance(found, datetime) else None
