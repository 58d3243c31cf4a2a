"""What an import would do: a schedule's contents compared with the programme, writing nothing."""

from functools import cached_property
from typing import Any
from uuid import UUID

from feeds.names import fold
from programme.models import Event, GoneOccasion, ImportedRow, Occasion, Status
from programme.schedules.directory import OTHER, Directory
from programme.schedules.matching import (
    free_id,
    free_occasion_id,
    guid_of,
    key_of,
    match_events,
    match_occasions,
)
from programme.schedules.matching_ours import match_our_events, match_our_occasions
from programme.schedules.merging import GONE, Deleted, Memory
from programme.schedules.permitting import Permitting, leave_out_unused
from programme.schedules.plan import Plan, set_values
from programme.schedules.values import Contents, Order, ScheduledEvent, ScheduledOccasion

PLACE = {"location", "room"}
_BY_NAME = ("area", "sub_area", "place")
_RELATIONS = ("area", "sub_area__area", "type", "organizer", "language", "location", "room")


def compare(contents: Contents, order: Order) -> Plan:
    """Return what importing the contents would do to the programme as it is now."""
    return _Comparison(contents, order).plan


class _Comparison:
    def __init__(self, contents: Contents, order: Order) -> None:
        self.contents = contents
        self.order = order
        self.directory = Directory(order, exact=contents.ours)
        self.permitting = Permitting(order.rights)
        self.memory = Memory(order, ours=contents.ours)
        self.plan = Plan(self.directory, self.memory)
        events, occasions = self.directory.events, Occasion.objects.filter(source=order.source)
        if contents.ours:
            events, occasions = Event.objects.all(), Occasion.objects.all()
        self.known = list(events.select_related(*_RELATIONS).order_by("id"))
        self.known_occasions = list(
            occasions.select_related("event", "location", "room__location").order_by("start", "id")
        )
        self.taken = {occasion.source_id for occasion in self.known_occasions}
        self.untouched: set[int] = set()
        self.identities = {str(occasion.uuid) for occasion in self.known_occasions}
        self.plan.first_time = not self.known
        self.rows = self._compare_events()
        claimed = self._compare_occasions()
        if not contents.ours:
            self._find_missing(claimed)
        leave_out_unused(self.directory, self._written())

    def _compare_events(self) -> list[Event | None]:
        """Return the rows of the contents' events, with their new values set."""
        match = match_our_events if self.contents.ours else match_events
        found = match(self.contents.events, self.known, self.known_occasions)
        taken = {event.source_id for event in self.known}
        deleted = Deleted(self.memory, ImportedRow.EVENT, {event.pk for event in self.known})
        rows: list[Event | None] = []
        for place, event in enumerate(self.contents.events):
            row = found.get(place)
            if row is None:
                row = self._new_event(event, taken, deleted)
            elif not self._compare_event(row, event, taken):
                self.untouched.add(row.pk)
                row = None
            rows.append(row)
            self.plan.rows.append((row, []))
        return rows

    def _new_event(self, event: ScheduledEvent, taken: set[str], deleted: Deleted) -> Event | None:
        """Return a new row; None for what was deleted here."""
        draft = self.order.draft or not self.permitting.publishes
        row = Event(source=self.order.source, status=Status.DRAFT if draft else Status.PUBLISHED)
        values = _own_values(event) | self._named_values(event) | self._place_values(event)
        values |= self._more_values(event)
        if draft:
            values.pop("status", None)
        if "area" not in values:
            values["area"] = self.directory.area
        values = {"type": self.directory.types.named(event.type or OTHER)} | values
        set_values(row, values)
        if self._is_refused(event, self.permitting.why_not_new(row, values)):
            return None
        if not self.memory.bring_back(row, deleted.event(event)):
            return None
        if not self.contents.ours:
            row.source_id = free_id(event.source_id, taken)
        self.memory.remember(row, values)
        self.plan.events.created.append(row)
        return row

    def _is_refused(self, event: ScheduledEvent, why: str) -> bool:
        """Return whether there is a reason why the person who imports may not do it; it is told then."""
        if why:
            self.plan.refused.append((event, why))
        return bool(why)

    def _compare_event(self, row: Event, event: ScheduledEvent, taken: set[str]) -> bool:
        """Set the new values of a row; return whether that is allowed."""
        stated = self.contents.stated
        values = {
            name: value
            for name, value in (_own_values(event) | self._named_values(event)).items()
            if name.removesuffix(f"_{event.text_language}") in stated
        }
        values |= _as_it_is(row, self._place_values(event) if stated & PLACE else {})
        values |= self._more_values(event)
        values |= {"area": self.directory.area} if self.order.area else {}
        values |= _texts_that_moved(row, event) | _sub_area_that_is_elsewhere(row, values)
        if not self.permitting.publishes:
            values.pop("status", None)
        if self._is_refused(event, self.permitting.why_not_changed(row, values)):
            return False
        if not self.contents.ours and key_of(row.source_id) != event.key:
            values["source_id"] = free_id(event.source_id, taken)
        self.plan.events.count(row, self.memory.allowed(row, values, event.seen))
        if row.status == Status.DRAFT:
            self.plan.drafts.append(row)
        return True

    def _written(self) -> list[dict[str, Any]]:
        """Return the values of each row that would be written."""
        rows = (self.plan.events, self.plan.occasions)
        created = [_related(row) for each in rows for row in each.created]
        changed = [
            {name: new for name, (_old, new) in change.fields.items()}
            for each in rows
            for change in each.changed
        ]
        return created + changed

    def _named_values(self, event: ScheduledEvent) -> dict[str, Any]:
        values = {
            "organizer": self.directory.organizers.optional(event.organizer),
            "language": self.directory.languages.optional(event.language),
        }
        # An event always has a type: where the file gives none, it stays what it is.
        return values | ({"type": self.directory.types.named(event.type)} if event.type else {})

    def _more_values(self, event: ScheduledEvent) -> dict[str, Any]:
        values = {name: value for name, value in event.more.items() if name not in _BY_NAME}
        if not event.more.get("area"):
            return values
        area = self.directory.area if self.order.area else self.directory.area_named(event.more["area"])
        if "sub_area" in event.more and not self.order.area:
            name = event.more["sub_area"]
            values["sub_area"] = self.directory.sub_area(area, name) if name else None
        return values | {"area": area}

    def _place_values(self, event: ScheduledEvent) -> dict[str, Any]:
        names = _place_of_event(event)
        return self.directory.place(*names) if names else {}

    def _compare_occasions(self) -> set[int]:
        """Return the primary keys of the rows that the contents' occasions are."""
        events = [
            (place, row, event, occasion)
            for place, (row, event) in enumerate(zip(self.rows, self.contents.events, strict=True))
            for occasion in event.occasions
        ]
        match = match_our_occasions if self.contents.ours else match_occasions
        found = match([(row and row.pk, occasion) for _, row, _, occasion in events], self.known_occasions)
        present = {occasion.pk for occasion in self.known_occasions}
        deleted = Deleted(self.memory, ImportedRow.OCCASION, present)
        for number, (place, row, event, occasion) in enumerate(events):
            known = found.get(number)
            if row is None:
                known = None
            else:
                values = self._occasion_values(row, event, occasion)
                why = self.permitting.why_not_held(known or Occasion(), values)
                if self._is_refused(event, why):
                    known = None
                elif known:
                    self._compare_occasion(known, values, event, occasion)
                else:
                    known = self._new_occasion(values, occasion, deleted)
            self.plan.rows[place][1].append(known)
        return {occasion.pk for occasion in found.values()}

    def _compare_occasion(
        self, known: Occasion, values: dict[str, Any], event: ScheduledEvent, occasion: ScheduledOccasion
    ) -> None:
        values = _as_it_is(known, values)
        if not self.contents.ours and occasion.guid and guid_of(known.source_id) != occasion.guid:
            values["source_id"] = free_occasion_id(occasion.guid, values["event"].source_id, self.taken)
        self.plan.occasions.count(known, self.memory.allowed(known, values, event.seen))

    def _new_occasion(
        self, values: dict[str, Any], occasion: ScheduledOccasion, deleted: Deleted
    ) -> Occasion | None:
        """Return a new row; None for what was deleted here."""
        new, event = Occasion(source=self.order.source), values["event"]
        set_values(new, values)
        if self.contents.ours:
            # A row that somebody has copied has the identity of another one.
            if occasion.guid and occasion.guid not in self.identities:
                new.uuid = UUID(occasion.guid)
            self.identities.add(str(new.uuid))
            gone = f"occasion-{new.uuid}-{GONE}" if str(new.uuid) in self.gone else ""
        else:
            gone = deleted.occasion(occasion.guid, event, occasion.start)
        if not self.memory.bring_back(new, gone):
            return None
        if not self.contents.ours:
            new.source_id = free_occasion_id(occasion.guid, event.source_id, self.taken)
        self.memory.remember(new, values)
        self.plan.occasions.created.append(new)
        return new

    @cached_property
    def gone(self) -> set[str]:
        """The identities of occasions that were published and have been deleted here."""
        return set(map(str, GoneOccasion.objects.values_list("uuid", flat=True)))

    def _occasion_values(
        self, row: Event, event: ScheduledEvent, occasion: ScheduledOccasion
    ) -> dict[str, Any]:
        values = {
            "event": row,
            "start": occasion.start,
            "end": occasion.end,
            "cancelled": occasion.cancelled,
        }
        if not self.contents.stated & PLACE:
            return values
        names = _place_of(occasion)
        # Only where it is not the event's.
        same = not occasion.own_place and _folded(names) == _folded(_place_of_event(event))
        # In a sheet an empty cell stands for the event's.
        same |= "place" in event.more and not any(names)
        return values | ({"location": None, "room": None} if same else self.directory.place(*names))

    def _find_missing(self, claimed: set[int]) -> None:
        kept = self.untouched | {row.pk for row in self.rows if row}
        unread = self.contents.unread_keys
        self.plan.events.missing = [
            event for event in self.known if event.pk not in kept and key_of(event.source_id) not in unread
        ]
        self.plan.occasions.missing = [
            occasion
            for occasion in self.known_occasions
            if occasion.pk not in claimed
            and occasion.event_id not in self.untouched
            and key_of(occasion.event.source_id) not in unread
            and guid_of(occasion.source_id) not in self.contents.unread_guids
        ]
        if self.order.withdraw_missing:
            gone = {event.pk for event in self.plan.events.missing}
            self.plan.withdrawn_events = [
                event for event in self.plan.events.missing if event.status == Status.PUBLISHED
            ]
            self.plan.withdrawn_occasions = [
                occasion for occasion in self.plan.occasions.missing if occasion.event_id not in gone
            ]


def _place_of_event(event: ScheduledEvent) -> tuple[str, ...]:
    """Return the names of an event's location, its address and room: its own, or its first occasion's."""
    return event.more.get("place") or (_place_of(event.occasions[0]) if event.occasions else ())


def _place_of(occasion: ScheduledOccasion) -> tuple[str, ...]:
    return (occasion.location, occasion.address, occasion.room)


def _folded(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(fold, names))


def _own_values(event: ScheduledEvent) -> dict[str, Any]:
    return {
        "title": event.title,
        "cancelled": event.cancelled,
        f"intro_{event.text_language}": event.intro,
        f"description_{event.text_language}": event.description,
        "external_url": event.external_url,
        "image_url": event.image_url,
    }


def _texts_that_moved(row: Event, event: ScheduledEvent) -> dict[str, str]:
    """Return '' for texts of the other language that are what the file now gives in this one."""
    other = "en" if event.text_language == "sv" else "sv"
    texts = {f"intro_{other}": event.intro, f"description_{other}": event.description}
    return {name: "" for name, text in texts.items() if text and getattr(row, name) == text}


def _related(row: Any) -> dict[str, Any]:
    """Return the rows that a row names."""
    return {field.name: getattr(row, field.name) for field in row._meta.concrete_fields if field.is_relation}


def _as_it_is(row: Any, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values without a location that the row's room has anyway."""
    room = values.get("room")
    inside = room is not None and row.location_id is None and row.room_id == room.pk
    return {name: value for name, value in values.items() if name != "location"} if inside else values


def _sub_area_that_is_elsewhere(row: Event, values: dict[str, Any]) -> dict[str, Any]:
    """Return None for a sub area that the event would leave with its area."""
    area = values.get("area")
    leaves = area and row.sub_area and "sub_area" not in values and row.sub_area.area_id != area.pk
    return {"sub_area": None} if leaves else {}
