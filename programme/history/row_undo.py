"""A row that a batch wrote, and what undoing the batch does to it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from programme.history.batches import RowState
from programme.history.timeline import CHANGED, CREATED, INTERNAL_FIELDS
from programme.history.versions import DELETED
from programme.models.change_marks import MARK

# The attributes whose change is announced with a mark of change.
_ANNOUNCED = {"start", "end", "location_id", "room_id", "cancelled"}


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

    @property
    def is_announced(self) -> bool:
        """Whether it was announced to readers, by the batch or since, and undoing withdraws that."""
        if self.kind == CHANGED and MARK & self.values.keys():
            return bool((self.after or {}).get("changed_at"))
        return self.is_announced_since

    @property
    def is_announced_since(self) -> bool:
        """Whether a later batch announced it, as the timetable does after a move: that news stays."""
        if self.kind != CHANGED or MARK & self.values.keys() or not _ANNOUNCED & self.values.keys():
            return False
        before, after, now = (state or {} for state in (self.before, self.after, self.now))
        is_marked_by_batch = any(before.get(name) != after.get(name) for name in MARK)
        return now.get("changed_at") not in (None, after.get("changed_at")) and not is_marked_by_batch

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
