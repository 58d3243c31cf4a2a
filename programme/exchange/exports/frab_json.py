"""schedule.json as frab, pretalx and the CCC's apps read it."""

import json
from typing import Any

from programme.exchange.exports import frab
from programme.exchange.exports.selection import ExportSelection
from programme.exchange.own_format import FRAB_GENERATOR, FRAB_STATES


def write_json(selection: ExportSelection) -> bytes:
    """Return a schedule of the occasions."""
    days = frab.days(selection)
    first, last = (days[0].date.isoformat(), days[-1].date.isoformat()) if days else ("", "")
    events = [event for day in days for room in day.rooms.values() for event in room]
    document = {
        "generator": {"name": FRAB_GENERATOR, "version": frab.VERSION},
        "schedule": {
            "version": f"{selection.modified:%Y-%m-%d %H:%M}" if days else "1",
            "base_url": f"{selection.base_url}/",
            "conference": {
                "acronym": frab.acronym(selection),
                "title": selection.name,
                "start": first,
                "end": last,
                "daysCount": len(days),
                "timeslot_duration": frab.SLOT,
                "time_zone_name": selection.time.zone_name,
                "days": [_day(day) for day in days],
            },
            # The schema allows keys beside the conference that it does not know.
            FRAB_STATES: {event["guid"]: event["state"] for event in events},
        },
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"


def _day(day: frab.FrabDay) -> dict[str, Any]:
    return {
        "index": day.index,
        "date": day.date.isoformat(),
        "day_start": day.begins.isoformat(),
        "day_end": day.ends.isoformat(),
        "rooms": {name: [_event(event) for event in events] for name, events in day.rooms.items()},
    }


def _event(event: dict[str, Any]) -> dict[str, Any]:
    number, name = event["person"] or (0, "")
    said = {key: value for key, value in event.items() if key not in {"person", "state"}}
    return said | {
        "description": "",
        "persons": [{"id": number, "public_name": name}] if name else [],
        "links": [],
        "attachments": [],
    }
