"""What an import compares: what the file says, the programme as it is, and what has been found out so far."""

from functools import cached_property
from typing import Any

from feeds.names import fold
from programme.exchange.merge.deleted_rows import DeletedRows
from programme.exchange.merge.directory import Directory
from programme.exchange.merge.permissions import ImportPermissions
from programme.exchange.merge.plan import Plan
from programme.exchange.merge.three_way import GONE, Conflict, ThreeWayMerge
from programme.exchange.values import Contents, ImportOptions, ScheduledEvent, ScheduledOccasion
from programme.models import Event, Occasion

PLACE = {"location", "room"}
_RELATIONS = ("area", "sub_area__area", "type", "organizer", "language", "location", "room")


class ImportContext:
    """What comparing events and comparing occasions have in common."""

    def __init__(self, contents: Contents, order: ImportOptions) -> None:
        self.contents = contents
        self.order = order
        self.directory = Directory(order, exact=contents.ours)
        self.permitting = ImportPermissions(order.rights)
        self.memory = ThreeWayMerge(order, ours=contents.ours)
        self.plan = Plan(self.directory, self.memory)
        events, occasions = self.directory.events, Occasion.objects.filter(source=order.source)
        if contents.ours:
            events, occasions = Event.objects.all(), Occasion.objects.all()
        self.known = list(events.select_related(*_RELATIONS).order_by("id"))
        self.known_occasions = list(
            occasions.select_related("event", "location", "room__location").order_by("start", "id")
        )
        self.taken = {occasion.source_id for occasion in self.known_occasions}
        self.present = {occasion.pk for occasion in self.known_occasions}
        self.untouched: set[int] = set()
        self.identities = {str(occasion.uuid) for occasion in self.known_occasions}
        self.plan.first_time = not self.known

    @cached_property
    def back(self) -> DeletedRows:
        """What was deleted here and may come back."""
        return DeletedRows(self.contents, self.memory, {event.pk for event in self.known}, self.present)

    def _may_be_back(self, event: ScheduledEvent, row: Event | Occasion, key: str, why_not: str) -> bool:
        """Return whether a row that was deleted here is asked to be there again.

        It is a conflict to decide, for whoever may.
        """
        overwritten = self.memory.decides(key)
        if not why_not:
            gone = Conflict(key, row, GONE, None, None, again=True, overwritten=overwritten)
            self._tell_conflicts(event, [gone])
        return overwritten

    def _tell_conflicts(self, event: ScheduledEvent, conflicts: list[Conflict]) -> None:
        if conflicts:
            self.plan.conflicts_of.setdefault(id(event), []).extend(conflicts)

    def _is_refused(self, told: ScheduledEvent | ScheduledOccasion, why: str) -> bool:
        """Return whether there is a reason why the person who imports may not do it; it is told then."""
        if why:
            self.plan.refused.append((told, why))
        return bool(why)


def place_of_event(event: ScheduledEvent) -> tuple[str, ...]:
    """Return the names of an event's location, its address and room: its own, or its first occasion's."""
    return event.more.get("place") or (place_of(event.occasions[0]) if event.occasions else ())


def place_of(occasion: ScheduledOccasion) -> tuple[str, ...]:
    return (occasion.location, occasion.address, occasion.room)


def folded(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(fold, names))


def as_it_is(row: Any, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values without a location that the row's room has anyway."""
    room = values.get("room")
    inside = room is not None and row.location_id is None and row.room_id == room.pk
    return {name: value for name, value in values.items() if name != "location"} if inside else values
