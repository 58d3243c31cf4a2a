"""Reads dates, times and time zones of iCalendar files (RFC 5545, sections 3.3.4 to 3.3.6)."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache
from io import StringIO
from zoneinfo import ZoneInfo, available_timezones

from dateutil.tz import tzical
from django.utils.translation import gettext as _
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from feeds.festival_time import ONE_DAY
from programme.exchange.readers.entries import is_storable_year
from programme.exchange.readers.ical.lines import Component, Property

# A whole day, or a time with its zone.
DateOrTime = date | datetime

_TIME = re.compile(
    r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})"
    r"(?:[T ]([01][0-9]|2[0-4]):?([0-5][0-9])(?::?([0-5][0-9]|60))?(?:\.[0-9]+)?(Z)?)?"
)
# What of a VTIMEZONE says when its clock shows what: it is read again without all else.
_OBSERVANCE = {
    "DTSTART": r"[0-9]{8}T[0-9]{6}",
    "TZOFFSETFROM": "[+-][0-9]+",
    "TZOFFSETTO": "[+-][0-9]+",
    # In one month of a year: the library goes through all times since 1601.
    "RRULE": "(?=.*FREQ=YEARLY)(?=.*BYMONTH=)(?:(?:FREQ=YEARLY|BYMONTH=[0-9]+|BYDAY=[+-]?[1-5]?[A-Z]{2}"
    "|BYMONTHDAY=[-0-9,]+|INTERVAL=1|UNTIL=[0-9TZ]+|WKST=[A-Z]{2});?)+",
    "RDATE": "[0-9TZ,]+",
}


class Zones:
    def __init__(self, calendar: Component, floating: ZoneInfo, report: Callable[[str, str], None]) -> None:
        self.report = report
        self.found: dict[str, tzinfo] = {}
        described = [each for each in calendar.components if each.name == "VTIMEZONE"]
        self.described = {each.text("TZID").strip(): each for each in described}
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
            # Mozilla and others prefix the name: "/mozilla.org/20070129_1/Europe/Stockholm".
            guessed = _find_known(name) or _find_known("/".join(name.split("/")[-2:]))
            # A name such as Europe/Stockholm is no guess; many files describe its zone for one year alone.
            is_known = "/" in name and name.lower() == str(guessed).lower() and not name.startswith("Etc/")
            found = guessed if is_known else self._build_described(name) or guessed
            if not found:
                what = _("the time zone “%(name)s” is not known; %(zone)s taken")
                named = {"name": name[:80], "zone": self.floating}
                self.report(_("line %(line)d") % {"line": line}, what % named)
            self.found[name] = found or self.floating
        return self.found[name]

    def _build_described(self, name: str) -> tzinfo | None:
        """Return the zone that a VTIMEZONE of the calendar describes; None without one that is followed."""
        lines = ["BEGIN:VTIMEZONE", "TZID:-"]
        try:
            for part in self.described[name].components if name in self.described else ():
                stated = [(each.name, each.value.strip().upper()) for each in part.properties]
                stated = [each for each in stated if each[0] in _OBSERVANCE]
                offsets = [datetime.strptime(value, "%z") for key, value in stated if "OFFSET" in key]
                is_followed = all(re.fullmatch(_OBSERVANCE[key], value) for key, value in stated)
                if not is_followed or max(offsets) - min(offsets) >= ONE_DAY:
                    return None
                lines += [f"BEGIN:{part.name}", *map(":".join, stated), f"END:{part.name}"]
            found: tzinfo = tzical(StringIO("\n".join([*lines, "END:VTIMEZONE"]))).get()
        except ValueError:
            return None
        return found


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
