"""Reads calendars that this service exported, with the state of each occasion."""

from collections.abc import Iterator
from typing import Literal

from django.utils.translation import gettext as _

from programme.exchange.own_format import ICAL_PRODUCER
from programme.exchange.readers.entries import DEFAULT_DURATION
from programme.exchange.readers.ical.lines import Component, Property
from programme.exchange.readers.ical.recurrence import CalendarWindow, single_time
from programme.exchange.readers.own_exports import NO_PLACE, OwnOccasion, PlaceNames
from programme.exchange.readers.times import CHECK_THE_YEAR, has_unstorable_year
from programme.exchange.values import Problem
from programme.models.cleaning import clean_line


def is_own_export(calendar: Component) -> bool:
    return calendar.text("PRODID").strip() == ICAL_PRODUCER


def read_own_occasions(
    calendar: Component, window: CalendarWindow, problems: list[Problem]
) -> Iterator[OwnOccasion]:
    """Yield the occasions of a calendar; one without a start or a title is a problem."""
    for component in calendar.components:
        if component.name != "VEVENT":
            continue
        if found := _occasion(component, window):
            yield found
        else:
            problems.append(_left_out(component))


def _left_out(component: Component) -> Problem:
    start = clean_line(component.text("DTSTART"))
    if not clean_line(component.text("SUMMARY")):
        what = _("left out, because it has no title")
    elif has_unstorable_year(start):
        what = _("left out: %(why)s") % {"why": CHECK_THE_YEAR}
    else:
        what = _("left out, because its start cannot be read: “%(start)s”") % {"start": start}
    return Problem(component.label, what, left_out=True)


def _occasion(component: Component, window: CalendarWindow) -> OwnOccasion | None:
    start = window.moment_of(component, "DTSTART")
    title = component.text("SUMMARY").strip()
    if start is None or not title:
        return None
    times = single_time(component, start, window)
    location = component.find("LOCATION")
    organizer = component.find("ORGANIZER")
    cancelled = component.keyword("STATUS") == "CANCELLED"
    scopes = component.text("X-CANCELLED").upper().split(",") if cancelled else []
    text, intro, description = _texts(component)
    return OwnOccasion(
        event_id=component.text("X-EVENT") or component.text("UID") or title,
        uuid=component.text("UID").strip(),
        title=title,
        start=times.start,
        end=times.end if times.end and times.end > times.start else times.start + DEFAULT_DURATION,
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
        # Whoever cancels in a calendar cancels that occasion.
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
