"""Reads schedules that this service exported, with the state of each occasion."""

import json
from datetime import timedelta
from typing import Any
from xml.etree.ElementTree import Element, ProcessingInstruction, TreeBuilder

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from feeds.schedule import format_duration, write_days
from programme.exchange.own_format import (
    FRAB_GENERATOR,
    FRAB_INSTRUCTION,
    FRAB_STATES,
    join_room_name,
    remove_cancelled_prefix,
)
from programme.exchange.readers.json_document import as_dict, as_list, read_document
from programme.exchange.readers.own_exports import (
    NO_PLACE,
    OwnExport,
    OwnOccasion,
    PlaceNames,
    read_own_entry,
)
from programme.exchange.values import Entry, ImportDefaults, Problem, Schedule, ScheduledOccasion

# As many seconds as there are between the first and the last instant of the programme.
_LONGEST = 300 * 366 * 24 * 60 * 60
States = dict[str, dict[str, Any]]


def find_states(content: bytes) -> States | None:
    """Return the states of the occasions by their guids; None for any other schedule."""
    if FRAB_GENERATOR.encode() not in content[:1000]:
        return None
    return _json_states(content) if content.lstrip()[:1] == b"{" else _xml_states(content)


def _json_states(content: bytes) -> States | None:
    schedule = as_dict(as_dict(read_document(content)).get("schedule"))
    states = schedule.get(FRAB_STATES)
    return {guid: as_dict(state) for guid, state in states.items()} if isinstance(states, dict) else None


def _xml_states(content: bytes) -> States:
    parser = DefusedXMLParser(target=TreeBuilder(insert_pis=True), forbid_dtd=True)
    try:
        parser.feed(content)
        root: Element = parser.close()
    except (DefusedXmlException, SyntaxError, ValueError, LookupError):
        return {}
    return {event.get("guid", ""): _state(event) for event in root.iter("event")}


def _state(event: Element) -> dict[str, Any]:
    # The library's types know no tags but strings.
    tags: list[tuple[Any, str]] = [(child.tag, child.text or "") for child in event]
    texts = (text for tag, text in tags if tag is ProcessingInstruction and text.startswith(FRAB_INSTRUCTION))
    try:
        return as_dict(json.loads(next(texts, "").removeprefix(FRAB_INSTRUCTION) or "{}"))
    except ValueError:
        return {}


def read_own_occasions(schedule: Schedule, states: States, defaults: ImportDefaults) -> OwnExport:
    """Return the occasions of a schedule; one without a start or a title is a problem."""
    problems: list[Problem] = []
    occasions = [
        _build_occasion(entry, states.get(entry.guid, {}), found)
        for entry in schedule.entries
        if (found := read_own_entry(entry, defaults, problems))
    ]
    return OwnExport(schedule.conference, occasions, problems)


def _build_occasion(entry: Entry, state: dict[str, Any], found: ScheduledOccasion) -> OwnOccasion:
    title, marked = _split_title(entry.title, state)
    length = _exact_length(entry, state) or found.end - found.start
    place = _place_names(state.get("place"))
    written = str(state.get("room", join_room_name(place[0], place[2])))
    stated = written.strip() == entry.room.strip()
    of_event = bool(state.get("event_cancelled"))
    return OwnOccasion(
        event_id=str(state.get("event") or entry.guid or title),
        uuid=entry.guid,
        title=title,
        start=found.start,
        end=found.start + length,
        type=_type(entry, state),
        organizer=", ".join(entry.persons),
        # A room that somebody wrote into the file is a location without address and room.
        place=place if stated else (entry.room, "", ""),
        event_place=_place_names(state.get("event_place")),
        own_place=bool(state.get("own_place")) or not stated,
        area=entry.track,
        sub_area=str(state.get("sub_area") or ""),
        language=entry.language,
        text_language="en" if state.get("texts") == "en" else "sv",
        intro=entry.subtitle,
        description=entry.abstract,
        external_url=str(state.get("external_url", entry.url)),
        image_url=str(state.get("image_url", entry.logo)),
        event_cancelled=marked and of_event,
        occasion_cancelled=marked and (bool(state.get("occasion_cancelled")) or not of_event),
        draft=bool(state.get("draft")),
        last_modified=str(state.get("seen") or ""),
    )


def _type(entry: Entry, state: dict[str, Any]) -> str:
    """Return the type's Swedish name, unless somebody wrote another type into the file."""
    names = as_list(state.get("type"))
    return str(names[0] or entry.type) if entry.type in names else entry.type


def _exact_length(entry: Entry, state: dict[str, Any]) -> timedelta | None:
    """Return the length to the second, None if somebody wrote another duration into the file."""
    seconds = state.get("seconds")
    if not isinstance(seconds, int | float) or not 0 < seconds <= _LONGEST:
        return None
    length = timedelta(seconds=seconds)
    written = format_duration(length)
    return length if entry.duration in {written, write_days(written)} else None


def _split_title(text: str, state: dict[str, Any]) -> tuple[str, bool]:
    """Return a title without the prefix that the export adds, and whether it had one."""
    title = remove_cancelled_prefix(text)
    if title is None or (state.get("own_mark") and remove_cancelled_prefix(title) is None):
        return text, False
    return title, True


def _place_names(value: Any) -> PlaceNames:
    names = [name if isinstance(name, str) else "" for name in as_list(value)]
    return (names[0], names[1], names[2]) if len(names) == len(NO_PLACE) else NO_PLACE
