"""Schedules (frab) as files: what the public formats write, of any events, with what the import needs.

What the format has no place for, and the import needs to recognize every occasion, is the occasion's state:
a small JSON object, in XML a processing instruction, which every schema allows.
"""

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from feeds.formats import frab_json, frab_xml
from feeds.listing import Listing
from feeds.schedule import name_room
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES, Event, LanguageCode, Occasion, Place, Text
from programme import models
from programme.exchange.exports.export import ExportFormat
from programme.exchange.exports.selection import ExportPlace
from programme.exchange.own_format import (
    FRAB_GENERATOR,
    FRAB_INSTRUCTION,
    FRAB_STATES,
    remove_cancelled_prefix,
)
from programme.models import Status
from programme.publishing.loading import load_events

State = dict[str, Any]


class FrabXmlExport(ExportFormat):
    name = "frab-xml"
    label = "frab XML"
    purpose = gettext_lazy("For schedule apps of conferences, and for printing systems.")
    extension = "xml"
    media_type = "application/xml"

    def stream(self, events: QuerySet[models.Event], language: LanguageCode = "sv") -> Iterator[bytes]:
        listing = _load(events, language)
        states = {key: _write_instruction(state) for key, state in _states(listing, events).items()}
        yield frab_xml.write_schedule(listing, FRAB_GENERATOR, states)


class FrabJsonExport(ExportFormat):
    name = "frab-json"
    label = "frab JSON"
    purpose = gettext_lazy("The same for newer apps.")
    extension = "json"
    media_type = "application/json"

    def stream(self, events: QuerySet[models.Event], language: LanguageCode = "sv") -> Iterator[bytes]:
        listing = _load(events, language)
        states, occasions = _states(listing, events), listing.occasions
        by_guid = {str(each.identity.uuid): states[each.id] for each in occasions if each.id in states}
        yield frab_json.write_schedule(listing, FRAB_GENERATOR, {FRAB_STATES: by_guid})


def _write_instruction(state: State) -> str:
    # "?>" would end the instruction.
    text = json.dumps(state, ensure_ascii=False).replace(">", "\\u003e")
    return f"        <?{FRAB_INSTRUCTION} {text}?>"


def _load(events: QuerySet[models.Event], language: LanguageCode) -> Listing:
    """Return the occasions of events, drafts too, with each event's texts in one language only."""
    programme = load_events(events)
    shown = {each.event.id: _in_one_language(each.event, language) for each in programme.occasions}
    occasions = tuple(replace(each, event=shown[each.event.id]) for each in programme.occasions)
    snapshot = Snapshot(replace(programme, occasions=occasions), programme.revision.moved_at)
    return Listing(snapshot, Selection(language=language))


def _in_one_language(event: Event, requested: LanguageCode) -> Event:
    """Return the event with the texts of the requested language, else of the one that it has."""
    texts = (event.intro, event.description)
    for language in (requested, *LANGUAGES):
        if any(getattr(text, language) for text in texts):
            intro, description = (Text(**{language: getattr(text, language)}) for text in texts)
            return replace(event, intro=intro, description=description)
    return event


def _states(listing: Listing, events: QuerySet[models.Event]) -> dict[int, State]:
    """Return the states of a listing's occasions, by their IDs."""
    own = ("cancelled", "location_id", "room_id")
    of_event = ("event__cancelled", "event__status", "event__external_url", "event__image_url")
    rows = models.Occasion.objects.filter(event__in=events).values("id", *own, *of_event)
    stated = {row["id"]: row for row in rows}
    # An event that was added between the two queries waits for the next export.
    return {each.id: _state(each, stated[each.id]) for each in listing.occasions if each.id in stated}


def _state(occasion: Occasion, row: dict[str, Any]) -> State:
    event = occasion.event
    return {
        "event": event.id,
        "seen": event.last_modified.isoformat(timespec="microseconds"),
        # As it is written: for an occasion without a place, that is the area.
        "room": name_room(occasion),
        "place": _name_place(occasion.place),
        "event_place": _name_place(event.place),
        "own_place": bool(row["location_id"] or row["room_id"]),
        "sub_area": event.sub_area.name if event.sub_area else "",
        # The Swedish name is the one that the import looks for.
        "type": [event.type.name.sv, event.type.name.en],
        "texts": "en" if event.intro.en or event.description.en else "sv",
        "event_cancelled": row["event__cancelled"],
        "occasion_cancelled": row["cancelled"],
        "draft": row["event__status"] == Status.DRAFT,
        # A title may begin with such a prefix itself.
        "own_mark": remove_cancelled_prefix(event.title) is not None,
        # To the second, where the duration has minutes only.
        "seconds": (occasion.end - occasion.start).total_seconds(),
        # The schedule has the address of the occasion's page, and of an uploaded image.
        "external_url": row["event__external_url"],
        "image_url": row["event__image_url"],
    }


def _name_place(place: Place | None) -> ExportPlace:
    if place is None:
        return ExportPlace()
    return ExportPlace(place.location.name, place.location.address, place.room.name if place.room else "")
