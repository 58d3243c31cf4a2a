"""What Giggity and EventFahrplan do when they load a schedule.xml, as their sources of July 2026 say.

Giggity: `PentabarfParser` in Schedule.java. EventFahrplan: ParserTask.java, DateParser.kt and DurationParser.kt. Each of
them refuses the whole schedule for one value that it cannot read; here that is a ValueError.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from lxml import etree

# What Java's DateTimeFormatter makes of the pattern that both have.
_CLOCK = re.compile(r"([0-9]+):([0-9]{2})(?::([0-9]{2}))?")


class Item(NamedTuple):
    guid: str
    title: str
    start: datetime
    length: timedelta


def load_in_giggity(body: bytes) -> list[Item]:
    root = etree.fromstring(body)
    for day in root.iter("day"):
        date.fromisoformat(day.attrib["date"])
    zone = ZoneInfo(root.findtext("conference/time_zone_name") or "UTC")
    return [item for event in root.iter("event") if (item := _read_in_giggity(event, zone))]


def _read_in_giggity(event: etree._Element, zone: ZoneInfo) -> Item | None:
    """Return an event; it leaves out one that lacks what it needs."""
    title, moment, duration = (event.findtext(name) for name in ("title", "date", "duration"))
    if title is None or moment is None or duration is None or event.get("id") is None:
        return None
    clock = _parse_clock(duration.strip())
    length = timedelta(hours=clock.hour, minutes=clock.minute)
    start = datetime.fromisoformat(moment.strip()).astimezone(zone)
    return Item(event.get("guid", ""), title.strip(), start, length)


def load_in_eventfahrplan(body: bytes) -> list[Item]:
    root = etree.fromstring(body)
    return [item for day in root.iter("day") for item in _read_day_in_eventfahrplan(day)]


def _read_day_in_eventfahrplan(day: etree._Element) -> Iterator[Item]:
    int(day.attrib["index"])
    if "end" not in day.attrib:
        raise ValueError("day without end")
    for event in day.iter("event"):
        _parse_clock(event.findtext("start") or "")
        start = datetime.fromisoformat(event.findtext("date") or "")
        length = _parse_length(event.findtext("duration") or "")
        yield Item(event.get("guid", ""), event.findtext("title") or "", start, length)


def _parse_length(text: str) -> timedelta:
    """Return a duration of minutes, of hours and minutes, or of days, hours and minutes."""
    minutes, hours, days = (*reversed(list(map(int, text.split(":")))), 0, 0)[:3]
    if text.count(":") > 2:
        raise ValueError(f"unknown duration format: {text}")
    return timedelta(days=days, hours=hours, minutes=minutes)


def _parse_clock(text: str) -> time:
    """Return the clock time of `H:mm[:ss]`, whose hour 24 is the next midnight."""
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise ValueError(f"no clock time: {text}")
    parts = [int(each or 0) for each in found.groups()]
    return time(*([0, 0, 0] if parts == [24, 0, 0] else parts))
