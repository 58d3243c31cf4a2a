"""What an import would do: a schedule's contents compared with the programme, writing nothing."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import models

from feeds.names import fold
from programme.models import Event, Occasion, Status
from programme.schedules.directory import OTHER, Directory
from programme.schedules.matching import (
    free_id,
    free_occasion_id,
    guid_of,
    key_of,
    match_events,
    match_occasions,
)
from programme.schedules.values import Contents, Order, ScheduledEvent, ScheduledOccasion

PLACE = {"location", "room"}
_RELATIONS = ("area", "sub_area__area", "type", "organizer", "language", "location", "room")


class Change(NamedTuple):
    """A row with its new values set, and for each field that changes the old and the new one."""

    row: Any
    fields: dict[str, tuple[Any, Any]]


@dataclass
class Rows:
    """What happens to the rows of one kind."""

    created: list[Any] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)
    unchanged: int = 0
    missing: list[Any] = field(default_factory=list)

    def count(self, row: models.Model, values: dict[str, Any]) -> None:
        """Set a row's values, and count it as changed or unchanged."""
        old = {name: getattr(row, name) for name in values}
        fields = {name: (old[name], value) for name, value in values.items() if _differs(old[name], value)}
        _set(row, values)
        if fields:
            self.changed.append(Change(row, fields))
        else:
            self.unchanged += 1


@dataclass
class Plan:
    """What an import would do."""

    directory: Directory
    events: Rows = field(default_factory=Rows)
    occasions: Rows = field(default_factory=Rows)
    # Missing in the file, and asked to be withdrawn.
    withdrawn_events: list[Event] = field(default_factory=list)
    withdrawn_occasions: list[Occasion] = field(default_factory=list)
    # In the file, but drafts here: somebody has withdrawn them, or they were imported as drafts.
    drafts: list[Event] = field(default_factory=list)
    first_time: bool = True

    @property
    def writes(self) -> bool:
        """Whether anything would be written."""
        return bool(
            any(rows.created or rows.changed for rows in (self.events, self.occasions))
            or self.withdrawn_events
            or self.withdrawn_occasions
        )


def compare(contents: Contents, order: Order) -> Plan:
    """Return what importing the contents would do to the programme as it is now."""
    return _Comparison(contents, order).plan


class _Comparison:
    def __init__(self, contents: Contents, order: Order) -> None:
        self.contents = contents
        self.order = order
        self.directory = Directory(order)
        self.plan = Plan(self.directory)
        self.known = list(self.directory.events.select_related(*_RELATIONS).order_by("id"))
        self.known_occasions = list(
            Occasion.objects.filter(source=order.source)
            .select_related("event", "location", "room")
            .order_by("start", "id")
        )
        self.plan.first_time = not self.known
        self.rows = self._compare_events()
        claimed = self._compare_occasions()
        self._find_missing(claimed)

    def _compare_events(self) -> list[Event]:
        """Return the rows of the contents' events, with their new values set."""
        found = match_events(self.contents.events, self.known, self.known_occasions)
        taken = {event.source_id for event in self.known}
        rows = []
        for place, event in enumerate(self.contents.events):
            if row := found.get(place):
                self._compare_event(row, event, taken)
            else:
                row = self._new_event(event, taken)
            rows.append(row)
        return rows

    def _new_event(self, event: ScheduledEvent, taken: set[str]) -> Event:
        source_id = free_id(event.source_id, taken)
        status = Status.DRAFT if self.order.draft else Status.PUBLISHED
        row = Event(source=self.order.source, source_id=source_id, status=status)
        values = _own_values(event) | self._named_values(event) | self._place_values(event)
        values |= self._more_values(event)
        values.setdefault("area", self.directory.area)
        _set(row, {"type": self.directory.types.named(event.type or OTHER)} | values)
        self.plan.events.created.append(row)
        return row

    def _compare_event(self, row: Event, event: ScheduledEvent, taken: set[str]) -> None:
        stated = self.contents.stated
        values = {
            name: value
            for name, value in (_own_values(event) | self._named_values(event)).items()
            if name.removesuffix(f"_{event.text_language}") in stated
        }
        values |= self._place_values(event) if stated & PLACE else {}
        values |= self._more_values(event)
        values |= {"area": self.directory.area} if self.order.area else {}
        if key_of(row.source_id) != event.key:
            values["source_id"] = free_id(event.source_id, taken)
        self.plan.events.count(row, values | _texts_that_moved(row, event))
        if row.status == Status.DRAFT:
            self.plan.drafts.append(row)

    def _named_values(self, event: ScheduledEvent) -> dict[str, Any]:
        values = {
            "organizer": self.directory.organizers.optional(event.organizer),
            "language": self.directory.languages.optional(event.language),
        }
        # An event always has a type: where the file gives none, it stays what it is.
        return values | ({"type": self.directory.types.named(event.type)} if event.type else {})

    def _more_values(self, event: ScheduledEvent) -> dict[str, Any]:
        values = {name: value for name, value in event.more.items() if name not in ("area", "sub_area")}
        if not event.more.get("area"):
            return values
        area = self.directory.area if self.order.area else self.directory.area_named(event.more["area"])
        if "sub_area" in event.more and not self.order.area:
            name = event.more["sub_area"]
            values["sub_area"] = self.directory.sub_area(area, name) if name else None
        return values | {"area": area}

    def _place_values(self, event: ScheduledEvent) -> dict[str, Any]:
        return self._place(event.occasions[0]) if event.occasions else {}

    def _place(self, occasion: ScheduledOccasion) -> dict[str, Any]:
        return self.directory.place(occasion.location, occasion.address, occasion.room)

    def _compare_occasions(self) -> set[int]:
        """Return the primary keys of the rows that the contents' occasions are."""
        events = [
            (row, event, occasion)
            for row, event in zip(self.rows, self.contents.events, strict=True)
            for occasion in event.occasions
        ]
        found = match_occasions([(row.pk, occasion) for row, _, occasion in events], self.known_occasions)
        taken = {occasion.source_id for occasion in self.known_occasions}
        for place, (row, event, occasion) in enumerate(events):
            values = self._occasion_values(row, event, occasion)
            if known := found.get(place):
                if occasion.guid and guid_of(known.source_id) != occasion.guid:
                    values["source_id"] = free_occasion_id(occasion.guid, row.source_id, taken)
                self.plan.occasions.count(known, values)
            else:
                source_id = free_occasion_id(occasion.guid, row.source_id, taken)
                new = Occasion(source=self.order.source, source_id=source_id)
                _set(new, values)
                self.plan.occasions.created.append(new)
        return {occasion.pk for occasion in found.values()}

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
        # Only where it is not the event's.
        same = _where(occasion) == _where(event.occasions[0])
        return values | ({"location": None, "room": None} if same else self._place(occasion))

    def _find_missing(self, claimed: set[int]) -> None:
        kept = {row.pk for row in self.rows}
        unread = self.contents.unread_keys
        self.plan.events.missing = [
            event for event in self.known if event.pk not in kept and key_of(event.source_id) not in unread
        ]
        self.plan.occasions.missing = [
            occasion
            for occasion in self.known_occasions
            if occasion.pk not in claimed
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


def _where(occasion: ScheduledOccasion) -> tuple[str, ...]:
    return tuple(map(fold, (occasion.location, occasion.address, occasion.room)))


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


def _differs(old: Any, new: Any) -> bool:
    """Return whether a value is another; rows are compared by their primary keys."""
    if isinstance(old, models.Model) and isinstance(new, models.Model):
        return old.pk != new.pk or old.pk is None
    return bool(old != new)


def _set(row: models.Model, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
