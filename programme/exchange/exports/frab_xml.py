"""schedule.xml as frab, pretalx and the CCC's apps read it, valid by the CCC's own schema."""

import json
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from programme.exchange.exports import frab
from programme.exchange.exports.selection import ExportSelection
from programme.exchange.own_format import FRAB_GENERATOR, FRAB_INSTRUCTION, shorten_duration

_ELEMENTS = (
    *("room", "title", "subtitle", "type", "date", "start", "duration", "abstract", "slug", "track", "logo"),
    *("language", "description"),
)


def write_xml(selection: ExportSelection) -> bytes:
    """Return a schedule of the occasions."""
    days = frab.days(selection)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<schedule>",
        f"  <generator name={quoteattr(FRAB_GENERATOR)} version={quoteattr(frab.VERSION)}/>",
        f"  <version>{selection.modified:%Y-%m-%d %H:%M}</version>" if days else "  <version>1</version>",
        "  <conference>",
        *(f"    <{name}>{escape(text)}</{name}>" for name, text in _conference(selection, days)),
        "  </conference>",
        # The schema demands a day.
        *(line for day in days for line in _day(day)),
        *(() if days else ("  <day/>",)),
        "</schedule>",
        "",
    ]
    return "\n".join(lines).encode()


def _conference(selection: ExportSelection, days: list[frab.FrabDay]) -> list[tuple[str, str]]:
    conference = [("title", selection.name), ("acronym", frab.acronym(selection))]
    if days:
        conference += [("start", days[0].date.isoformat()), ("end", days[-1].date.isoformat())]
    return [
        *conference,
        ("days", str(len(days))),
        ("timeslot_duration", frab.SLOT),
        ("base_url", f"{selection.base_url}/"),
        ("time_zone_name", selection.time.zone_name),
    ]


def _day(day: frab.FrabDay) -> list[str]:
    span = f'start="{day.begins.isoformat()}" end="{day.ends.isoformat()}"'
    lines = [f'  <day index="{day.index}" date="{day.date}" {span}>']
    for name, events in day.rooms.items():
        lines.append(f"    <room name={quoteattr(name)}>")
        lines += [line for event in events for line in _event(event)]
        lines.append("    </room>")
    return [*lines, "  </day>"]


def _event(event: dict[str, Any]) -> list[str]:
    texts = event | {"description": "", "duration": shorten_duration(event["duration"])}
    # Every schema allows processing instructions. "?>" would end the instruction.
    state = json.dumps(event["state"], ensure_ascii=False).replace(">", "\\u003e")
    lines = [
        f'      <event id="{event["id"]}" guid="{event["guid"]}">',
        f"        <?{FRAB_INSTRUCTION} {state}?>",
    ]
    lines += [f"        <{name}>{escape(texts[name])}</{name}>" for name in _ELEMENTS]
    if event["person"]:
        number, name = event["person"]
        lines.append(f'        <persons><person id="{number}">{escape(name)}</person></persons>')
    if event["url"]:
        lines.append(f"        <url>{escape(event['url'])}</url>")
    return [*lines, "      </event>"]
