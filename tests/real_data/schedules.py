"""Reads schedules (frab in XML and JSON) by the standard library alone."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

from tests.real_data.showings import Counts, Showing, split_mark

HALF_AN_HOUR = timedelta(minutes=30)


def read_frab_xml(path: Path, zone: ZoneInfo) -> Iterator[Showing]:
    """Yield the events, each in the room around it; one without a length lasts half an hour."""
    root = ET.parse(path).getroot()
    venue = root.findtext("conference/venue") or root.findtext("conference/title")
    change = root.findtext("conference/day_change") or "00:00"
    for day in root.findall("day"):
        for room in day.findall("room"):
            for event in room.findall("event"):
                fields = {each.tag: each.text or "" for each in reversed(event)}
                start = _find_start(fields, day.get("date", ""), change, zone)
                end = start + parse_length(fields["duration"])
                identity = event.get("guid") or event.get("id")
                yield _build(identity, fields["title"], (start, end), (venue, room.get("name")))


def read_frab_json(path: Path, zone: ZoneInfo) -> Iterator[Showing]:
    conference = json.loads(path.read_text())["schedule"]["conference"]
    venue = conference.get("venue") or conference["title"]
    for day in conference["days"]:
        for room, events in day["rooms"].items():
            for event in events:
                start = _find_start(event, day["date"], "00:00", zone)
                end = start + parse_length(event["duration"])
                yield _build(event["guid"], event["title"], (start, end), (venue, room))


def read_frab_version_2(path: Path, _zone: ZoneInfo) -> Iterator[Showing]:
    schedule = json.loads(path.read_text())["schedule"]
    for event in schedule["events"]:
        times = (datetime.fromisoformat(event[name]) for name in ("start", "end"))
        place = (schedule["conference"]["title"], event["room"]["name"])
        yield _build(event["guid"], event["title"], times, place)


def _build(event: Any, title: str, times: Iterable[datetime], place: tuple[str, str]) -> Showing:
    title, cancelled = split_mark(title)
    return Showing(title, *(each.astimezone(UTC) for each in times), *place, cancelled, event)


def _find_start(fields: dict[str, str], day: str, change: str, zone: ZoneInfo) -> datetime:
    if "T" in fields.get("date", ""):
        stated = datetime.fromisoformat(fields["date"])
        return stated if stated.tzinfo else stated.replace(tzinfo=zone)
    clock = time.fromisoformat(fields["start"].zfill(5))
    of_night = clock < time.fromisoformat(change)
    return datetime.combine(date.fromisoformat(day) + timedelta(of_night), clock, zone)


def parse_length(text: str) -> timedelta:
    """Return the length of `H:MM` or `D:HH:MM`."""
    *days, hours, minutes = map(int, text.split(":"))
    return timedelta(*days, hours=hours, minutes=minutes) or HALF_AN_HOUR


def count_version_2(path: Path) -> Counts:
    """Return the counts of a schedule that lists its rooms and days whether or not anything is on."""
    schedule = json.loads(path.read_text())["schedule"]
    rooms, days = (len(schedule["conference"][name]) for name in ("rooms", "days"))
    return Counts(len(schedule["events"]), len(schedule["events"]), rooms, days)
