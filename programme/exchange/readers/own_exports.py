"""What a file says that this service exported, for the import to know every event and occasion again."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import msgspec
from django.utils.translation import gettext as _

from programme.exchange.readers.grouping import field_length, parse_web_address
from programme.exchange.readers.times import CHECK_THE_YEAR, is_storable
from programme.exchange.text.descriptions import split_description
from programme.exchange.text.truncate import truncate
from programme.exchange.values import Contents, Problem, ScheduledEvent, ScheduledOccasion
from programme.models import Event, EventType, Location, Organizer, Room
from programme.models.cleaning import clean_line, clean_prose

Names = tuple[str, str, str]
NOWHERE: Names = ("", "", "")


class OwnOccasion(msgspec.Struct, frozen=True):
    """An occasion as one of our files has it, with all that it says of the event.

    `place` and `event_place` are the names of a location, its address and a room. What is None the file says
    nothing about; `intro` is None where the file does not tell it from the description.
    """

    event_id: str
    uuid: str
    title: str
    start: datetime
    end: datetime
    type: str
    organizer: str
    place: Names = NOWHERE
    event_place: Names = NOWHERE
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


def build_own_contents(occasions: Iterable[OwnOccasion], problems: Sequence[Problem] = ()) -> Contents:
    """Return what a file of ours says, ready to be compared with the programme."""
    groups: dict[str, list[OwnOccasion]] = defaultdict(list)
    told: list[Problem] = []
    for occasion in occasions:
        if is_storable(occasion.start, occasion.end):
            groups[occasion.event_id].append(occasion)
        else:
            what = _("left out: %(why)s") % {"why": CHECK_THE_YEAR}
            told.append(Problem(occasion.title, what, left_out=True))
    stated = {"title", "type", "organizer", "location", "room"}
    if any(occasion.language is not None for group in groups.values() for occasion in group):
        stated.add("language")
    events = tuple(_event(key, group) for key, group in groups.items())
    return Contents(events=events, problems=(*problems, *told), stated=frozenset(stated), is_own_export=True)


def _event(key: str, group: Sequence[OwnOccasion]) -> ScheduledEvent:
    first = group[0]
    return ScheduledEvent(
        key=key,
        source_id=key,
        title=_line(Event, "title", first.title),
        cancelled=first.event_cancelled,
        intro="",
        description="",
        text_language=first.text_language,
        language=first.language or "",
        type=_line(EventType, "name_sv", first.type),
        organizer=_line(Organizer, "name", first.organizer),
        external_url=parse_web_address(first.external_url),
        image_url=parse_web_address(first.image_url),
        occasions=tuple(map(_occasion, sorted(group, key=lambda each: (each.start, each.end)))),
        more=_more(first, group),
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
    """Return the texts of the one language that the file has; a file without any says nothing of them."""
    intro, description = first.intro, clean_prose(first.description)
    if intro is None:
        intro, description = split_description("", "", description)
    if not (intro or description):
        return {}
    language = first.text_language
    return {f"intro_{language}": clean_prose(intro), f"description_{language}": description}


def _occasion(each: OwnOccasion) -> ScheduledOccasion:
    location, address, room = each.place
    return ScheduledOccasion(
        guid=_identity(each.uuid),
        start=each.start,
        end=each.end,
        cancelled=each.occasion_cancelled,
        room=_line(Room, "name", room),
        location=_line(Location, "name", location),
        address=_line(Location, "address", address),
        own_place=each.own_place,
    )


def _identity(text: str) -> str:
    """Return an identity as it is compared; '' for an occasion that somebody added to the file."""
    try:
        return str(UUID(text))
    except ValueError:
        return ""


def _line(model: type, field: str, text: str) -> str:
    return truncate(clean_line(text), field_length(model, field))
