"""Compare: the values that a file states for an event or an occasion, by the fields of its row."""

from typing import Any

from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.directory import OTHER, Directory
from programme.exchange.merge.match import EventMatch, OccasionMatch
from programme.exchange.merge.places import PLACE, choose_own_place, settle_places
from programme.exchange.values import ScheduledEvent, ScheduledOccasion
from programme.models import Event

# Fields that name another row; the others of `more` are values of the event's own.
_BY_NAME = {"area", "sub_area", "place"}


def compare_event(context: ImportContext, match: EventMatch) -> dict[str, Any]:
    """Return the values of an event that its file may change, or all of a new event's."""
    event, row, stated = match.event, match.row, context.contents.stated
    directory, options = context.directory, context.options
    values = _own_values(event) | _named_values(event, directory)
    places = context.places[id(event)] = settle_places(context, match)
    values |= _without_known_location(match, places.values)
    if row.pk:
        # A place is stated as a whole, but a restored event keeps what the file does not state.
        stated = stated | PLACE if match.stored else stated
        suffix = f"_{event.text_language}"
        values = {name: value for name, value in values.items() if name.removesuffix(suffix) in stated}
    values |= _more_values(event, directory)
    if options.area or (row.area_id is None and "area" not in values):
        values["area"] = directory.area
    if row.type_id is None:
        values = {"type": directory.types.find(event.type or OTHER)} | values
    values |= _texts_of_other_language(row, event) | _sub_area_of_other_area(row, values)
    if not context.permissions.publishes or (options.draft and not match.stored):
        values.pop("status", None)
    return values


def compare_occasion(context: ImportContext, match: OccasionMatch) -> dict[str, Any]:
    event, occasion = match.event, match.stated
    values = {
        "event": match.owner,
        "start": occasion.start,
        "end": occasion.end,
        "cancelled": occasion.cancelled,
    }
    if occasion.change_info is not None:
        values["change_info"] = occasion.change_info
    values |= _more_of_occasion(occasion, context.directory)
    if context.contents.stated & PLACE:
        row = match.row if match.stored and match.row.event_id == match.owner.pk else None
        own = choose_own_place(context, context.places[id(event)], occasion, row)
        values |= _without_known_location(match, own)
    return values


def _more_of_occasion(occasion: ScheduledOccasion, directory: Directory) -> dict[str, Any]:
    names = occasion.more.get("stream")
    return occasion.more | ({"stream": directory.find_stream(names)} if names else {})


def _without_known_location(match: EventMatch | OccasionMatch, place: dict[str, Any]) -> dict[str, Any]:
    """Return a place without a location that a stored row has by its room."""
    row, room = match.row, place.get("room")
    known = match.stored and room is not None and row.location_id is None and row.room_id == room.pk
    return {"room": room} if known else place


def _own_values(event: ScheduledEvent) -> dict[str, Any]:
    return {
        "title": event.title,
        "cancelled": event.cancelled,
        f"intro_{event.text_language}": event.intro,
        f"description_{event.text_language}": event.description,
        "external_url": event.external_url,
        "image_url": event.image_url,
    }


def _named_values(event: ScheduledEvent, directory: Directory) -> dict[str, Any]:
    values = {
        "organizer": directory.organizers.find_optional(event.organizer),
        "language": directory.languages.find_optional(event.language),
    }
    # An event always has a type: where the file gives none, it stays what it is.
    return values | ({"type": directory.types.find(event.type)} if event.type else {})


def _more_values(event: ScheduledEvent, directory: Directory) -> dict[str, Any]:
    values = {name: value for name, value in event.more.items() if name not in _BY_NAME}
    if not event.more.get("area") or directory.options.area:
        return values
    area = directory.find_area(event.more["area"])
    if "sub_area" in event.more:
        name = event.more["sub_area"]
        values["sub_area"] = directory.find_sub_area(area, name) if name else None
    return values | {"area": area}


def _texts_of_other_language(row: Event, event: ScheduledEvent) -> dict[str, str]:
    """Return '' for texts of the other language that are what the file now gives in this one."""
    other = "en" if event.text_language == "sv" else "sv"
    texts = {f"intro_{other}": event.intro, f"description_{other}": event.description}
    return {name: "" for name, text in texts.items() if text and getattr(row, name) == text}


def _sub_area_of_other_area(row: Event, values: dict[str, Any]) -> dict[str, Any]:
    """Return None for a sub area that the event would leave with its area."""
    area = values.get("area")
    leaves = area and row.sub_area and "sub_area" not in values and row.sub_area.area_id != area.pk
    return {"sub_area": None} if leaves else {}
