"""schedule.json as frab, pretalx and the CCC's apps read it."""

import json
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from feeds.vocabulary import LanguageCode
from programme.exchange.exports import frab
from programme.exchange.exports.export import ExportFormat
from programme.exchange.exports.selection import select_occasions
from programme.exchange.own_format import FRAB_GENERATOR, FRAB_STATES
from programme.models import Event


class FrabJsonExport(ExportFormat):
    name = "frab-json"
    label = "frab JSON"
    purpose = gettext_lazy("The same for newer apps.")
    extension = "json"
    media_type = "application/json"

    def write(self, events: QuerySet[Event], language: LanguageCode = "sv") -> bytes:
        schedule = frab.build_schedule(select_occasions(events, language))
        start, end = schedule.span
        rooms = [room for day in schedule.days for room in day.rooms.values()]
        document = {
            "generator": {"name": FRAB_GENERATOR, "version": frab.VERSION},
            "schedule": {
                "version": schedule.version,
                "base_url": schedule.base_url,
                "conference": {
                    "acronym": schedule.acronym,
                    "title": schedule.name,
                    "start": start,
                    "end": end,
                    "daysCount": len(schedule.days),
                    "timeslot_duration": frab.SLOT,
                    "time_zone_name": schedule.time_zone,
                    "days": [_day(day) for day in schedule.days],
                },
                # The schema allows keys beside the conference that it does not know.
                FRAB_STATES: {event["guid"]: event["state"] for room in rooms for event in room},
            },
        }
        return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"


def _day(day: frab.FrabDay) -> dict[str, Any]:
    return {
        "index": day.number,
        "date": day.date.isoformat(),
        "day_start": day.begins.isoformat(),
        "day_end": day.ends.isoformat(),
        "rooms": {name: [_event(event) for event in events] for name, events in day.rooms.items()},
    }


def _event(event: dict[str, Any]) -> dict[str, Any]:
    number, name = event["person"] or (0, "")
    values = {key: value for key, value in event.items() if key not in {"person", "state"}}
    return values | {
        "description": "",
        "persons": [{"id": number, "public_name": name}] if name else [],
        "links": [],
        "attachments": [],
    }
