"""A change, which is a row before and after; and a plan: changes, and why what was asked for is not done."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from django.utils.translation import gettext_lazy as _

from programme.history.batches import REDID, RESTORED, UNDID, RowState
from programme.history.news import PublicChange, find_changes
from programme.history.versions import CHANGED, CREATED, DELETED, read_state
from programme.models import Event, Occasion, Status
from programme.models.event_types import TYPES
from programme.models.history import SET_ONCE
from programme.models.news import NewsKind, find_news
from programme.models.telling import Telling

# Fields that make sense together only: half of a group would be meant by nobody.
GROUPS = (
    ("area", "sub_area"),
    ("location", "room"),
    ("start", "end"),
    ("latitude", "longitude"),
    TYPES,
)
# Why a row stays as it is.
EDITED = _("edited since")
GONE = _("deleted since")
UNKNOWN = _("the history does not say how it was before")
TAKEN = _("something else has its name or identifier by now")
MISSING = _("what it belongs to is no longer there")
IN_USE = _("in use by something that stays")
WITH_EVENT = _("its event stays")


@dataclass
class Change:
    """A row before and after it: None before it is there, and after it is deleted.

    With a `refusal`, which says why, the row stays as it is.
    """

    model: Any
    key: int | None
    before: RowState
    after: RowState
    refusal: Any = ""
    # The row for whose sake it stays: it has the name, names it, or is gone.
    by: tuple[Any, int | None] | None = None
    warnings: list[str] = field(default_factory=list)
    # Whether something follows that is no value: readers get a note, or it is to be published later.
    follows: bool = False
    # How a row was when it was last there, if it is not.
    last: RowState = None
    # The row itself as it is to be, where it is in memory: others that are new, too, may name it.
    row: Any = None

    @classmethod
    def of(cls, before: Any, after: Any) -> "Change":
        """Return the change of a row in memory, of which None is given where it is not there."""
        row = after or before
        return cls(type(row), row.pk, read_state(before), read_state(after), row=row)

    @property
    def kind(self) -> str:
        """'' if nothing is done."""
        if self.refusal or self.before == self.after:
            return ""
        return CREATED if self.before is None else DELETED if self.after is None else CHANGED

    @property
    def values(self) -> dict[str, Any]:
        """The values that are written, by attribute; of a new row, all."""
        before, after = self.before or {}, self.final or {}
        return {name: value for name, value in after.items() if name not in before or before[name] != value}

    def list_values(self) -> list[tuple[str, Any, Any]]:
        """Return the attributes that are written, with their old and new values."""
        return [(name, (self.before or {}).get(name), value) for name, value in sorted(self.values.items())]

    def list_known(self) -> list[tuple[str, Any, Any]]:
        """Return the same without an identity that is another whenever a row is made."""
        return [each for each in self.list_values() if self.kind != CREATED or each[0] != "uuid"]

    @property
    def final(self) -> RowState:
        """How the row is once the plan is written."""
        return self.before if self.refusal else self.after

    @property
    def known(self) -> dict[str, Any]:
        """How the row is, was, or will be: by this it is named."""
        return self.before or self.after or self.last or {}

    def build(self) -> Any:
        return self.row or self.model(**(self.final or {}))


@dataclass
class Plan:
    """What becomes of rows: made by all that changes them, shown by one page, written by one function.

    The edit is called by its reason and detail; `follow` writes what belongs to it and has no versions.
    """

    changes: list[Change]
    reason: str = ""
    detail: str = ""
    follow: "Callable[[Plan], None] | None" = None
    # Where it is given, nobody is asked.
    telling: Telling | None = None
    warnings: list[str] = field(default_factory=list)
    # Whether it is written whole or not at all.
    is_whole: bool = False

    @property
    def written(self) -> list[Change]:
        return [each for each in self.changes if each.kind]

    @property
    def done(self) -> list[Change]:
        """What happens: the changes that are written, and those from which alone something follows."""
        return [each for each in self.changes if each.kind or (each.follows and not each.refusal)]

    @property
    def refused(self) -> list[Change]:
        return [each for each in self.changes if each.refusal]

    @property
    def digest(self) -> str:
        """A text that differs if anything else would be done or stay."""
        shown = [
            (each.model.__name__, each.key, each.kind, each.list_known(), str(each.refusal), each.warnings)
            + ((each.before,) if each.kind == DELETED else ())
            for each in (*self.done, *self.refused)
        ]
        return hashlib.sha256(repr((shown, self.warnings)).encode()).hexdigest()

    def find_told(self, instant: datetime) -> dict[int, NewsKind]:
        """Return what news readers are told unless an editor says no, by the IDs of the occasions."""
        told = {each.key: find_news(*each.states, instant) for each in self.list_public()}
        return {key: kind for key, kind in told.items() if kind}

    @property
    def takes_back(self) -> bool:
        """Whether rows become what they were."""
        return self.reason in (UNDID, REDID, RESTORED)

    def list_public(self) -> list[PublicChange]:
        """Return what becomes of occasions that readers know, or get to know; one query, or two."""
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
        """The titles of events that readers do not see before, and see then; one query, or two."""
        if not any((each.final or {}).get("status") == Status.PUBLISHED for each in self.written):
            return []
        seen = (each for each in self.list_public() if each.before.state is None and each.after.state)
        titles = {each.event["id"]: each.event["title"] for each in seen}
        known = {each.key for each in self.written if (each.before or {}).get("status") == Status.PUBLISHED}
        return [title for key, title in titles.items() if key not in known]


@cache
def group_attributes(model: Any) -> dict[str, frozenset[str]]:
    """Return the attributes that make sense together with each one, itself among them."""
    names = [each.name for each in model.history.model.tracked_fields]
    attributes = {each.name: each.attname for each in model.history.model.tracked_fields}
    found = {name: frozenset({name}) for name in attributes.values()}
    for group in GROUPS:
        if set(group) <= set(names):
            together = frozenset(attributes[name] for name in group)
            found |= dict.fromkeys(together, together)
    return found


def widen(model: Any, names: Iterable[str]) -> set[str]:
    """Return attributes with all that make sense together with them, without those that are set once."""
    groups = group_attributes(model)
    return {name for each in names if each in groups for name in groups[each]} - SET_ONCE
