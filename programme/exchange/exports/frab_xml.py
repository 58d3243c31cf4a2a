"""schedule.xml as frab, pretalx and the CCC's apps read it, valid by the CCC's own schema."""

import json
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from feeds.vocabulary import LanguageCode
from programme.exchange.exports import frab
from programme.exchange.exports.export import ExportFormat
from programme.exchange.exports.selection import select_occasions
from programme.exchange.own_format import FRAB_GENERATOR, FRAB_INSTRUCTION, shorten_duration
from programme.models import Event

_ELEMENTS = (
    *("room", "title", "subtitle", "type", "date", "start", "duration", "abstract", "slug", "track", "logo"),
    *("language", "description"),
)


class FrabXmlExport(ExportFormat):
    name = "frab-xml"
    label = "frab XML"
    purpose = gettext_lazy("For schedule apps of conferences, and for printing systems.")
    extension = "xml"
    media_type = "application/xml"

    def write(self, events: QuerySet[Event], language: LanguageCode = "sv") -> bytes:
        schedule = frab.build_schedule(select_occasions(events, language))
        lines = [
            '<?xml version="1.0" encoding="utf-8"?>',
            "<schedule>",
            f"  <generator name={quoteattr(FRAB_GENERATOR)} version={quoteattr(frab.VERSION)}/>",
            f"  <version>{schedule.version}</version>",
            "  <conference>",
            *(f"    <{name}>{escape(text)}</{name}>" for name, text in _conference(schedule).items()),
            "  </conference>",
            *(line for day in schedule.days for line in _day(day)),
            # The schema demands a day.
            *(() if schedule.days else ("  <day/>",)),
            "</schedule>",
            "",
        ]
        return "\n".join(lines).encode()


def _conference(schedule: frab.FrabSchedule) -> dict[str, str]:
    return {
        "title": schedule.name,
        "acronym": schedule.acronym,
        **(dict(zip(("start", "end"), schedule.span, strict=True)) if schedule.days else {}),
        "days": str(len(schedule.days)),
        "timeslot_duration": frab.SLOT,
        "base_url": schedule.base_url,
        "time_zone_name": schedule.time_zone,
    }


def _day(day: frab.FrabDay) -> list[str]:
    span = f'start="{day.begins.isoformat()}" end="{day.ends.isoformat()}"'
    lines = [f'  <day index="{day.number}" date="{day.date}" {span}>']
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
