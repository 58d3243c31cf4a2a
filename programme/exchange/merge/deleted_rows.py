"""Which rows of a file were deleted here since an import brought them, and what of them may come back."""

from datetime import datetime
from functools import cached_property
from typing import Any

from programme.exchange.merge import removed_rows
from programme.exchange.merge.three_way import ThreeWayMerge, gone_key, stored
from programme.exchange.values import Contents, ScheduledEvent, ScheduledOccasion
from programme.models import Event, GoneOccasion, ImportedRow, Occasion


class DeletedRows:
    """What was deleted here: of other sources as imports remember it, of our own sheets by identities."""

    def __init__(
        self, contents: Contents, memory: ThreeWayMerge, events: set[int], occasions: set[int]
    ) -> None:
        self.contents = contents
        self.memory = memory
        self.there = events
        self._events = self._gone(ImportedRow.EVENT, events)
        self._occasions = self._gone(ImportedRow.OCCASION, occasions)
        self._event_by_id = {row.source_id: row.row_id for row in self._events if row.source_id}
        self._by_id = {row.source_id: row.row_id for row in self._occasions if row.source_id}
        self._by_start = {
            (row.values.get("event"), row.values.get("start")): row.row_id for row in self._occasions
        }

    def _gone(self, kind: str, present: set[int]) -> list[ImportedRow]:
        if self.contents.ours:
            return []
        return [row for (of, pk), row in self.memory.rows.items() if of == kind and pk not in present]

    def event(self, event: ScheduledEvent) -> int | None:
        """Return the primary key that an event of the file had, None if it never was here."""
        if not self.contents.ours:
            return self._event_by_id.get(event.source_id)
        owners = (self._owners.get(occasion.guid) for occasion in event.occasions)
        return next((owner for owner in owners if owner and owner not in self.there), None)

    def occasion(self, occasion: ScheduledOccasion, event: Event) -> int | None:
        """Return the primary key that an occasion of the file had, None if it never was here."""
        if self.contents.ours:
            return None
        if occasion.guid:
            return self._by_id.get(occasion.guid)
        return self._at_start(event.pk, occasion.start) if event.pk else None

    def _at_start(self, event: int, start: datetime) -> int | None:
        return self._by_start.get((event, stored(start)))

    @cached_property
    def gone(self) -> set[str]:
        """The identities of occasions that were published and have been deleted here."""
        return set(map(str, GoneOccasion.objects.values_list("uuid", flat=True)))

    @cached_property
    def _owners(self) -> dict[str, int]:
        named = {each.guid for event in self.contents.events for each in event.occasions} & self.gone
        return removed_rows.events_of(named) if named else {}

    @cached_property
    def _event_versions(self) -> dict[int, Any]:
        keys = (
            set(self._owners.values()) - self.there
            if self.contents.ours
            else {row.row_id for row in self._events}
        )
        decided = {key for key in keys if self.memory.decides(gone_key(ImportedRow.EVENT, key))}
        return removed_rows.deleted(Event, decided)

    @cached_property
    def events(self) -> dict[int, Event]:
        """The events that are to come back, as they were."""
        return removed_rows.rows_of(Event, self._event_versions.values())

    @cached_property
    def _with_events(self) -> dict[int, list[Occasion]]:
        versions = removed_rows.occasions_of(self._event_versions)
        found: dict[int, list[Occasion]] = {}
        for row in removed_rows.rows_of(Occasion, versions.values(), self._event_versions).values():
            found.setdefault(row.event_id, []).append(row)
        return found

    def occasions_of(self, event: Event) -> list[Occasion]:
        """Return the occasions that were deleted together with an event."""
        return self._with_events.get(event.pk, [])

    @cached_property
    def _occasion_versions(self) -> dict[int, Any]:
        return removed_rows.deleted(Occasion, {row.row_id for row in self._occasions})

    @cached_property
    def deleted_by_imports(self) -> set[int]:
        return removed_rows.deleted_by_imports(self._occasion_versions)

    @cached_property
    def occasions(self) -> dict[int, Occasion]:
        """The occasions that are to come back, as they were."""
        wanted = [
            version
            for key, version in self._occasion_versions.items()
            if version.event_id in self.there
            and (key in self.deleted_by_imports or self.memory.decides(gone_key(ImportedRow.OCCASION, key)))
        ]
        return removed_rows.rows_of(Occasion, wanted)
