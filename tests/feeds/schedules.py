"""Validates conference schedules with the C3VOC's schemas and as apps load them, and reads them back."""

import io
import json
import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from jsonschema_rs import Draft6Validator
from lxml import etree
from schedule_convert.importers.frab_xml import FrabXmlImporter

SCHEMAS = Path(__file__).parent / "c3voc"
Facts = dict[str, Any]
# The texts that both dialects have.
TEXTS = ("title", "subtitle", "type", "abstract", "description", "slug", "track", "language", "url", "logo")

_xml_schema = etree.XMLSchema(etree.parse(SCHEMAS / "schedule.xml.xsd"))
_json_schema = Draft6Validator(
    json.loads((SCHEMAS / "schedule.schema.json").read_text()), validate_formats=True
)


def check_xml(body: bytes) -> None:
    document = etree.fromstring(body)
    _xml_schema.assertValid(document)
    guids = [event.get("guid") for event in document.iter("event")]
    for load in (load_in_giggity, load_in_eventfahrplan):
        assert [item.guid for item in load(body)] == guids


def check_json(body: bytes) -> None:
    errors = [
        f"{error.instance_path}: {error.message}" for error in _json_schema.iter_errors(json.loads(body))
    ]
    assert errors == []


# By the extensions of the formats.
CHECKS: dict[str, Callable[[bytes], None]] = {"frab-xml": check_xml, "frab-json": check_json}


def parse_xml(body: bytes) -> list[Facts]:
    document = etree.fromstring(body)
    return [
        {
            "id": int(event.get("id")),
            "guid": event.get("guid"),
            "day": day.get("date"),
            "room": room.get("name"),
            "room_guid": room.get("guid"),
            "named_room": event.findtext("room"),
            "start": datetime.fromisoformat(event.findtext("date")),
            "clock": event.findtext("start"),
            "minutes": _minutes(event.findtext("duration")),
            "persons": [person.text for person in event.find("persons")],
            "links": [link.get("href") for link in event.iterfind("links/link")],
            **{name: event.findtext(name) or "" for name in TEXTS},
        }
        for day in document.iterfind("day")
        for room in day.iterfind("room")
        for event in room.iterfind("event")
    ]


def parse_json(body: bytes) -> list[Facts]:
    return list(_json_events(json.loads(body)["schedule"]["conference"]))


def _json_events(conference: Facts) -> Iterator[Facts]:
    guids = {room["name"]: room["guid"] for room in conference["rooms"]}
    assert len(guids) == len(conference["rooms"])
    for day in conference["days"]:
        for room, events in day["rooms"].items():
            for event in events:
                yield {
                    "id": event["id"],
                    "guid": event["guid"],
                    "day": day["date"],
                    "room": room,
                    "room_guid": guids[room],
                    "named_room": event["room"],
                    "start": datetime.fromisoformat(event["date"]),
                    "clock": event["start"],
                    "minutes": _minutes(event["duration"]),
                    "persons": [person["public_name"] for person in event["persons"]],
                    "links": [link["url"] for link in event["links"]],
                    **{name: event[name] for name in TEXTS},
                }


PARSERS: dict[str, Callable[[bytes], list[Facts]]] = {"frab-xml": parse_xml, "frab-json": parse_json}


def _minutes(duration: str) -> int:
    *days, hours, minutes = map(int, duration.split(":"))
    return 60 * (24 * sum(days) + hours) + minutes


# What schedule-convert reads of them.
CONVERTED = (
    "id",
    "guid",
    "day",
    "clock",
    "persons",
    *(name for name in TEXTS if name not in {"type", "logo"}),
)


def convert(body: bytes) -> list[Facts]:
    """Return what schedule-convert reads, which trims texts and knows no days but calendar dates."""
    conference = FrabXmlImporter().parse(io.BytesIO(body))
    return [
        {
            "id": int(event.id),
            "guid": str(event.guid),
            "room": event.room.name,
            "day": event.start.date().isoformat(),
            "clock": f"{event.start:%H:%M}",
            "end": event.start + timedelta(minutes=event.duration),
            "persons": [speaker.name for speaker in event.speakers],
            **{name: getattr(event, name) or "" for name in TEXTS if name in CONVERTED},
        }
        for event in conference.events
    ]


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
