"""Match and compare: which row each event and occasion of a file is, and which values the file states."""

from collections.abc import Collection
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from feeds.names import fold
from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.directory import OTHER, Directory
from programme.exchange.merge.editions import find_apart
from programme.exchange.merge.matching import find_events, find_occasions, find_own_events, find_own_occasions
from programme.exchange.merge.names import ask_about_retitled
from programme.exchange.merge.plan import PlannedImport
from programme.exchange.merge.three_way import differ
from programme.exchange.readers.entries import split_uid
from programme.exchange.text.languages import TEXTS
from programme.exchange.values import ScheduledEvent, ScheduledOccasion
from programme.models import Event, Occasion, Status
from programme.models.event_types import TYPES, arrange_types

PLACE = frozenset({"location", "room"})
_LANGUAGES = (("sv", "en"), ("en", "sv"))
Values = dict[str, Any]


class Match(NamedTuple):
    """What the file states and its row: stored, restored if it has a primary key all the same, or new."""

    event: ScheduledEvent
    stated: Any
    row: Any
    stored: bool
    # What identifies it where an editor has deleted it, so that restoring it has to be decided.
    deleted: Any = None
    # The row of an occasion's event.
    owner: Any = None


def match_events(context: ImportContext, planned: PlannedImport) -> list[Match]:
    find = find_own_events if context.contents.is_own_export else find_events
    events, editions = context.contents.events, context.editions
    found = find_apart(
        partial(find, occasions=context.occasions),
        [(each, editions.of_first(occasion.start for occasion in each.occasions)) for each in events],
        [(row, {*map(editions.of, context.starts[row.pk])}) for row in context.events],
    )
    if not context.contents.is_own_export:
        planned.questions += ask_about_retitled(context, found)
    return [
        Match(event, event, found[place], stored=True) if place in found else _match_new_event(context, event)
        for place, event in enumerate(events)
    ]


def _match_new_event(context: ImportContext, event: ScheduledEvent) -> Match:
    deleted = context.deleted.find_event(event)
    row = context.deleted.events.get(deleted) if deleted else None
    publishes = context.options.rights.can_publish
    if row is None:
        published = publishes and not context.options.draft
        row = Event(source=context.options.source, status=Status.PUBLISHED if published else Status.DRAFT)
    elif not publishes:
        row.status = Status.DRAFT
    return Match(event, event, row, stored=False, deleted=deleted)


def match_occasions(context: ImportContext, planned: PlannedImport) -> tuple[list[Match], set[int]]:
    """Match the occasions of the plan's events; also return the keys of all stored ones that the file has."""
    stated = [
        (event, planned.event_rows.get(id(event)), occasion)
        for event in context.contents.events
        for occasion in event.occasions
    ]
    find: Any = partial(find_occasions, is_same=partial(is_same, context))
    if context.contents.is_own_export:
        find = find_own_occasions
    # Occasions that are restored with their event are matched like stored ones.
    known = [*context.occasions, *planned.list_new(Occasion)]
    of = context.editions.of
    found = find_apart(
        find,
        [((owner and owner.pk, occasion), of(occasion.start)) for _event, owner, occasion in stated],
        [(row, {of(row.start)}) for row in known],
    )
    match_new = _NewOccasions(context).match
    matches = [
        Match(event, occasion, row := found[place], stored=not planned.is_new(row), owner=owner)
        if place in found
        else match_new(event, occasion, owner)
        for place, (event, owner, occasion) in enumerate(stated)
        if owner
    ]
    return matches, {row.pk for row in found.values()}


class _NewOccasions:
    """Makes the rows of occasions that are not stored: restored ones, and new ones with unique identities."""

    def __init__(self, context: ImportContext) -> None:
        self.context = context
        self.uuids = {str(occasion.uuid) for occasion in context.occasions}
        self.restored: set[int] = set()

    def match(self, event: ScheduledEvent, occasion: ScheduledOccasion, owner: Event) -> Match:
        row = Occasion(source=self.context.options.source)
        deleted: UUID | int | None = None
        if self.context.contents.is_own_export:
            deleted = self._identify(row, occasion)
        elif key := self.context.deleted.find_occasion(occasion, owner):
            deleted = None if key in self.context.deleted.deleted_by_imports else key
            if key in self.context.deleted.occasions and key not in self.restored:
                row = self.context.deleted.occasions[key]
                self.restored.add(key)
        return Match(event, occasion, row, stored=False, deleted=deleted, owner=owner)

    def _identify(self, row: Occasion, occasion: ScheduledOccasion) -> UUID | None:
        """Give a row the identity that its sheet states; return it if the row was deleted here."""
        # A row of the sheet that somebody has copied has the identity of another one.
        if occasion.guid and occasion.guid not in self.uuids:
            row.uuid = UUID(occasion.guid)
            row.uid = occasion.uid if occasion.uid and split_uid(occasion.uid)[0] == row.uuid else ""
        self.uuids.add(str(row.uuid))
        return row.uuid if str(row.uuid) in self.context.deleted.uuids else None


def compare_event(context: ImportContext, match: Match) -> dict[str, Any]:
    """Return the values of an event that its file may change, or all of a new event's."""
    event, row, stated = match.event, match.row, context.contents.stated
    directory, options = context.directory, context.options
    values: dict[str, Any] = {
        "title": event.title,
        "organizer": directory.organizers.find_optional(event.organizer),
        "language": directory.languages.find_optional(event.language),
    }
    # An event always has a type: where the file gives none, it stays what it is.
    named = map(directory.types.find_optional, directory.split_types(event.type))
    if types := [each for each in named if each]:
        values |= arrange_types(types) if context.states_several_types else {"type": types[0]}
    values |= _more_values(event, directory)
    if row.pk:
        stated = stated | {*TYPES} if "type" in stated else stated
        values = {name: value for name, value in values.items() if name in stated}
    if options.area or (row.area_id is None and "area" not in values):
        values["area"] = directory.area
    if row.type_id is None:
        values = {"type": directory.types.find(OTHER)} | values
    values |= _texts_of_other_language(row, event, stated) | _sub_area_of_other_area(row, values)
    if not context.options.rights.can_publish or (options.draft and not match.stored):
        values.pop("status", None)
    return values


def compare_occasion(context: ImportContext, match: Match) -> dict[str, Any]:
    """Return the values of an occasion that its file may change, or all of a new one's."""
    values: Values = {"event": match.owner} | match.stated.more
    return values | _find_held(context, match.stated, is_new=match.row.pk is None)


def is_same(context: ImportContext, row: Occasion, occasion: ScheduledOccasion) -> bool:
    """Return whether a stored occasion is exactly as the file has it, at its times and where it is held."""
    held = _find_held(context, occasion).items()
    return not any(differ(getattr(row, name), value) for name, value in held)


def _find_held(context: ImportContext, occasion: ScheduledOccasion, *, is_new: bool = False) -> Values:
    """Return when and where an occasion is held, and whether it is, as far as the file states it."""
    values: Values = {"start": occasion.start, "end": occasion.end}
    if occasion.cancelled is not None:
        values["cancelled"] = occasion.cancelled
    if is_new or context.contents.stated & PLACE:
        values |= context.places[id(occasion)]
    return values


def _more_values(event: ScheduledEvent, directory: Directory) -> dict[str, Any]:
    # These name another row; the others are values of the event's own.
    values = {name: value for name, value in event.more.items() if name not in {"area", "sub_area"}}
    name = event.more.get("area", "")
    if not name or directory.options.area or directory.areas.leaves_out(fold(name)):
        return values
    area = directory.find_area(name)
    if "sub_area" in event.more:
        values["sub_area"] = directory.find_inside(directory.sub_areas, event.more["sub_area"], area=area)
    return values | {"area": area}


def _texts_of_other_language(row: Event, event: ScheduledEvent, stated: Collection[str]) -> dict[str, str]:
    """Return '' for texts of the other language that are what the file now gives in this one."""
    pairs = ((f"{name}_{own}", f"{name}_{other}") for name in TEXTS for own, other in _LANGUAGES)
    given = ((event.more.get(own), other) for own, other in pairs if other in {*stated} - event.more.keys())
    return {other: "" for text, other in given if text and getattr(row, other) == text}


def _sub_area_of_other_area(row: Event, values: dict[str, Any]) -> dict[str, Any]:
    """Return None for a sub area that the event would leave with its area."""
    area = values.get("area")
    leaves = area and row.sub_area and "sub_area" not in values and row.sub_area.area_id != area.pk
    return {"sub_area": None} if leaves else {}
