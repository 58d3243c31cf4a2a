"""The plan of an import: what it creates, changes, withdraws and leaves as it is, row by row."""

from dataclasses import dataclass, field
from typing import Any

from django.db import models

from feeds.vocabulary import Text
from programme.exchange.merge.directory import Directory
from programme.exchange.merge.three_way import ImportConflict, PlannedChange, ThreeWayMerge, set_values
from programme.exchange.questions import Question
from programme.exchange.values import ScheduledEvent
from programme.models import Event, Occasion


@dataclass
class PlannedRows:
    created: list[Any] = field(default_factory=list)
    changed: list[PlannedChange] = field(default_factory=list)
    unchanged: int = 0
    missing: list[Any] = field(default_factory=list)

    def add(self, change: PlannedChange, values: dict[str, Any]) -> None:
        """Set a stored row's values, and count it as changed or unchanged."""
        set_values(change.row, values)
        if change.fields:
            self.changed.append(change)
        else:
            self.unchanged += 1


@dataclass
class ImportPlan:
    """What an import would do; rows that are not stored yet are known by their `id()`."""

    directory: Directory
    memory: ThreeWayMerge
    # Identifiers in use, which new rows must not have.
    event_ids: set[str]
    occasion_ids: set[str]
    events: PlannedRows = field(default_factory=PlannedRows)
    occasions: PlannedRows = field(default_factory=PlannedRows)
    # The rows of the file's events and occasions, by the `id()` of those; none for what is refused.
    event_rows: dict[int, Event] = field(default_factory=dict)
    occasion_rows: dict[int, Occasion] = field(default_factory=dict)
    # Missing in the file, and to be withdrawn or deleted.
    withdrawn_events: list[Event] = field(default_factory=list)
    withdrawn_occasions: list[Occasion] = field(default_factory=list)
    # What becomes of events that were withdrawn and are in the file, by the `id()` of their rows.
    notes: dict[int, str] = field(default_factory=dict)
    # Why the person who imports may not write events and occasions of the file, by their `id()`; the primary
    # keys of the stored events among them.
    refused: dict[int, str] = field(default_factory=dict)
    refused_events: set[int] = field(default_factory=set)
    # Of those created: what was deleted here and comes back with its identity, by `id()`.
    restored: set[int] = field(default_factory=set)
    # By the `id()` of the file's event; those of rows that are no longer in the file are apart.
    conflicts_by_event: dict[int, list[ImportConflict]] = field(default_factory=dict)
    edited_missing: list[ImportConflict] = field(default_factory=list)
    # Those of the file, and those that comparing it with the programme has raised.
    questions: list[Question] = field(default_factory=list)
    # Stored rows that the file describes beside its events.
    described: list[PlannedChange] = field(default_factory=list)
    # Tokens of facts that rows of events state of places that are here.
    left_facts: tuple[str, ...] = ()
    # The IDs that new rows get.
    kept_ids: list[tuple[models.Model, int]] = field(default_factory=list)
    # New occasions whose UID is that of another one, stored or gone.
    taken_uids: list[Occasion] = field(default_factory=list)
    # Whether readers are told of occasions, and what beside their moves, by ID.
    tells: bool = False
    told: dict[int, Text] = field(default_factory=dict)
    # The edit of the history that has applied it.
    edit: int | None = None

    @property
    def conflicts(self) -> list[ImportConflict]:
        return [*(each for found in self.conflicts_by_event.values() for each in found), *self.edited_missing]

    def add_conflicts(self, event: ScheduledEvent, conflicts: list[ImportConflict]) -> None:
        if conflicts:
            self.conflicts_by_event.setdefault(id(event), []).extend(conflicts)

    def planned(self, row: Event | Occasion) -> PlannedRows:
        return self.events if isinstance(row, Event) else self.occasions

    @property
    def writes(self) -> bool:
        """Whether anything of the programme would be written."""
        return bool(
            any(rows.created or rows.changed for rows in (self.events, self.occasions))
            or self.withdrawn_events
            or self.withdrawn_occasions
            or self.described
            or self.told
        )
