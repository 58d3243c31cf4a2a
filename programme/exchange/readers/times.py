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
CHECK_THE_YEAR = gettext_lazy("check the year: it must be from 1900 to 2199")


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


def find_start(entry: Entry, zone: ZoneInfo, day_change: time | None) -> datetime | None:
    """Return the instant, in UTC, at which an entry begins; None without a usable one.

    Old files have no date and time: there it is `start` on the day that contains the entry, or on the next
    date before the day's change.
    """
    stated = parse_instant(entry.date, zone) if "T" in entry.date or " " in entry.date.strip() else None
    return stated or _start_on_day(entry, zone, day_change)


def parse_instant(text: str, zone: tzinfo) -> datetime | None:
    """Return the instant, in UTC, of an ISO 8601 date and time, which is in the zone if it has no offset."""
    try:
        moment = datetime.fromisoformat(text.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


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
