"""Which occasions of the programme a schedule's are, and what of them it would change."""

from typing import Any
from uuid import UUID

from programme.exchange.merge.context import PLACE, ImportContext, as_it_is, folded, place_of, place_of_event
from programme.exchange.merge.matching import free_occasion_id, guid_of, match_occasions
from programme.exchange.merge.matching_own import match_our_occasions
from programme.exchange.merge.plan import changes_of, set_values
from programme.exchange.merge.three_way import IDENTITIES, gone_key
from programme.exchange.values import ScheduledEvent, ScheduledOccasion
from programme.models import Event, ImportedRow, Occasion


class Occasions(ImportContext):
    """The occasions of a schedule, each with its row, once those of the events are found."""

    rows: list[Event | None]

    def _compare_occasions(self) -> set[int]:
        """Return the primary keys of the rows that the contents' occasions are."""
        events = [
            (place, row, event, occasion)
            for place, (row, event) in enumerate(zip(self.rows, self.contents.events, strict=True))
            for occasion in event.occasions
        ]
        match = match_our_occasions if self.contents.ours else match_occasions
        found = match([(row and row.pk, occasion) for _, row, _, occasion in events], self.known_occasions)
        for number, (place, row, event, occasion) in enumerate(events):
            known = self._occasion(found.get(number), row, event, occasion) if row else None
            self.plan.rows[place][1].append(known)
        return {occasion.pk for occasion in found.values()}

    def _occasion(
        self, known: Occasion | None, row: Event, event: ScheduledEvent, occasion: ScheduledOccasion
    ) -> Occasion | None:
        """Return an occasion's row with its new values; None for what is refused or stays deleted."""
        values = self._occasion_values(row, event, occasion)
        if known is None:
            return self._new_occasion(values, event, occasion)
        if id(known) in self.plan.restored:
            set_values(known, values)
            self.memory.remember(known, values)
            return known
        return self._compare_occasion(known, values, event, occasion)

    def _compare_occasion(
        self, known: Occasion, values: dict[str, Any], event: ScheduledEvent, occasion: ScheduledOccasion
    ) -> Occasion | None:
        values = as_it_is(known, values)
        if not self.contents.ours and occasion.guid and guid_of(known.source_id) != occasion.guid:
            values["source_id"] = free_occasion_id(occasion.guid, values["event"].source_id, self.taken)
        allowed, conflicts = self.memory.weigh(known, values, event.seen)
        changes = {name: new for name, (_old, new) in changes_of(known, allowed).items()}
        owner = values["event"]
        if changes.keys() - IDENTITIES and self._is_refused(
            occasion, self.permitting.why_not_held(known, owner, changes)
        ):
            return None
        may = not self.permitting.why_not_held(known, owner, {})
        if may:
            self.memory.remember(known, values)
            self._tell_conflicts(event, conflicts)
        self.plan.occasions.count(known, allowed if may else {})
        return known

    def _new_occasion(
        self, values: dict[str, Any], event_told: ScheduledEvent, occasion: ScheduledOccasion
    ) -> Occasion | None:
        """Return a new row, or a deleted one as it was; None for what is refused or stays deleted."""
        event = values["event"]
        pk = self.back.occasion(occasion, event)
        new = self.back.occasions.get(pk) if pk else None
        if new is None or id(new) in self.plan.restored:
            new = Occasion(source=self.order.source)
        set_values(new, values)
        why = self.permitting.why_not_held(new, event, values)
        if self.contents.ours:
            # A row that somebody has copied has the identity of another one.
            if occasion.guid and occasion.guid not in self.identities:
                new.uuid = UUID(occasion.guid)
            self.identities.add(str(new.uuid))
            identity: Any = new.uuid if str(new.uuid) in self.gone else None
        else:
            identity = None if pk in self.back.deleted_by_imports else pk
        key = gone_key(ImportedRow.OCCASION, identity)
        if identity and not self._may_be_back(event_told, new, key, why):
            return None
        if self._is_refused(occasion, why):
            return None
        if not self.contents.ours and (not new.pk or new.source_id in self.taken):
            new.source_id = free_occasion_id(occasion.guid, event.source_id, self.taken)
        self.memory.remember(new, values)
        self.plan.occasions.created.append(new)
        if new.pk:
            self.plan.restored.add(id(new))
        return new

    @property
    def gone(self) -> set[str]:
        """The identities of occasions that were published and have been deleted here."""
        return self.back.gone

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
        names = place_of(occasion)
        # Only where it is not the event's.
        same = not occasion.own_place and folded(names) == folded(place_of_event(event))
        # In a sheet an empty cell stands for the event's.
        same |= "place" in event.more and not any(names)
        return values | ({"location": None, "room": None} if same else self.directory.place(*names))
