"""Elements of another service's JSON and calendar, as short as they can be."""

import json
from typing import Any

URL = "https://program.annan.example/sv/{}"


def build_occasion(key: int, date: str, start: str, end: str, span: str = "") -> dict[str, Any]:
    return {
        "id": key,
        "dayID": 3,
        "date": date,
        "startTime": start,
        "endTime": end,
        "stream": None,
        "timeSpan": span,
        "url": {"sv": URL.format(key), "en": URL.format(key).replace("/sv/", "/en/")},
    }


def build_elements(key: int, title: str, *occasions: dict[str, Any], **fields: Any) -> list[dict[str, Any]]:
    """Return the elements of an event: one for each of its occasions."""
    event = {
        "id": key,
        "area": {"id": 5, "name": "Torget", "fullName": "Stora torget", "color": "#2f6f4e"},
        "title": title,
        "type": {"id": 7, "name": {"sv": "Konsert", "en": "Concert"}, "color": None},
        "allOccations": list(occasions),
    }
    return [event | {"occation": occasion} | fields for occasion in occasions]


def encode(elements: list[dict[str, Any]]) -> bytes:
    return json.dumps(elements).encode()


def write_calendar(*events: tuple[int, str, str, str]) -> bytes:
    """Return a calendar of occasions by their IDs, UIDs, starts and ends in UTC."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "X-WR-CALNAME:Stadsfesten"]
    for key, uid, start, end in events:
        lines += ["BEGIN:VEVENT", f"UID:{uid}", f"DTSTART:{start}", f"DTEND:{end}"]
        lines += [f"SUMMARY:Event {key}", f"URL:{URL.format(key)}", "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()
