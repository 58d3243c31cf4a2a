"""Reads calendars that this service exported, with the state of each occasion."""

from datetime import UTC
from typing import Literal

from programme.exchange.own_format import ICAL_PRODUCER, split_uid
from programme.exchange.readers.ical.lines import Component, Property
from programme.exchange.readers.own_exports import NO_PLACE, OwnOccasion, PlaceNames
from programme.exchange.readers.times import parse_instant
from programme.exchange.values import Entry, ScheduledOccasion


def is_own_export(calendar: Component) -> bool:
    return calendar.text("PRODID").strip() == ICAL_PRODUCER


def build_own_occasion(component: Component, entry: Entry, found: ScheduledOccasion) -> OwnOccasion:
    title = component.text("SUMMARY").strip()
    location = component.find("LOCATION")
    organizer = component.find("ORGANIZER")
    cancelled = component.keyword("STATUS") == "CANCELLED"
    scopes = component.text("X-CANCELLED").upper().split(",") if cancelled else []
    text, intro, description = _texts(component)
    stated = component.text("UID").strip()
    uuid, uid = split_uid(stated) if stated else ("", "")
    return OwnOccasion(
        event_id=component.text("X-EVENT") or component.text("UID") or title,
        uuid=str(uuid),
        uid=uid,
        title=title,
        start=found.start,
        # Longer than others may last.
        end=max(found.end, parse_instant(entry.end, UTC) or found.end),
        type=next((text for each in component.find_all("CATEGORIES") for text in each.texts), ""),
        organizer=organizer.parameters.get("CN", "") if organizer else "",
        place=_place(location),
        event_place=_place(component.find("X-EVENT-LOCATION")),
        own_place=location is not None and "X-OWN" in location.parameters,
        area=component.text("X-AREA"),
        sub_area=component.text("X-SUB-AREA"),
        text_language=text,
        intro=intro,
        description=description,
        external_url=component.text("URL"),
        image_url=component.text("IMAGE"),
        event_cancelled="EVENT" in scopes,
        # In a calendar, people cancel single occasions.
        occasion_cancelled=(cancelled and "EVENT" not in scopes) or "OCCASION" in scopes,
        draft=(component.keyword("X-STATUS") or component.keyword("STATUS")) in {"DRAFT", "TENTATIVE"},
        last_modified=component.text("X-LAST-MODIFIED"),
    )


def _texts(component: Component) -> tuple[Literal["sv", "en"], str | None, str]:
    """Return language, intro and description; the intro is None where the text does not begin with it."""
    stated = component.find("DESCRIPTION")
    if stated is None:
        return "sv", "", ""
    language: Literal["sv", "en"] = "en" if stated.parameters.get("LANGUAGE", "").startswith("en") else "sv"
    intro, text = component.text("X-INTRO"), stated.text
    if "X-INTRO" not in {each.name for each in component.properties} or not text.startswith(intro):
        return language, None, text
    rest = text.removeprefix(intro)
    return language, intro, rest.removeprefix("\n\n") if intro else rest


def _place(stated: Property | None) -> PlaceNames:
    if stated is None:
        return NO_PLACE
    line, *address = stated.text.split("\n")
    room = stated.parameters.get("X-ROOM", "")
    location = line.removesuffix(f", {room}")
    return (location, ", ".join(address), room if room and location != line else "")
