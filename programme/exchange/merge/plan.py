"""What an import means for the programme: a plan, and beside it what is the file's own."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db import models

from feeds.vocabulary import Text
from programme.changes.change import Change, Plan
from programme.changes.constraints import list_foreign_keys
from programme.changes.difference import RowNames
from programme.changes.memory import IMPORT
from programme.changes.preview import name_rows
from programme.exchange.merge.directory import Directory
from programme.exchange.merge.named_rows import identify
from programme.exchange.merge.three_way import ImportConflict, ThreeWayMerge, differ, read_planned, set_values
from programme.exchange.questions import Question
from programme.exchange.suspicion.finders import Suspicion
from programme.exchange.values import Contents, ScheduledEvent, ScheduledOccasion
from programme.history.versions import CREATED, DELETED, read_state
from programme.models import Event, Occasion
from programme.models.telling import Telling

# What becomes of a row; one that is restored comes back with its identity.
NEW, CHANGED, RESTORED, WITHDRAWN, REMOVED = "created", "changed", "restored", "withdrawn", "deleted"
REFUSED, UNCHANGED = "refused", "unchanged"


@dataclass
class PlannedImport:
    """The plan of an import; rows that are not stored yet are known by their `id()`."""

    directory: Directory
    memory: ThreeWayMerge
    # Identifiers in use, which new rows must not have.
    event_ids: set[str]
    occasion_ids: set[str]
    plan: Plan = field(default_factory=lambda: Plan([]))
    # Those of events and occasions, by the `id()` of their rows; their rows are as they are to be.
    changes: dict[int, Change] = field(default_factory=dict)
    # The rows of the file's events and occasions, by the `id()` of those.
    event_rows: dict[int, Event] = field(default_factory=dict)
    occasion_rows: dict[int, Occasion] = field(default_factory=dict)
    # Stored, and not in the file.
    missing_events: list[Any] = field(default_factory=list)
    missing_occasions: list[Any] = field(default_factory=list)
    # The missing events that are withdrawn, by the `id()` of their rows.
    withdrawn: set[int] = field(default_factory=set)
    # What becomes of events that were withdrawn and are in the file, by the `id()` of their rows.
    notes: dict[int, str] = field(default_factory=dict)
    # By the `id()` of the file's event; those of rows that are no longer in the file are apart.
    conflicts_by_event: dict[int, list[ImportConflict]] = field(default_factory=dict)
    edited_missing: list[ImportConflict] = field(default_factory=list)
    # Those of the file, and those that comparing it with the programme has raised.
    questions: list[Question] = field(default_factory=list)
    # Tokens of facts that rows of events state of places that are here.
    left_facts: tuple[str, ...] = ()
    # The IDs that new rows get.
    kept_ids: list[tuple[models.Model, int]] = field(default_factory=list)
    # New occasions whose UID is that of another one, stored or gone.
    taken_uids: list[Occasion] = field(default_factory=list)
    # Finds what looks odd, once somebody asks.
    look: Callable[[], list[Suspicion]] = list
    # The edit of the history that has applied it.
    edit: int | None = None

    @cached_property
    def suspicions(self) -> list[Suspicion]:
        """What looks odd of it before it is applied."""
        return self.look()

    @property
    def conflicts(self) -> list[ImportConflict]:
        return [*(each for found in self.conflicts_by_event.values() for each in found), *self.edited_missing]

    def add_conflicts(self, event: ScheduledEvent, conflicts: list[ImportConflict]) -> None:
        if conflicts:
            self.conflicts_by_event.setdefault(id(event), []).extend(conflicts)

    def create(self, row: Any) -> None:
        self.changes[id(row)] = Change(type(row), identify(row), None, {}, row=row)

    def set(self, row: Any, values: dict[str, Any]) -> None:
        """Set a stored row's values."""
        if any(differ(getattr(row, name), value) for name, value in values.items()):
            self.changes.setdefault(id(row), Change(type(row), row.pk, read_state(row), {}, row=row))
            set_values(row, values)

    def delete(self, row: Any) -> None:
        self.changes[id(row)] = Change(type(row), row.pk, read_state(row), None, row=row)

    def is_new(self, row: Any) -> bool:
        """Return whether a row is created, or restored."""
        return id(row) in self.changes and self.changes[id(row)].before is None

    def list_new(self, model: type[models.Model]) -> list[Any]:
        found = (each for each in self.changes.values() if each.model is model and each.before is None)
        return [each.row for each in found if not each.refusal]

    def list_occasions(
        self, contents: Contents
    ) -> Iterator[tuple[ScheduledEvent, ScheduledOccasion, Occasion]]:
        """Yield the occasions of the file that have a row, with their events and this row."""
        for event in contents.events:
            for each in event.occasions:
                if row := self.occasion_rows.get(id(each)):
                    yield event, each, row

    def settle(self) -> None:
        """Read how the rows are to be, once all of their values are set."""
        for each in self.changes.values():
            each.after = each.after if each.after is None else read_planned(each.row)

    def list_changes(self, source: str) -> None:
        """Put what is written into the plan, and with it the new rows that it names."""
        own = [*self.changes.values()]
        named = (named for each in own if each.kind and each.after for named in list_relations(each.row))
        self.directory.drop_unused(named)
        self.directory.settle_locations()
        new = (row for kind in self.directory.kinds().values() for row in kind.created)
        made = [Change(type(row), identify(row), None, read_planned(row), row=row) for row in new]
        self.plan = Plan([*made, *own], IMPORT, source, telling=Telling(tells=False))

    def find_refusal(self, row: Any) -> Any:
        """Return why the person who imports may not write a row, '' if that is not so."""
        return self.changes[id(row)].refusal if id(row) in self.changes else ""

    def find_kind(self, row: Event | Occasion) -> str:
        change = self.changes.get(id(row))
        if change and change.refusal:
            return REFUSED
        if change and change.kind == CREATED:
            return RESTORED if change.key and change.key > 0 else NEW
        if change and change.kind == DELETED:
            return REMOVED
        is_told = isinstance(row, Occasion) and row.pk in self.told
        if not (is_told or (change and change.kind)):
            return UNCHANGED
        return WITHDRAWN if id(row) in self.withdrawn else CHANGED

    def list_described(self) -> Iterator[Change]:
        """Yield what the file changes of stored rows beside its events."""
        yield from (each for each in self.plan.written if each.before and each.model not in {Event, Occasion})

    @property
    def writes(self) -> bool:
        """Whether anything of the programme would be written."""
        return bool(self.plan.written or self.told)

    @property
    def told(self) -> Mapping[int, Text]:
        """What the file tells readers of occasions, by ID."""
        return self.plan.telling.notes if self.plan.telling else {}

    @property
    def tells(self) -> bool:
        return bool(self.told and self.plan.telling and self.plan.telling.tells)


def name_planned(changes: Collection[Change]) -> RowNames:
    """Return the names of what changes name, new rows included."""
    stored = [each for each in changes if each.before]
    names = name_rows((each.model, state) for each in stored for state in (each.before, each.after))
    for change in (each for each in changes if each.after):
        for each in list_foreign_keys(change.model):
            key = (change.after or {})[each.attname]
            if key is not None and each.is_cached(change.row):
                names.add(each.related_model, key, getattr(change.row, each.name))
    return names


def list_relations(row: Any) -> Iterator[Any]:
    """Yield the rows that a row names, as far as they are in memory."""
    # Asking each relation costs more than all else that is planned.
    yield from filter(None, row._state.fields_cache.values())  # noqa: SLF001
