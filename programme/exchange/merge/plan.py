"""What an import would do, row by row."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import models

from programme.exchange.merge.directory import Directory
from programme.exchange.merge.three_way import Conflict, ThreeWayMerge
from programme.exchange.values import ScheduledEvent, ScheduledOccasion
from programme.models import Event, Occasion


class FieldChange(NamedTuple):
    """A row with its new values set, and for each field that changes the old and the new one."""

    row: Any
    fields: dict[str, tuple[Any, Any]]


@dataclass
class PlannedRows:
    """What happens to the rows of one kind."""

    created: list[Any] = field(default_factory=list)
    changed: list[FieldChange] = field(default_factory=list)
    unchanged: int = 0
    missing: list[Any] = field(default_factory=list)

    def count(self, row: models.Model, values: dict[str, Any]) -> None:
        """Set a row's values, and count it as changed or unchanged."""
        fields = changes_of(row, values)
        set_values(row, values)
        if fields:
            self.changed.append(FieldChange(row, fields))
        else:
            self.unchanged += 1


@dataclass
class Plan:
    """What an import would do. `rows` are the row of each event of the file, None where it makes none."""

    directory: Directory
    memory: ThreeWayMerge
    events: PlannedRows = field(default_factory=PlannedRows)
    occasions: PlannedRows = field(default_factory=PlannedRows)
    # Missing in the file, and asked to be withdrawn.
    withdrawn_events: list[Event] = field(default_factory=list)
    withdrawn_occasions: list[Occasion] = field(default_factory=list)
    # In the file, but drafts here: somebody has withdrawn them, or they were imported as drafts.
    drafts: list[Event] = field(default_factory=list)
    first_time: bool = True
    # The edit of the history that has carried it out.
    edit: int | None = None
    # For each event of the file, and each of its occasions: the row that it is or will be, if any.
    rows: list[tuple[Event | None, list[Occasion | None]]] = field(default_factory=list)

    # Events and occasions of the file that the person who imports it may not write, and why.
    refused: list[tuple[ScheduledEvent | ScheduledOccasion, str]] = field(default_factory=list)
    # Of those created: what was deleted here and comes back with its identity, by `id`.
    restored: set[int] = field(default_factory=set)
    # Withdrawn by an import, and in the file again: those published again, and those that stay drafts.
    published_again: list[Event] = field(default_factory=list)
    stay_withdrawn: list[Event] = field(default_factory=list)
    # Withdrawn here by somebody.
    withdrawn_here: list[Event] = field(default_factory=list)

    # Of each event of the file and its occasions, by the event's `id`.
    conflicts_of: dict[int, list[Conflict]] = field(default_factory=dict)

    # Of what is missing in the file and was edited here: it is taken away only where that was decided.
    edited_missing: list[Conflict] = field(default_factory=list)

    # What the file calls by its former name: that name, the one that it has, and of how many events.
    renamed: list[tuple[str, str, int]] = field(default_factory=list)

    @property
    def conflicts(self) -> list[Conflict]:
        of_file = [each for conflicts in self.conflicts_of.values() for each in conflicts]
        return of_file + self.edited_missing

    @property
    def writes(self) -> bool:
        """Whether anything of the programme would be written."""
        return bool(
            any(rows.created or rows.changed for rows in (self.events, self.occasions))
            or self.withdrawn_events
            or self.withdrawn_occasions
        )


def changes_of(row: models.Model, values: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return the old and the new value of each field that these values would change."""
    old = {name: getattr(row, name) for name in values}
    return {name: (old[name], value) for name, value in values.items() if differs(old[name], value)}


def differs(old: Any, new: Any) -> bool:
    """Return whether a value is another; rows are compared by their primary keys."""
    if isinstance(old, models.Model) and isinstance(new, models.Model):
        return old.pk != new.pk or old.pk is None
    return bool(old != new)


def set_values(row: models.Model, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
