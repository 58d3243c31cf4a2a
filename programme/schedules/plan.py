"""What an import would do, row by row."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import models

from programme.models import Event, Occasion
from programme.schedules.directory import Directory
from programme.schedules.merging import Conflict, Memory
from programme.schedules.values import ScheduledEvent


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
        fields = {name: (old[name], value) for name, value in values.items() if differs(old[name], value)}
        set_values(row, values)
        if fields:
            self.changed.append(Change(row, fields))
        else:
            self.unchanged += 1


@dataclass
class Plan:
    """What an import would do. `rows` are the row of each event of the file, None where it makes none."""

    directory: Directory
    memory: Memory
    events: Rows = field(default_factory=Rows)
    occasions: Rows = field(default_factory=Rows)
    # Missing in the file, and asked to be withdrawn.
    withdrawn_events: list[Event] = field(default_factory=list)
    withdrawn_occasions: list[Occasion] = field(default_factory=list)
    # In the file, but drafts here: somebody has withdrawn them, or they were imported as drafts.
    drafts: list[Event] = field(default_factory=list)
    first_time: bool = True
    # For each event of the file, and each of its occasions: the row that it is or will be, if any.
    rows: list[tuple[Event | None, list[Occasion | None]]] = field(default_factory=list)

    # Events of the file that the person who imports it may not write, and why.
    refused: list[tuple[ScheduledEvent, str]] = field(default_factory=list)

    @property
    def conflicts(self) -> list[Conflict]:
        return self.memory.conflicts

    @property
    def writes(self) -> bool:
        """Whether anything of the programme would be written."""
        return bool(
            any(rows.created or rows.changed for rows in (self.events, self.occasions))
            or self.withdrawn_events
            or self.withdrawn_occasions
        )


def differs(old: Any, new: Any) -> bool:
    """Return whether a value is another; rows are compared by their primary keys."""
    if isinstance(old, models.Model) and isinstance(new, models.Model):
        return old.pk != new.pk or old.pk is None
    return bool(old != new)


def set_values(row: models.Model, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
