"""Dates, times and time zones as iCalendar files have them (RFC 5545, sections 3.3.4 to 3.3.6 and 3.6.5)."""

import re
from bisect import bisect_right
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from django.utils.translation import gettext as _
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from programme.exchange.readers.ical.lines import Component, Property
from programme.exchange.readers.ical.rules import Effort, RuleError, read_rule, recurrences

_MOMENT = re.compile(
    r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})(?:[T ]([0-9]{2}):?([0-9]{2})(?::?([0-9]{2}))?(?:\.[0-9]+)?(Z)?)?"
)
_DURATION = re.compile(
    r"([+-])?P(?:([0-9]{1,6})W)?(?:([0-9]{1,6})D)?"
    r"(?:T(?:([0-9]{1,8})H)?(?:([0-9]{1,8})M)?(?:([0-9]{1,9})S)?)?"
)
_OFFSET = re.compile(r"([+-])([0-9]{2}):?([0-9]{2})(?::?[0-9]{2})?")
# As Windows shows zones: "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna".
_SHOWN = re.compile(r"\((?:GMT|UTC)(?:\s*([+-])([0-9]{1,2})[:.]?([0-9]{2}))?\)\s*(.*)", re.IGNORECASE)
_YEARS_AROUND = 2


class Moment(NamedTuple):
    """A date and a time by the wall clock of a zone; without a zone it is a date alone."""

    wall: datetime
    zone: tzinfo | None

    @property
    def is_date(self) -> bool:
        return self.zone is None


class Duration(NamedTuple):
    """Days by the calendar, and time by the clock."""

    days: timedelta
    exact: timedelta


def read_wall(text: str) -> tuple[datetime, bool, bool] | None:
    """Return a date and time, whether a time is stated, and whether it is in UTC; None for any other text."""
    match = _MOMENT.fullmatch(text.strip().upper())
    if not match:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    try:
        # 24:00 is the end of a day, and a leap second is none for us.
        wall = datetime.combine(date(year, month, day), time(hour % 24, minute, min(second, 59)))
        wall += timedelta(days=1) if (hour, minute) == (24, 0) else timedelta()
    except (ValueError, OverflowError):
        return None
    return (wall, match[4] is not None, bool(match[7])) if hour <= 24 else None  # noqa: PLR2004 - hours


def read_duration(text: str) -> Duration | None:
    """Return a duration such as `PT1H30M` or `P2D`; None for any other text."""
    match = _DURATION.fullmatch(text.strip().upper())
    if not match or not any(match.groups()[1:]):
        return None
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups()[1:])
    sign = -1 if match[1] == "-" else 1
    exact = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return Duration(sign * timedelta(weeks=weeks, days=days), sign * exact)


def instant(wall: datetime, zone: tzinfo) -> datetime:
    """Return the instant, in UTC, of a wall-clock time; raises OverflowError at the calendar's ends."""
    return wall.replace(tzinfo=zone).astimezone(UTC)


class Zones:
    """The time zones of a calendar by the names that its times bear."""

    def __init__(
        self, calendar: Component, floating: ZoneInfo, effort: Effort, complain: Callable[[str, str], None]
    ) -> None:
        self.complain = complain
        self.effort = effort
        self.own = {
            component.text("TZID").strip(): component
            for component in calendar.components
            if component.name == "VTIMEZONE"
        }
        self.found: dict[str, tzinfo] = {}
        self.floating: tzinfo = floating
        if named := calendar.text("X-WR-TIMEZONE").strip():
            self.floating = self.named(named, calendar.line)

    def moment(self, stated: Property, text: str) -> Moment | None:
        """Return the moment of a text in a property; None where it is none."""
        read = read_wall(text)
        if read is None:
            return None
        wall, has_time, utc = read
        if not has_time:
            return Moment(wall, None)
        name = stated.parameters.get("TZID", "").strip()
        return Moment(wall, UTC if utc else self.named(name, stated.line) if name else self.floating)

    def named(self, name: str, line: int) -> tzinfo:
        """Return the zone of a name; of one that is not known, that of times without any."""
        if name not in self.found:
            self.found[name] = self._look_up(name) or self._unknown(name, line)
        return self.found[name]

    def _look_up(self, name: str) -> tzinfo | None:
        if name in self.own and not _known(name):
            return OwnZone(self.own[name], self.effort)
        # Mozilla and others put a prefix before the name: "/mozilla.org/20070129_1/Europe/Stockholm".
        tail = "/".join(name.split("/")[-2:])
        return _known(name) or _shown(name) or _known(tail)

    def _unknown(self, name: str, line: int) -> tzinfo:
        self.complain(
            _("line %(line)d") % {"line": line},
            _("the time zone “%(name)s” is not known; %(zone)s taken")
            % {"name": name[:80], "zone": self.floating},
        )
        return self.floating


@cache
def _names() -> dict[str, str]:
    """Return the names of the world's zones, and those of Windows, in lower case."""
    windows = {name.lower(): zone for name, zone in WINDOWS_TO_OLSON.items()}
    return windows | {name.lower(): name for name in available_timezones()}


def _known(name: str) -> ZoneInfo | None:
    name = _names().get(name.strip().lower(), "")
    return ZoneInfo(name) if name else None


@lru_cache(256)
def _shown(name: str) -> tzinfo | None:
    """Return the zone of a name as Windows shows it: of one of its cities, else of its offset alone."""
    match = _SHOWN.fullmatch(name.strip())
    if not match:
        return None
    sign, hours, minutes, places = match.groups()
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0)) * (-1 if sign == "-" else 1)
    # "Eastern Time (US & Canada)" is called "Eastern Standard Time" inside.
    inside = re.sub(r"\s+Time\b.*", " Standard Time", places)
    cities = {part.strip().lower().replace(" ", "_") for part in places.split(",")} - {""}
    by_city = [zone for zone in sorted(available_timezones()) if zone.rpartition("/")[2].lower() in cities]
    candidates = [_known(inside), *map(ZoneInfo, by_city)]
    fitting = (zone for zone in candidates if zone and offset in _standard_offsets(zone))
    return next(fitting, timezone(offset) if abs(offset) < timedelta(days=1) else None)


def _standard_offsets(zone: ZoneInfo) -> set[timedelta]:
    # In one of January and July every zone has its standard time.
    moments = (datetime(2024, month, 1, tzinfo=zone) for month in (1, 7))
    return {moment.utcoffset() - moment.dst() for moment in moments}  # type: ignore[operator]


class OwnZone(tzinfo):
    """A zone as the file itself describes it (VTIMEZONE)."""

    def __init__(self, component: Component, effort: Effort) -> None:
        self.name = component.text("TZID")
        self.observances = [
            read for each in component.components if (read := _Observance.of(each)) is not None
        ]
        self.effort = effort
        self.changes: dict[int, list[tuple[datetime, timedelta]]] = {}

    def utcoffset(self, moment: datetime | None) -> timedelta:
        if moment is None or not self.observances:
            return timedelta()
        wall = moment.replace(tzinfo=None)
        changes = self._around(wall.year)
        place = bisect_right(changes, wall, key=lambda change: change[0])
        return changes[place - 1][1] if place else min(self.observances).before

    def dst(self, _moment: datetime | None) -> timedelta:
        return timedelta()

    def tzname(self, _moment: datetime | None) -> str:
        return self.name

    def __str__(self) -> str:
        return self.name

    def _around(self, year: int) -> list[tuple[datetime, timedelta]]:
        """Return when the offset changes to what, up to the end of a year."""
        if year not in self.changes:
            first = datetime(max(1, year - _YEARS_AROUND), 1, 1)  # noqa: DTZ001 - the wall clock
            last = datetime(year, 12, 31, 23, 59)  # noqa: DTZ001 - the wall clock
            changes = [
                (onset, each.after)
                for each in self.observances
                for onset in each.onsets(first, last, self.effort)
            ]
            self.changes[year] = sorted(changes)
        return self.changes[year]


class _Observance(NamedTuple):
    """A part of a zone: since when which offset holds, and how that recurs."""

    start: datetime
    before: timedelta
    after: timedelta
    rule: str
    more: tuple[datetime, ...]

    @classmethod
    def of(cls, component: Component) -> "_Observance | None":
        start = read_wall(component.text("DTSTART"))
        before, after = (_offset(component.text(name)) for name in ("TZOFFSETFROM", "TZOFFSETTO"))
        if start is None or after is None:
            return None
        dates = [read_wall(text) for each in component.all("RDATE") for text in each.value.split(",")]
        more = tuple(read[0] for read in dates if read)
        return cls(start[0], after if before is None else before, after, component.text("RRULE"), more)

    def onsets(self, first: datetime, last: datetime, effort: Effort) -> list[datetime]:
        """Return when it begins, up to `last`, and surely the last time before `first`."""
        found = [each for each in (self.start, *self.more) if each <= last]
        try:
            rule = read_rule(self.rule) if self.rule else None
        except RuleError:
            rule = None
        if rule:
            until = read_wall(rule.until)
            last = min(last, until[0] + timedelta(days=1)) if until else last
            found += recurrences(rule, self.start, min(first, last - timedelta(days=800)), last, effort)
        return found


def _offset(text: str) -> timedelta | None:
    match = _OFFSET.fullmatch(text.strip())
    if not match:
        return None
    offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
    return (-offset if match[1] == "-" else offset) if offset < timedelta(days=1) else None
