"""A row that a batch wrote, and what undoing the batch does to it."""

from dataclasses import dataclass, field
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from programme.history.batches import RowState
from programme.history.timeline import CREATED, INTERNAL_FIELDS
from programme.history.versions import DELETED


class Why(TextChoices):
    """Why a row, or a field, stays as it is."""

    EDITED = "edited", _("edited since")
    DELETED = "deleted", _("deleted since")
    UNKNOWN = "unknown", _("the history does not say how it was before")
    TAKEN = "taken", _("something else has its name or identifier by now")
    MISSING = "missing", _("what it belongs to is no longer there")
    IN_USE = "in use", _("in use by something that stays")
    WITH_EVENT = "with its event", _("its event stays")


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
            self.values.pop(name, None)
            self.kind = self.kind if self.values else ""
        self.kept[name] = why
