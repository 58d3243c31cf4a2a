"""Match: which row of the programme each event and occasion of a file is, stored, deleted here or new."""

from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.matching import find_events, find_occasions
from programme.exchange.merge.matching_own import find_own_events, find_own_occasions
from programme.exchange.merge.places import is_same
from programme.exchange.merge.plan import Plan
from programme.exchange.values import ScheduledEvent, ScheduledOccasion
from programme.models import Event, Occasion, Status


@dataclass(frozen=True)
class EventMatch:
    """An event of the file and its row: stored, restored if it has a primary key all the same, or new."""

    event: ScheduledEvent
    row: Event
    stored: bool
    # What identifies it where an editor has deleted it, so that restoring it has to be decided.
    deleted: Any = None

    @property
    def stated(self) -> ScheduledEvent:
        return self.event


@dataclass(frozen=True)
class OccasionMatch:
    """An occasion of the file and its row, and the row of its event."""

    event: ScheduledEvent
    stated: ScheduledOccasion
    owner: Event
    row: Occasion
    stored: bool
    deleted: Any = None


Match = EventMatch | OccasionMatch


def match_events(context: ImportContext) -> list[EventMatch]:
    find = find_own_events if context.contents.is_own_export else find_events
    events = context.contents.events
    found = find(events, context.events, context.occasions)
    return [
        EventMatch(event, found[place], stored=True) if place in found else _match_new_event(context, event)
        for place, event in enumerate(events)
    ]


def _match_new_event(context: ImportContext, event: ScheduledEvent) -> EventMatch:
    deleted = context.deleted.find_event(event)
    row = context.deleted.events.get(deleted) if deleted else None
    publishes = context.permissions.publishes
    if row is None:
        published = publishes and not context.options.draft
        row = Event(source=context.options.source, status=Status.PUBLISHED if published else Status.DRAFT)
    elif not publishes:
        row.status = Status.DRAFT
    return EventMatch(event, row, stored=False, deleted=deleted)


def match_occasions(context: ImportContext, plan: Plan) -> tuple[list[OccasionMatch], set[int]]:
    """Match the occasions of the plan's events; also return the keys of all stored ones that the file has."""
    stated = [
        (event, plan.event_rows.get(id(event)), occasion)
        for event in context.contents.events
        for occasion in event.occasions
    ]
    find: Any = partial(find_occasions, is_same=partial(is_same, context))
    if context.contents.is_own_export:
        find = find_own_occasions
    # Occasions that are restored with their event are matched like stored ones.
    known = [*context.occasions, *plan.occasions.created]
    found = find([(owner.pk if owner else None, occasion) for _event, owner, occasion in stated], known)
    match_new = _NewOccasions(context).match
    matches = [
        OccasionMatch(event, occasion, owner, found[place], stored=id(found[place]) not in plan.restored)
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

    def match(self, event: ScheduledEvent, occasion: ScheduledOccasion, owner: Event) -> OccasionMatch:
        row = Occasion(source=self.context.options.source)
        deleted: UUID | int | None = None
        if self.context.contents.is_own_export:
            deleted = self._identify(row, occasion)
        elif key := self.context.deleted.find_occasion(occasion, owner):
            deleted = None if key in self.context.deleted.deleted_by_imports else key
            if key in self.context.deleted.occasions and key not in self.restored:
                row = self.context.deleted.occasions[key]
                self.restored.add(key)
        return OccasionMatch(event, occasion, owner, row, stored=False, deleted=deleted)

    def _identify(self, row: Occasion, occasion: ScheduledOccasion) -> UUID | None:
        """Give a row the identity that its sheet states; return it if the row was deleted here."""
        # A row of the sheet that somebody has copied has the identity of another one.
        if occasion.guid and occasion.guid not in self.uuids:
            row.uuid = UUID(occasion.guid)
        self.uuids.add(str(row.uuid))
        return row.uuid if str(row.uuid) in self.context.deleted.uuids else None
