"""A row that a batch wrote, and what undoing the batch does to it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from programme.history.batches import RowState
from programme.history.timeline import CREATED, INTERNAL_FIELDS
from programme.history.versions import DELETED


class Why(StrEnum):
    """Why a row, or a field, stays as it is."""

    EDITED = "edited"
    DELETED = "deleted"
    UNKNOWN = "unknown"
    TAKEN = "taken"
    MISSING = "missing"
    IN_USE = "in use"
    WITH_EVENT = "with its event"


@dataclass
class RowUndo:
    """A row that a batch wrote, and what undoing the batch does to it: `kind` is '' for nothing."""

    model: Any
    key: int
    before: RowState
    after: RowState
    now: RowState
    kind: str = ""
    # The values that it gets; of a row that is created, all.
    values: dict[str, Any] = field(default_factory=dict)
    # What stays: the attributes, or the whole row.
    kept: dict[str, Why] = field(default_factory=dict)
    why: Why | None = None

    @property
    def final(self) -> RowState:
        """The values that it has after the undo."""
        if self.kind == DELETED:
            return None
        return (self.now or {}) | self.values if self.now or self.kind == CREATED else None

    @property
    def shown_kept(self) -> list[str]:
        """The kept attributes that editors know."""
        if not self.kept:
            return []
        fields = {each.attname: each.name for each in self.model._meta.local_concrete_fields}
        return [name for name in self.kept if fields[name] not in INTERNAL_FIELDS]

    @property
    def stays(self) -> bool:
        return self.why is not None or bool(self.shown_kept)

    def leave(self, why: Why) -> None:
        self.kind, self.values, self.why = "", {}, why

    def keep(self, name: str, why: Why) -> None:
        """Keep the present value of an attribute; one of a row that is created gets none."""
        if self.kind == CREATED:
            self.values[name] = None
        else:
            self.drop(name)
        self.kept[name] = why

    def drop(self, name: str) -> bool:
        """Do nothing to an attribute; return whether anything was planned for it."""
        was_planned = self.values.pop(name, self) is not self
        self.kind = self.kind if self.values else ""
        return was_planned
