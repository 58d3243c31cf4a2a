"""Rows of a file that were deleted here since an import brought them, and how they are restored."""

from collections import defaultdict
from functools import cached_property
from typing import Any

from programme.exchange.merge.history import (
    IMPORT,
    build_rows,
    find_deletions,
    find_occasion_deletions,
    find_owners,
)
from programme.exchange.merge.three_way import DELETED, ThreeWayMerge, build_conflict_key, to_json
from programme.exchange.values import Contents, ScheduledEvent, ScheduledOccasion
from programme.models import Event, GoneOccasion, ImportedRow, Occasion


class DeletedRows:
    """The deleted rows: of other sources as imports remember them, of this service's sheets by UUIDs."""

    def __init__(
        self, contents: Contents, memory: ThreeWayMerge, events: set[int], occasions: set[int]
    ) -> None:
        self.contents = contents
        self.memory = memory
        self.stored_events = events
        rows = {} if contents.is_own_export else memory.rows
        self._events = [
            row for (kind, pk), row in rows.items() if kind == ImportedRow.EVENT and pk not in events
        ]
        self._occasions = [
            row for (kind, pk), row in rows.items() if kind == ImportedRow.OCCASION and pk not in occasions
        ]
        self._event_by_id = {row.source_id: row.row_id for row in self._events if row.source_id}
        self._occasion_by_id = {row.source_id: row.row_id for row in self._occasions if row.source_id}
        self._occasion_by_start = {
            (row.values.get("event"), row.values.get("start")): row.row_id for row in self._occasions
        }

    def find_event(self, event: ScheduledEvent) -> int | None:
        """Return the primary key that an event of the file had, None if it was not deleted."""
        if not self.contents.is_own_export:
            return self._event_by_id.get(event.source_id)
        owners = (self._owners.get(occasion.guid) for occasion in event.occasions)
        return next((owner for owner in owners if owner and owner not in self.stored_events), None)

    def find_occasion(self, occasion: ScheduledOccasion, event: Event) -> int | None:
        """Return the primary key that an occasion of another source had, None if it was not deleted."""
        if occasion.guid:
            return self._occasion_by_id.get(occasion.guid)
        return self._occasion_by_start.get((event.pk, to_json(occasion.start))) if event.pk else None

    @cached_property
    def uuids(self) -> set[str]:
        """The UUIDs of occasions that were published and have been deleted."""
        return set(map(str, GoneOccasion.objects.values_list("uuid", flat=True)))

    @cached_property
    def _owners(self) -> dict[str, int]:
        return find_owners(
            {each.guid for event in self.contents.events for each in event.occasions} & self.uuids
        )

    @cached_property
    def _event_versions(self) -> dict[int, Any]:
        keys = {row.row_id for row in self._events}
        if self.contents.is_own_export:
            keys = set(self._owners.values()) - self.stored_events
        return find_deletions(Event, {key for key in keys if self._is_decided(Event(pk=key))})

    def _is_decided(self, row: Event | Occasion) -> bool:
        return self.memory.takes_file(build_conflict_key(row, row.pk, DELETED))

    @cached_property
    def events(self) -> dict[int, Event]:
        """The events to restore, as they were."""
        return build_rows(Event, self._event_versions.values())

    @cached_property
    def _occasions_by_event(self) -> dict[int, list[Occasion]]:
        versions = find_occasion_deletions(self._event_versions)
        found = defaultdict(list)
        for row in build_rows(Occasion, versions, self._event_versions).values():
            found[row.event_id].append(row)
        return found

    def occasions_of(self, event: Event) -> list[Occasion]:
        """Return the occasions that were deleted together with an event."""
        return self._occasions_by_event.get(event.pk, [])

    @cached_property
    def _occasion_versions(self) -> dict[int, Any]:
        return find_deletions(Occasion, {row.row_id for row in self._occasions})

    @cached_property
    def deleted_by_imports(self) -> set[int]:
        versions = self._occasion_versions.items()
        return {key for key, version in versions if version.edit and version.edit.reason == IMPORT}

    @cached_property
    def occasions(self) -> dict[int, Occasion]:
        """The occasions to restore, as they were: those that imports deleted, and those decided on."""
        versions = [
            version
            for key, version in self._occasion_versions.items()
            if version.event_id in self.stored_events
            and (key in self.deleted_by_imports or self._is_decided(Occasion(pk=key)))
        ]
        return build_rows(Occasion, versions)
