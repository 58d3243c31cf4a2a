"""Validates conference schedules with the C3VOC's schemas and as apps load them, and reads them back."""

import io
import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft6Validator
from lxml import etree
from schedule_convert.importers.frab_xml import FrabXmlImporter

from tests.feeds import conference_apps

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
    for load in (conference_apps.load_in_giggity, conference_apps.load_in_eventfahrplan):
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
    return list(_json_events(json.loads(body)["schedule"]["conference"]["days"]))


def _json_events(days: list[Any]) -> Iterator[Facts]:
    for day in days:
        for room, events in day["rooms"].items():
            for event in events:
                yield {
                    "id": event["id"],
                    "guid": event["guid"],
                    "day": day["date"],
                    "room": room,
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
