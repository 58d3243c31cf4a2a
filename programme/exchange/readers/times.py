"""Reads when an entry of a schedule begins, and how long it lasts."""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_lazy

from feeds.festival_time import ONE_DAY
from programme.exchange.values import Entry
from programme.models.occasions import FIRST_INSTANT, LAST_INSTANT

# Three parts are days:hours:minutes (EMF 2024: 1:12:00 lasts 36 hours).
_DURATION = re.compile(r"(?:(?:(?P<days>[0-9]{1,3}):)?(?P<hours>[0-9]{1,3}):)?(?P<minutes>[0-9]{1,4})")
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?")
_YEAR = re.compile(r"[0-9]{4}(?=-?[0-9]{2})")
DEFAULT_DURATION = timedelta(minutes=30)
CHECK_THE_YEAR = gettext_lazy("check the year: it must be from 1900 to 2199")
NO_END = gettext_lazy("no end: 30 minutes assumed")
NO_LENGTH = gettext_lazy("the end is not later than the start: 30 minutes assumed")
NEXT_DAY = gettext_lazy("the end is before the start on the same date: the next day assumed")


def is_storable(start: datetime, end: datetime) -> bool:
    return start >= FIRST_INSTANT and end < LAST_INSTANT


def is_storable_year(year: int) -> bool:
    return FIRST_INSTANT.year <= year < LAST_INSTANT.year


def has_unstorable_year(text: str) -> bool:
    """Return whether a text begins with a date in a year that cannot be stored."""
    stated = _YEAR.match(text.strip())
    return stated is not None and not is_storable_year(int(stated[0]))


def parse_duration(text: str) -> timedelta | None:
    """Return the duration of `H:MM`, `HH:MM`, `D:HH:MM` or minutes; None for any other text."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        return None
    return timedelta(**{unit: int(number or 0) for unit, number in match.groupdict().items()})


def settle_end(start: datetime, end: datetime, *, equal_is_a_day: bool = False) -> datetime | None:
    """Return when something ends, of a stated start and end, both in the zone whose clock counts.

    An end before the start on the same date is on the next day; on an earlier date it is None. What ends when
    it starts takes 30 minutes, or with `equal_is_a_day` until that clock time of the next day: so in sheets
    of this service and in its interface.
    """
    # Of one zone, Python compares clock times; in the hour that comes twice, only instants tell.
    if end > start if end.fold == start.fold else end.timestamp() > start.timestamp():
        return end
    if end == start and not equal_is_a_day:
        return (start.astimezone(UTC) + DEFAULT_DURATION).astimezone(start.tzinfo)
    return end + ONE_DAY if end.date() == start.date() else None


def find_start(entry: Entry, zone: ZoneInfo, day_change: time | None) -> datetime | None:
    """Return the instant, in UTC, at which an entry begins; None without a usable one.

    Old files have no date and time: there it is `start` on the day that contains the entry, or on the next
    date before the day's change.
    """
    stated = parse_instant(entry.date, zone) if "T" in entry.date or " " in entry.date.strip() else None
    return stated or _start_on_day(entry, zone, day_change)


def find_end(entry: Entry, start: datetime, zone: ZoneInfo) -> tuple[datetime | None, str]:
    """Return the end that an entry states, and what was assumed of it; None without a usable one.

    Its dates are those of the zone, or as they are stated.
    """
    stated = _parse_moment(entry.end, zone)
    if stated is None or not FIRST_INSTANT <= stated < LAST_INSTANT:
        return None, ""
    begin = start.astimezone(stated.tzinfo)
    end = settle_end(start.astimezone(zone), stated.astimezone(zone)) or settle_end(begin, stated)
    if stated > begin:
        return end, ""
    return end, str(NO_LENGTH if stated == begin else NEXT_DAY)


def parse_instant(text: str, zone: tzinfo) -> datetime | None:
    """Return the instant, in UTC, of an ISO 8601 date and time, which is in the zone if it has no offset."""
    moment = _parse_moment(text, zone)
    return moment and moment.astimezone(UTC)


def _parse_moment(text: str, zone: tzinfo) -> datetime | None:
    """Return a date and time in the zone, or with the offset that it states."""
    try:
        moment = datetime.fromisoformat(text.strip())
        moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment


def parse_clock(text: str) -> time | None:
    """Return the clock time of `HH:MM` or `HH:MM:SS`; None for any other text."""
    match = _CLOCK.fullmatch(text.strip())
    try:
        return time(int(match[1]), int(match[2])) if match else None
    except ValueError:
        return None


def _start_on_day(entry: Entry, zone: ZoneInfo, day_change: time | None) -> datetime | None:
    clock = parse_clock(entry.start)
    try:
        day = date.fromisoformat((entry.date or entry.day).strip()[:10])
        # An entry's own date is the calendar's; only a day reaches into the next date.
        if clock and day_change and clock < day_change and not entry.date:
            day += ONE_DAY
        return datetime.combine(day, clock, zone).astimezone(UTC) if clock else None
    except (ValueError, OverflowError):
        return None
