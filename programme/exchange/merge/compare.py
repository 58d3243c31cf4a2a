"""What an import would do: a schedule's contents compared with the programme, writing nothing."""

from collections.abc import Callable, Collection
from typing import Any

from programme.exchange.merge.compare_events import Events
from programme.exchange.merge.compare_occasions import Occasions
from programme.exchange.merge.edited_rows import edited_events, edited_occasions
from programme.exchange.merge.former_names import former_names
from programme.exchange.merge.matching import guid_of, key_of
from programme.exchange.merge.permissions import leave_out_unused
from programme.exchange.merge.plan import Plan
from programme.exchange.merge.three_way import MISSING, Conflict, missing_key
from programme.exchange.values import Contents, ImportOptions
from programme.models import Status


def compare(contents: Contents, order: ImportOptions) -> Plan:
    """Return what importing the contents would do to the programme as it is now."""
    return _Comparison(contents, order).plan


class _Comparison(Events, Occasions):
    def __init__(self, contents: Contents, order: ImportOptions) -> None:
        super().__init__(contents, order)
        self.rows = self._compare_events()
        claimed = self._compare_occasions()
        if not contents.ours:
            self._find_missing(claimed)
        self.plan.renamed = former_names(contents.events, self.directory)
        leave_out_unused(self.directory, self._written())

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
            and id(occasion) not in self.plan.restored
            and occasion.event_id not in self.untouched
            and key_of(occasion.event.source_id) not in unread
            and guid_of(occasion.source_id) not in self.contents.unread_guids
        ]
        if self.order.withdraw_missing:
            self._take_away()

    def _take_away(self) -> None:
        """Withdraw and delete what is missing; of what was edited here only what was decided."""
        gone = {event.pk for event in self.plan.events.missing}
        events = [event for event in self.plan.events.missing if event.status == Status.PUBLISHED]
        occasions = [each for each in self.plan.occasions.missing if each.event_id not in gone]
        self.plan.withdrawn_events = self._decided(events, edited_events)
        self.plan.withdrawn_occasions = self._decided(occasions, edited_occasions)

    def _decided(
        self, rows: list[Any], edited_among: Callable[[Collection[int]], dict[int, Any]]
    ) -> list[Any]:
        edited = edited_among({row.pk for row in rows})
        for row in rows:
            if row.pk in edited:
                key = missing_key(row)
                here, overwritten = edited[row.pk], self.memory.decides(key)
                self.plan.edited_missing.append(Conflict(key, row, MISSING, here, None, False, overwritten))
        kept = {id(each.row) for each in self.plan.edited_missing if not each.overwritten}
        return [row for row in rows if id(row) not in kept]


def _related(row: Any) -> dict[str, Any]:
    """Return the rows that a row names."""
    return {field.name: getattr(row, field.name) for field in row._meta.concrete_fields if field.is_relation}
