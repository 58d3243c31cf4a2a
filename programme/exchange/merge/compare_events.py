"""Which events of the programme a schedule's are, and what of them it would change."""

from functools import cached_property
from typing import Any

from programme.exchange.merge.context import PLACE, ImportContext, as_it_is, place_of_event
from programme.exchange.merge.directory import OTHER
from programme.exchange.merge.matching import free_id, key_of, match_events
from programme.exchange.merge.matching_own import match_our_events
from programme.exchange.merge.plan import changes_of, set_values
from programme.exchange.merge.removed_rows import withdrawn
from programme.exchange.merge.three_way import IDENTITIES, gone_key
from programme.exchange.values import ScheduledEvent
from programme.models import Event, ImportedRow, Occasion, Status

_BY_NAME = ("area", "sub_area", "place")


class Events(ImportContext):
    """The events of a schedule, each with its row."""

    def _compare_events(self) -> list[Event | None]:
        """Return the rows of the contents' events, with their new values set."""
        match = match_our_events if self.contents.ours else match_events
        found = match(self.contents.events, self.known, self.known_occasions)
        taken = {event.source_id for event in self.known}
        rows: list[Event | None] = []
        for place, event in enumerate(self.contents.events):
            row = found.get(place)
            if row is None:
                row = self._new_event(event, taken)
            elif not self._compare_event(row, event, taken):
                self.untouched.add(row.pk)
                row = None
            rows.append(row)
            self.plan.rows.append((row, []))
        return rows

    def _new_event(self, event: ScheduledEvent, taken: set[str]) -> Event | None:
        """Return a new row, or one that was deleted here as it was; None for what stays deleted."""
        gone = self.back.event(event)
        row = (gone and self.back.events.get(gone)) or Event(source=self.order.source)
        if not row.pk:
            row.status = Status.DRAFT if self.order.draft else Status.PUBLISHED
        if not self.permitting.publishes:
            row.status = Status.DRAFT
        values = self._values_of_new(row, event)
        set_values(row, values)
        why = self.permitting.why_not_new(row, values)
        if gone and not self._may_be_back(event, row, gone_key(ImportedRow.EVENT, gone), why):
            return None
        if self._is_refused(event, why):
            return None
        if not self.contents.ours and (row.source_id in taken or not row.pk):
            row.source_id = free_id(event.source_id, taken)
        self.memory.remember(row, values)
        self.plan.events.created.append(row)
        if row.pk:
            self.plan.restored.add(id(row))
            self.known_occasions += self._occasions_of(row)
        return row

    def _values_of_new(self, row: Event, event: ScheduledEvent) -> dict[str, Any]:
        """Return the values of a new row; of one that comes back, those that the file may change."""
        values = _own_values(event) | self._named_values(event) | self._place_values(event)
        values |= self._more_values(event)
        if self.order.draft or not self.permitting.publishes:
            values.pop("status", None)
        if row.pk:
            values = {name: value for name, value in values.items() if self._is_stated(name, event)}
        if "area" not in values and (row.area_id is None or self.order.area):
            values["area"] = self.directory.area
        if row.type_id is None:
            values = {"type": self.directory.types.named(event.type or OTHER)} | values
        return values

    def _occasions_of(self, row: Event) -> list[Occasion]:
        """Return the occasions with which an event comes back; they come back whatever the file says."""
        found = self.back.occasions_of(row)
        for occasion in found:
            occasion.event = row
            self.taken.add(occasion.source_id)
        self.plan.restored |= set(map(id, found))
        self.plan.occasions.created += found
        return found

    def _is_stated(self, name: str, event: ScheduledEvent) -> bool:
        """Return whether the file says something of a field that it may change."""
        stated = self.contents.stated
        field = name.removesuffix(f"_{event.text_language}")
        return name in event.more or name in _BY_NAME or field in stated

    def _compare_event(self, row: Event, event: ScheduledEvent, taken: set[str]) -> bool:
        """Set the new values of a row; return whether that is allowed."""
        stated = self.contents.stated
        values = {
            name: value
            for name, value in (_own_values(event) | self._named_values(event)).items()
            if name.removesuffix(f"_{event.text_language}") in stated
        }
        values |= as_it_is(row, self._place_values(event) if stated & PLACE else {})
        values |= self._more_values(event)
        values |= {"area": self.directory.area} if self.order.area else {}
        values |= _texts_that_moved(row, event) | _sub_area_that_is_elsewhere(row, values)
        if not self.permitting.publishes:
            values.pop("status", None)
        if not self.contents.ours and key_of(row.source_id) != event.key:
            values["source_id"] = free_id(event.source_id, taken)
        allowed, conflicts = self.memory.weigh(row, values, event.seen)
        allowed |= self._published_again(row, event)
        changes = {name: new for name, (_old, new) in changes_of(row, allowed).items()}
        may = not self.permitting.why_not_changed(row, {})
        if changes.keys() - IDENTITIES and self._is_refused(
            event, self.permitting.why_not_changed(row, changes)
        ):
            return False
        if may:
            self.memory.remember(row, values)
            self._tell_conflicts(event, conflicts)
        self.plan.events.count(row, allowed if may else {})
        self._tell_draft(row)
        return True

    def _published_again(self, row: Event, event: ScheduledEvent) -> dict[str, Any]:
        """Return the status of an event that an import has withdrawn and that the file has again."""
        if row.status != Status.DRAFT or row.pk not in self.withdrawn[0]:
            return {}
        if event.more.get("status", Status.PUBLISHED) != Status.PUBLISHED:
            return {}
        if not self.permitting.publishes:
            self.plan.stay_withdrawn.append(row)
            return {}
        self.plan.published_again.append(row)
        return {"status": Status.PUBLISHED}

    def _tell_draft(self, row: Event) -> None:
        if row.status == Status.DRAFT:
            self.plan.drafts.append(row)
            if row.pk in self.withdrawn[1]:
                self.plan.withdrawn_here.append(row)

    @cached_property
    def withdrawn(self) -> tuple[set[int], set[int]]:
        """The primary keys of drafts that imports have withdrawn, and of those that somebody has."""
        if self.contents.ours or not any(event.status == Status.DRAFT for event in self.known):
            return set(), set()
        return withdrawn(self.directory.events.filter(status=Status.DRAFT))

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
        names = place_of_event(event)
        return self.directory.place(*names) if names else {}


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


def _sub_area_that_is_elsewhere(row: Event, values: dict[str, Any]) -> dict[str, Any]:
    """Return None for a sub area that the event would leave with its area."""
    area = values.get("area")
    leaves = area and row.sub_area and "sub_area" not in values and row.sub_area.area_id != area.pk
    return {"sub_area": None} if leaves else {}
