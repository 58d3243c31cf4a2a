"""Small schedules in the frab format, as tests import them."""

import json
from xml.sax.saxutils import escape

TEA = {
    "id": "1", "guid": "g1", "title": "Tea", "subtitle": "A cup", "abstract": "Of **tea**.",
    "track": "Drinks", "language": "en", "persons": ["Ada", "Bo"], "room": "Kitchen",
    "date": "2026-07-29T15:00:00+02:00", "duration": "01:00", "url": "https://fest.example/tea",
}  # fmt: skip

LATER = "2026-07-30T15:00:00+02:00"

JAZZ = TEA | {"id": "2", "guid": "g2", "title": "Jazz", "track": "Music", "room": "Stage", "date": LATER}

FEAST = {"acronym": "feast26", "title": "The Feast"}


def build_xml(*events: dict, conference: dict = FEAST) -> str:
    names = "".join(f"<{name}>{escape(text)}</{name}>" for name, text in conference.items())
    return f"<schedule><conference>{names}</conference>{''.join(map(_day, events))}</schedule>"


def _day(event: dict) -> str:
    persons = "".join(f"<person>{escape(name)}</person>" for name in event.get("persons", []))
    parts = "".join(
        f"<{name}>{escape(text)}</{name}>"
        for name, text in event.items()
        if name not in {"id", "guid", "persons", "room", "day"}
    )
    guid = f' guid="{event["guid"]}"' if event.get("guid") else ""
    return (
        f'<day date="{event.get("day", "")}"><room name="{escape(event.get("room", ""))}">'
        f'<event id="{event["id"]}"{guid}>{parts}<persons>{persons}</persons></event></room></day>'
    )


def build_json(*events: dict, conference: dict = FEAST) -> str:
    days = [
        {"rooms": {event["room"]: [event | {"persons": [{"public_name": p} for p in event["persons"]]}]}}
        for event in events
    ]
    return json.dumps({"schedule": {"conference": conference | {"days": days}}})
