"""Reads the occasions of the interface's JSON: when each begins and ends, and which it is in the calendar."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from feeds.festival_time import follow
from feeds.vocabulary import LANGUAGES
from programme.exchange.readers.entries import clean_uid, settle_end
from programme.exchange.readers.fields import as_dict, read_text
from programme.exchange.readers.ical.lines import Component, parse_calendars
from programme.exchange.readers.ical.zones import Zones
from programme.exchange.readers.interface.documents import Table, View
from programme.exchange.readers.interface.properties import read_clock
from programme.exchange.text.when import Point, read_point, split_weekday
from programme.exchange.values import ImportDefaults
from programme.models.cleaning import clean_line


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
        zones = Zones(calendar, defaults.zone, lambda *_problem: None)
        for component in calendar.components:
            start = _read_instant(component, "DTSTART", zones)
            if start and component.name == "VEVENT":
                end = _read_instant(component, "DTEND", zones)
                entry = CalendarEntry(clean_uid(component.text("UID")), start, end)
                self._by_url.setdefault(component.text("URL").strip(), entry)
                self._by_title.setdefault((clean_line(component.text("SUMMARY")), entry.start), entry)


def _read_instant(component: Component, name: str, zones: Zones) -> datetime | None:
    stated = component.find(name)
    found = zones.parse(stated) if stated else None
    return found.astimezone(UTC) if isinstance(found, datetime) else None


# Longer ones are mistakes.
_LONGEST = timedelta(days=400)


def find_start(table: Table, defaults: ImportDefaults) -> datetime | None:
    """Return the instant, in UTC, at which an occasion begins, None without a date or a clock time."""
    try:
        day = date.fromisoformat(read_text(table, "date"))
    except ValueError:
        return None
    clock = read_clock(read_text(table, "startTime")) or read_clock(read_text(table, "start"))
    return defaults.time.instant(day, clock) if clock else None


def find_end(
    views: list[View], start: datetime, known: CalendarEntry | None, defaults: ImportDefaults
) -> datetime | None:
    """Return when an occasion ends: by the calendar, else by both days in words, else by clock times.

    The interface's clock times are those of one day: equal ones are 24 hours. None if none is stated.
    """
    if known and known.end and known.end > known.start == start:
        return known.end
    clock = read_clock(read_text(views[0].table, "endTime"))
    if clock is None:
        return None
    begins = defaults.time.local(start)
    day = _find_last_day(views, begins.date()) or begins.date()
    stated = follow(begins, datetime.combine(day, clock, defaults.zone))
    end = settle_end(begins, stated, equal_is_a_day=True)
    return end.astimezone(UTC) if end else None


def choose_start(start: datetime, known: CalendarEntry | None, defaults: ImportDefaults) -> datetime:
    """Return the calendar's start if the clock shows the same: it knows which of two such hours it is."""
    if known is None:
        return start
    shown, stated = (defaults.time.local(each).replace(tzinfo=None) for each in (known.start, start))
    return known.start if shown == stated else start


def list_urls(views: Iterable[View]) -> list[str]:
    urls = (as_dict(view.table.get("url")) for view in views)
    return [read_text(url, language) for url in urls for language in LANGUAGES]


def _find_last_day(views: list[View], first: date) -> date | None:
    """Return the date on which a long occasion ends: `fre 31 jul 22:00–sön 2 aug 04:00`."""
    for view in views:
        _start, to, end = read_text(view.table, "timeSpan").replace("-", "–").rpartition("–")
        point = read_point(split_weekday(end)[1]) if to else None
        if point and point.month:
            return _find_date(point, first)
    return None


def _find_date(point: Point, first: date) -> date | None:
    """Return a date, in the first year in which it is not before the beginning."""
    years = [point.year] if point.year else [first.year, first.year + 1]
    days = (point._replace(year=year).find() for year in years)
    return next((day for day in days if day and first <= day <= first + _LONGEST), None)
