"""Builds calendar files of components, and reads them."""

from datetime import date

from feeds.festival_time import FestivalTime
from programme.exchange.readers.grouping import build_contents
from programme.exchange.readers.ical.calendar import read_calendar
from programme.exchange.values import Contents, ImportDefaults, Schedule

STOCKHOLM = FestivalTime("Europe/Stockholm", 4)
DAYS = frozenset(date(2026, 7, day) for day in range(28, 32))
HEAD = ("X-WR-CALNAME:Sommarscenen",)
JAZZ = ("UID:jazz", "SUMMARY:Jazz", "DTSTART:20260728T180000Z", "DTEND:20260728T190000Z")


def calendar(*events: tuple[str, ...], head: tuple[str, ...] = (), end: str = "\r\n") -> bytes:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", *head]
    for event in events:
        lines += ["BEGIN:VEVENT", *event, "END:VEVENT"]
    return end.join([*lines, "END:VCALENDAR", ""]).encode()


def read(*events: tuple[str, ...], days: frozenset[date] = DAYS, **more) -> Schedule:
    return read_calendar(calendar(*events, **more), ImportDefaults(STOCKHOLM, days=days))


def contents(*events: tuple[str, ...], **more) -> Contents:
    return build_contents(read(*events, **more), STOCKHOLM.zone, "sv", ImportDefaults(STOCKHOLM))


def local(*events: tuple[str, ...], **more) -> list[str]:
    """Return when and where the occasions take place, by the festival's wall clock."""
    return [
        f"{STOCKHOLM.local(each.start):%d %H:%M}–{STOCKHOLM.local(each.end):%d %H:%M}"
        for event in contents(*events, **more).events
        for each in event.occasions
    ]


def find_problems(*events: tuple[str, ...], **more) -> list[tuple[str, str]]:
    return [(problem.where, problem.what) for problem in contents(*events, **more).problems]
