"""A change, which is a row before and after, and a plan: changes with refusals and warnings."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from django.utils.translation import gettext_lazy as _

from programme.history.batches import RETURNING, RowState
from programme.history.news import PublicChange, find_changes
from programme.history.versions import CHANGED, CREATED, DELETED, read_state
from programme.models import Event, Occasion, Status
from programme.models.event_types import TYPES
from programme.models.history import SET_ONCE
from programme.models.news import NewsKind, find_news
from programme.models.telling import Telling

# Fields that are only changed, taken back or refused together.
GROUPS = (("area", "sub_area"), ("location", "room"), ("start", "end"), ("latitude", "longitude"), TYPES)
# The reasons for refusing a change.
EDITED = _("edited since")
GONE = _("deleted since")
UNKNOWN = _("the history does not say how it was before")
TAKEN = _("something else has its name or identifier by now")
MISSING = _("what it belongs to is no longer there")
IN_USE = _("in use by something that stays")
WITH_EVENT = _("its event stays")


@dataclass
class Change:
    """A row before and after: None before it is created, and after it is deleted.

    With a `refusal`, which is the reason, the row is not written.
    """

    model: Any
    key: int | None
    before: RowState
    after: RowState
    refusal: Any = ""
    # The row that causes the refusal: it has the name, refers to the row, or is missing.
    by: tuple[Any, int | None] | None = None
    warnings: list[str] = field(default_factory=list)
    # Whether there is an effect beside values: a note for readers, or a planned publication.
    follows: bool = False
    # The last state of a row that does not exist.
    last: RowState = None
    # The present state of the row of a former change, empty if it is deleted: what of it can be taken back.
    now: RowState = None
    # The row in memory with its new values; other new rows may refer to it.
    row: Any = None

    @classmethod
    def of(cls, before: Any, after: Any) -> "Change":
        """Return the change between two instances of a row, None for a missing one."""
        row = after or before
        return cls(type(row), row.pk, read_state(before), read_state(after), row=row)

    @property
    def kind(self) -> str:
        """CREATED, CHANGED or DELETED; '' if nothing is written."""
        if self.refusal or self.before == self.after:
            return ""
        return CREATED if self.before is None else DELETED if self.after is None else CHANGED

    @property
    def values(self) -> dict[str, Any]:
        """The values to write, by attribute: the changed ones, or all of a new row."""
        before, after = self.before or {}, self.final or {}
        return {name: value for name, value in after.items() if name not in before or before[name] != value}

    def list_known(self) -> list[tuple[str, Any, Any]]:
        """Return the attributes to write, with old and new values, but the random identity of a new row."""
        known = [each for each in sorted(self.values.items()) if self.kind != CREATED or each[0] != "uuid"]
        return [(name, (self.before or {}).get(name), value) for name, value in known]

    @property
    def final(self) -> RowState:
        """The row after the plan is written."""
        return self.before if self.refusal else self.after

    @property
    def known(self) -> dict[str, Any]:
        """The values that name the row: present, future or last ones."""
        return self.before or self.after or self.last or {}

    def build(self) -> Any:
        return self.row or self.model(**(self.final or {}))


@dataclass
class Plan:
    """Changes of rows, shown by one page and written by one function as one edit.

    `reason` and `detail` name the edit; `follow` writes data that belongs to it and has no versions.
    """

    changes: list[Change]
    reason: str = ""
    detail: str = ""
    follow: "Callable[[Plan], None] | None" = None
    # If given, the editor is not asked whether readers are told.
    telling: Telling | None = None
    warnings: list[str] = field(default_factory=list)
    # Whether a refused change prevents writing the others.
    is_whole: bool = False

    @property
    def written(self) -> list[Change]:
        return [each for each in self.changes if each.kind]

    @property
    def done(self) -> list[Change]:
        """The changes that are written or have another effect."""
        return [each for each in self.changes if each.kind or (each.follows and not each.refusal)]

    @property
    def refused(self) -> list[Change]:
        return [each for each in self.changes if each.refusal]

    @property
    def digest(self) -> str:
        """A hash of the changes, refusals and warnings that the preview shows."""
        shown = [
            (each.model.__name__, each.key, each.kind, each.list_known(), str(each.refusal), each.warnings)
            + ((each.before,) if each.kind == DELETED else ())
            for each in (*self.done, *self.refused)
        ]
        return hashlib.sha256(repr((shown, self.warnings)).encode()).hexdigest()

    def find_told(self, instant: datetime) -> dict[int, NewsKind]:
        """Return the news that the plan makes unless an editor declines it, by ID of occasion."""
        told = {each.key: find_news(*each.states, instant) for each in self.list_public()}
        return {key: kind for key, kind in told.items() if kind}

    @property
    def takes_back(self) -> bool:
        """Whether rows return to a former state."""
        return self.reason in RETURNING

    def list_public(self) -> list[PublicChange]:
        """Return the changes of occasions that are or become public; one query, or two."""
        pairs = {
            model: {each.key: (each.before, each.after) for each in self.written if each.model is model}
            for model in (Event, Occasion)
        }
        events, occasions = (
            {key: pair for key, pair in found.items() if key is not None} for found in pairs.values()
        )
        return find_changes(events, occasions, [*events])

    @property
    def published(self) -> list[str]:
        """The titles of events that become visible to readers; one query, or two."""
        if not any((each.final or {}).get("status") == Status.PUBLISHED for each in self.written):
            return []
        seen = (each for each in self.list_public() if each.before.state is None and each.after.state)
        titles = {each.event["id"]: each.event["title"] for each in seen}
        known = {each.key for each in self.written if (each.before or {}).get("status") == Status.PUBLISHED}
        return [title for key, title in titles.items() if key not in known]


@cache
def group_attributes(model: Any) -> dict[str, frozenset[str]]:
    """Return the attributes that each attribute is changed with, itself included."""
    attributes = {each.name: each.attname for each in model.history.model.tracked_fields}
    found = {name: frozenset({name}) for name in attributes.values()}
    for group in GROUPS:
        if set(group) <= attributes.keys():
            together = frozenset(attributes[name] for name in group)
            found |= dict.fromkeys(together, together)
    return found


def widen(model: Any, names: Iterable[str]) -> set[str]:
    """Return attributes with the rest of their groups, without those that are set once."""
    groups = group_attributes(model)
    return {name for each in names if each in groups for name in groups[each]} - SET_ONCE
