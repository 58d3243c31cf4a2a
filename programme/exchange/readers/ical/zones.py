"""Reads dates, times and time zones of iCalendar files (RFC 5545, sections 3.3.4 to 3.3.6 and 3.6.5)."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from io import StringIO
from zoneinfo import ZoneInfo, available_timezones

from dateutil.tz import tzical
from django.utils.translation import gettext as _
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from feeds.festival_time import ONE_DAY
from programme.exchange.readers.entries import is_storable_year
from programme.exchange.readers.ical.lines import Component, Property
from programme.exchange.readers.ical.rules import RuleError, parse_rule
from programme.exchange.time_limit import check_time

# A whole day, or a time with its zone.
DateOrTime = date | datetime

_TIME = re.compile(
    r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})"
    r"(?:[T ]([01][0-9]|2[0-4]):?([0-5][0-9])(?::?([0-5][0-9]|60))?(?:\.[0-9]+)?(Z)?)?"
)
# As Windows shows zones: "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna".
_SHOWN = re.compile(r"\((?:GMT|UTC)(?:\s*([+-])([0-9]{1,2})[:.]?([0-9]{2}))?\)\s*(.*)", re.IGNORECASE)
_OFFSET = re.compile("[+-](?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9])?")


class Zones:
    def __init__(self, calendar: Component, floating: ZoneInfo, report: Callable[[str, str], None]) -> None:
        self.report = report

        self.described = {
            component.text("TZID").strip(): component
            for component in calendar.components
            if component.name == "VTIMEZONE"
        }
        self.found: dict[str, tzinfo] = {}
        self.floating: tzinfo = floating
        if name := calendar.text("X-WR-TIMEZONE").strip():
            self.floating = self.find(name, calendar.line)

    def parse(self, stated: Property, text: str | None = None) -> DateOrTime | None:
        """Return the date or time of a property, or of one text of its list; None for anything else."""
        name = stated.parameters.get("TZID", "").strip()
        zone = self.find(name, stated.line) if name else self.floating
        return parse_time(stated.value if text is None else text, zone)

    def find(self, name: str, line: int) -> tzinfo:
        """Return the zone of a name; of an unknown name, the zone of times without one."""
        if name not in self.found:
            found = self._look_up(name)
            if not found:
                what = _("the time zone “%(name)s” is not known; %(zone)s taken")
                named = {"name": name[:80], "zone": self.floating}
                self.report(_("line %(line)d") % {"line": line}, what % named)
            self.found[name] = found or self.floating
        return self.found[name]

    def _look_up(self, name: str) -> tzinfo | None:
        if known := _find_known(name):
            return known
        described = self.described.get(name)
        if described and (zone := _build_zone(described)):
            return zone
        # Mozilla and others prefix the name: "/mozilla.org/20070129_1/Europe/Stockholm".
        return _find_shown(name) or _find_known("/".join(name.split("/")[-2:]))


def parse_time(text: str, zone: tzinfo) -> DateOrTime | None:
    """Return the date or time of a text; None for any other text, and for years that cannot be stored."""
    match = _TIME.fullmatch(text.strip().upper())
    if not match or not is_storable_year(int(match[1])):
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    try:
        start = datetime(year, month, day, tzinfo=UTC if match[7] else zone)
    except ValueError:
        return None
    # 24:00 is the end of a day.
    return start + timedelta(hours=hour, minutes=minute, seconds=second) if match[4] else start.date()


@cache
def _zone_names() -> dict[str, str]:
    """Return the names of the world's zones, and those of Windows, in lower case."""
    windows = {name.lower(): zone for name, zone in WINDOWS_TO_OLSON.items()}
    return windows | {name.lower(): name for name in available_timezones()}


def _find_known(name: str) -> ZoneInfo | None:
    name = _zone_names().get(name.strip().lower(), "")
    return ZoneInfo(name) if name else None


@lru_cache(256)
def _find_shown(name: str) -> tzinfo | None:
    """Return the zone of a name as Windows shows it: of one of its cities, else of its offset alone."""
    match = _SHOWN.fullmatch(name.strip())
    if not match:
        return None
    sign, hours, minutes, places = match.groups()
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0)) * (-1 if sign == "-" else 1)
    # "Eastern Time (US & Canada)" is called "Eastern Standard Time" in Windows itself.
    standard = re.sub(r"\s+Time\b.*", " Standard Time", places)
    cities = {part.strip().lower().replace(" ", "_") for part in places.split(",")} - {""}
    by_city = [zone for zone in sorted(available_timezones()) if zone.rpartition("/")[2].lower() in cities]
    candidates = [_find_known(standard), *map(ZoneInfo, by_city)]
    for zone in filter(None, candidates):
        # In January or in July every zone has its standard time.
        times = (datetime(2024, month, 1, tzinfo=zone) for month in (1, 7))
        if offset in {(each.utcoffset() or timedelta()) - (each.dst() or timedelta()) for each in times}:
            return zone
    return timezone(offset) if abs(offset) < ONE_DAY else None


def _build_zone(component: Component) -> tzinfo | None:
    """Return a zone as the file describes it (VTIMEZONE); None where it cannot be followed."""
    lines = ["BEGIN:VTIMEZONE", "TZID:own"]
    try:
        for part in component.components:
            lines += [f"BEGIN:{part.name}", *_zone_lines(part), f"END:{part.name}"]
        zone = tzical(StringIO("\n".join([*lines, "END:VTIMEZONE"]))).get()
    except (ValueError, RuleError):
        return None
    return zone if isinstance(zone, tzinfo) else None


def _zone_lines(part: Component) -> list[str]:
    rules = [parse_rule(each.value) for each in part.find_all("RRULE")]
    if any(rule["FREQ"] != "YEARLY" for rule in rules):
        raise RuleError
    check_time()
    names = ("DTSTART", "RDATE", "RRULE", "TZOFFSETFROM", "TZOFFSETTO")
    values = [(name, each.value.strip().replace(":", "")) for name in names for each in part.find_all(name)]
    if not all(_OFFSET.fullmatch(value) for name, value in values if name.startswith("TZOFFSET")):
        raise RuleError
    return [f"{name}:{value}" for name, value in values]
