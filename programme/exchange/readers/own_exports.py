"""Builds contents from files that this service exported, so that the import recognizes every occasion."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec
from django.utils.translation import gettext as _

from programme.exchange.readers.entries import read_entry
from programme.exchange.readers.fields import fit_line, parse_web_address
from programme.exchange.readers.times import CHECK_THE_YEAR, is_storable
from programme.exchange.text.plain import split_description
from programme.exchange.values import (
    Conference,
    Contents,
    Entry,
    ImportDefaults,
    Problem,
    ScheduledEvent,
    ScheduledOccasion,
)
from programme.models import Event, EventType, Location, Organizer, Room
from programme.models.cleaning import clean_line, clean_prose

# The names of a location, its address and a room.
PlaceNames = tuple[str, str, str]
NO_PLACE: PlaceNames = ("", "", "")


class OwnOccasion(msgspec.Struct, frozen=True):
    """An occasion with its event as an exported file has it.

    Fields that are None are not stated; `intro` is None where the file does not separate it from the
    description.
    """

    event_id: str
    uuid: str
    title: str
    start: datetime
    end: datetime
    type: str
    organizer: str
    place: PlaceNames = NO_PLACE
    event_place: PlaceNames = NO_PLACE
    own_place: bool = False
    area: str = ""
    sub_area: str | None = None
    language: str | None = None
    text_language: Literal["sv", "en"] = "sv"
    intro: str | None = None
    description: str = ""
    external_url: str = ""
    image_url: str = ""
    event_cancelled: bool = False
    occasion_cancelled: bool = False
    draft: bool = False
    last_modified: str = ""
    # Of a calendar, where it is no UUID: that is derived from it.
    uid: str = ""


class OwnExport(NamedTuple):
    conference: Conference
    occasions: list[OwnOccasion]
    problems: list[Problem]


def read_own_entry(
    entry: Entry, defaults: ImportDefaults, problems: list[Problem]
) -> ScheduledOccasion | None:
    """Return when an exported entry takes place; None, and a problem, without a start or a title."""
    notes: list[Problem] = []
    found = read_entry(entry, defaults.zone, None, notes, equal_is_a_day=True)
    if found is None:
        problems += notes
    return found.occasion if found else None


def build_own_contents(occasions: Iterable[OwnOccasion], problems: Sequence[Problem] = ()) -> Contents:
    groups: dict[str, list[OwnOccasion]] = defaultdict(list)
    left_out: list[Problem] = []
    for occasion in occasions:
        if is_storable(occasion.start, occasion.end):
            groups[occasion.event_id].append(occasion)
        else:
            what = _("left out: %(why)s") % {"why": CHECK_THE_YEAR}
            left_out.append(Problem(occasion.title, what, left_out=True))
    stated = {"title", "type", "organizer", "location", "room"}
    if any(occasion.language is not None for group in groups.values() for occasion in group):
        stated.add("language")
    return Contents(
        events=tuple(_build_event(key, group) for key, group in groups.items()),
        problems=(*problems, *left_out),
        stated=frozenset(stated),
        is_own_export=True,
    )


def _build_event(key: str, group: Sequence[OwnOccasion]) -> ScheduledEvent:
    first = group[0]
    more = _more(first, group)
    return ScheduledEvent(
        key=key,
        source_id=key,
        title=fit_line(Event, "title", first.title),
        cancelled=first.event_cancelled,
        text_language=first.text_language,
        language=first.language or "",
        type=fit_line(EventType, "name_sv", first.type),
        organizer=fit_line(Organizer, "name", first.organizer),
        external_url=more["external_url"],
        image_url=more["image_url"],
        occasions=tuple(map(_build_occasion, sorted(group, key=lambda each: (each.start, each.end)))),
        more=more,
        last_modified=first.last_modified,
    )


def _more(first: OwnOccasion, group: Sequence[OwnOccasion]) -> dict[str, Any]:
    shared = next((each.place for each in group if not each.own_place), first.event_place)
    more: dict[str, Any] = {
        "status": "draft" if first.draft else "published",
        "cancelled": first.event_cancelled,
        "external_url": parse_web_address(first.external_url),
        "image_url": parse_web_address(first.image_url),
        "place": tuple(map(clean_line, shared)),
    }
    if first.area:
        more["area"] = clean_line(first.area)
    if first.sub_area is not None:
        more["sub_area"] = clean_line(first.sub_area)
    return more | _texts(first)


def _texts(first: OwnOccasion) -> dict[str, str]:
    """Return the texts in the one language of the file, which states nothing if it has none."""
    intro, description = first.intro, clean_prose(first.description)
    if intro is None:
        intro, description = split_description("", "", description)
    if not (intro or description):
        return {}
    language = first.text_language
    return {f"intro_{language}": clean_prose(intro), f"description_{language}": description}


def _build_occasion(each: OwnOccasion) -> ScheduledOccasion:
    location, address, room = each.place
    return ScheduledOccasion(
        guid=_parse_uuid(each.uuid),
        start=each.start,
        end=each.end,
        cancelled=each.occasion_cancelled,
        room=fit_line(Room, "name", room),
        location=fit_line(Location, "name", location),
        address=fit_line(Location, "address", address),
        own_place=each.own_place,
        uid=each.uid,
    )


def _parse_uuid(text: str) -> str:
    """Return the identity of an occasion; '' for one that somebody added to the file."""
    try:
        return str(UUID(text))
    except ValueError:
        return ""
