"""Undoing a batch, or what came after a version: what it would do to each row, field by field, and doing it.

A field that was edited later keeps its value, and so does a row that the batch created and that was edited
since. An event that stays keeps its occasions.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Q, prefetch_related_objects
from django.utils.translation import gettext_noop

from programme.history.batches import (
    RowState,
    list_attributes,
    list_written_keys,
    load_rows,
    load_states,
    order_models,
)
from programme.history.row_undo import RowUndo, Why
from programme.history.settling import settle
from programme.history.timeline import CHANGED, CREATED
from programme.history.versions import DELETED, Part, State, select_latest, select_parts_at
from programme.models import Edit, Event, Occasion
from programme.models.history import SET_ONCE
from programme.models.querysets import split
from programme.models.telling import find_told

# The reasons of the edits that undo a batch, and that do it again; their detail is the ID of its edit.
UNDID = gettext_noop("undid change")
REDID = gettext_noop("did again change")
# That of an edit that restores a version.
RESTORED = gettext_noop("restored")

_BATCH = 500


@dataclass
class RowsPlan:
    """What becomes of rows that get values back that they had."""

    rows: list[RowUndo]

    @property
    def written(self) -> list[RowUndo]:
        return [row for row in self.rows if row.kind]

    @property
    def staying(self) -> list[RowUndo]:
        return [row for row in self.rows if row.stays]

    @property
    def digest(self) -> str:
        """A text that differs if anything else would be done or stay."""
        shown = [
            (row.model.__name__, row.key, row.kind, sorted(row.values.items()), sorted(row.kept), row.why)
            for row in self.rows
            if row.kind or row.stays
        ]
        return hashlib.sha256(repr(shown).encode()).hexdigest()

    def find_told(self, instant: datetime) -> frozenset[int]:
        """Return the IDs of the occasions of which readers are told unless an editor says no."""
        changed = [row for row in self.rows if row.kind == CHANGED]
        found = {model: [_build(row) for row in changed if row.model is model] for model in (Occasion, Event)}
        prefetch_related_objects(found[Occasion], "location", "room")
        return find_told(found[Occasion], found[Event], instant)


@dataclass
class UndoPlan(RowsPlan):
    edit: Edit


def plan_undo(edit: Edit) -> UndoPlan:
    """Return what undoing an edit would do, in a number of queries that depends on its models alone."""
    written = {model for model, _key in list_written_keys(edit.pk)}
    rows = [row for model in order_models() if model in written for row in _plan_rows(model, edit.pk)]
    settle(rows)
    return UndoPlan(rows, edit)


def _plan_rows(model: Any, edit: int) -> Iterator[RowUndo]:
    stored = model.objects.filter(pk__in=model.history.filter(edit=edit).values("id")).order_by()
    present = {each["id"]: each for each in stored.values(*list_attributes(model))}
    for key, written in sorted(load_rows(model, edit).items()):
        row = RowUndo(model, key, written.before, written.after, present.get(key))
        if written.is_known:
            _plan_row(row, written.last)
        else:
            row.why = Why.UNKNOWN
        yield row


def plan_restoration(model: Any, key: Any, parts: Iterable[Part], state: State) -> RowsPlan:
    """Return what restoring a state of a row and its parts would do: what came after it is undone."""
    rows = []
    for (table, parent), number in zip([(model, "id"), *parts], state, strict=True):
        names = list_attributes(table)
        versions = select_parts_at((table, parent), key, number)
        then = {each["id"]: each for each in versions.values(*names)}
        # Rows that belong to another row by now are taken back from it.
        stored = table.objects.filter(Q(**{parent: key}) | Q(pk__in=list(then))).order_by()
        now = {each["id"]: each for each in stored.values(*names)}
        deletions = select_latest(table.history.filter(id__in=then.keys() - now.keys()))
        last = {each["id"]: each for each in deletions.values(*names)}
        # Of the row itself there may be no such version.
        for each in sorted(then.keys() | now.keys() if then or table is not model else ()):
            row = RowUndo(table, each, then.get(each), now.get(each), now.get(each))
            _plan_row(row, last.get(each, {}))
            rows.append(row)
    settle(rows)
    return RowsPlan(rows)


def sketch_undos(edits: Collection[int]) -> dict[int, list[RowUndo]]:
    """Return what undoing each edit would do if nothing had been edited since; two queries for each model."""
    found = defaultdict(list)
    for model in {model for model, _key in list_written_keys(*edits)}:
        for (edit, key), row in load_states(model, model.history.filter(edit__in=edits)).items():
            found[edit].append(turn_back(model, key, *row[:2]))
    return found


def turn_back(model: Any, key: int, before: RowState, now: RowState) -> RowUndo:
    """Return what giving a row the values would do that it had before."""
    row = RowUndo(model, key, before, now, now)
    _plan_row(row, {})
    return row


def _plan_row(row: RowUndo, last: dict[str, Any]) -> None:
    if row.before is None:
        if row.after and row.now:
            names = row.now.keys() - SET_ONCE
            if any(row.now[name] != row.after.get(name) for name in names):
                row.why = Why.EDITED
            else:
                row.kind = DELETED
    elif row.after is None:
        if row.now is None:
            row.kind, row.values = CREATED, row.before | {name: last[name] for name in SET_ONCE & last.keys()}
    elif row.now is None:
        row.why = Why.DELETED
    else:
        _plan_change(row, row.before, row.after, row.now)


def _plan_change(row: RowUndo, before: dict[str, Any], after: dict[str, Any], now: dict[str, Any]) -> None:
    for name in before.keys() - SET_ONCE:
        if before[name] == after[name] or now[name] == before[name]:
            continue
        if now[name] == after[name]:
            row.values[name] = before[name]
        else:
            row.kept[name] = Why.EDITED
    row.kind = CHANGED if row.values else ""


# --- Doing it ------------------------------------------------------------------------------------


def apply_undo(plan: RowsPlan) -> None:
    """Do what is planned, in the caller's transaction. Raises `IntegrityError` if the database refuses it."""
    written = plan.written
    models = [model for model in order_models() if any(row.model is model for row in written)]
    by_kind = {
        (model, kind): [row for row in written if row.model is model and row.kind == kind]
        for model in models
        for kind in (CREATED, CHANGED, DELETED)
    }
    # Names and identifiers are free then, and rows that refer to these are written or deleted, too.
    for model in reversed(models):
        _delete(model, by_kind[model, DELETED])
    for model in models:
        # Rows that come back may have names that others give back.
        _change(model, by_kind[model, CHANGED])
        model.objects.bulk_create([_build(row) for row in by_kind[model, CREATED]], batch_size=_BATCH)
    connection.check_constraints()


def _build(row: RowUndo) -> Any:
    return row.model(**(row.final or {}))


def _delete(model: Any, rows: list[RowUndo]) -> None:
    for keys in split([row.key for row in rows], _BATCH):
        # Without looking for rows that refer to them: there are none that stay.
        found = model.objects.filter(pk__in=keys)
        found._raw_delete(found.db)  # noqa: SLF001 - nothing else does just that


def _change(model: Any, rows: list[RowUndo]) -> None:
    groups: dict[frozenset[str], list[RowUndo]] = {}
    for row in rows:
        groups.setdefault(frozenset(row.values), []).append(row)
    fields = {each.attname: each.name for each in model._meta.local_concrete_fields}
    for names, found in groups.items():
        written = sorted(fields[name] for name in names)
        model.objects.bulk_update([_build(row) for row in found], written, batch_size=_BATCH)


# --- Which batch an edit undoes ------------------------------------------------------------------


def find_root(edit: Edit) -> int:
    """Return the ID of the edit that an edit undid or did again; its own if it did neither."""
    is_undo = edit.reason in (UNDID, REDID) and edit.detail.isascii() and edit.detail.isdigit()
    return int(edit.detail) if is_undo else edit.pk


def name_undo(edit: Edit) -> tuple[str, str]:
    """Return reason and detail of the edit that undoes an edit."""
    return REDID if edit.reason == UNDID else UNDID, str(find_root(edit))


def find_undone(edits: Iterable[Edit]) -> set[int]:
    """Return the IDs of the edits that are undone now; one query."""
    details = {str(edit.pk): edit.pk for edit in edits if edit.reason not in (UNDID, REDID)}
    later = Edit.objects.filter(reason__in=[UNDID, REDID], detail__in=details).order_by("pk")
    reasons = {details[edit.detail]: edit.reason for edit in later}
    return {key for key, reason in reasons.items() if reason == UNDID}
