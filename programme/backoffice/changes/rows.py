"""The rows of a batch for display: what it did to each, and what undoing it does."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.urls import NoReverseMatch, reverse

from programme.backoffice.changes.words import WHY
from programme.history.batches import RowState, load_rows
from programme.history.row_undo import RowUndo, Why
from programme.history.timeline import (
    CHANGED,
    CREATED,
    RowChange,
    RowNames,
    compare_fields,
    format_title,
    label_field,
)
from programme.history.versions import DELETED, select_latest
from programme.models import Edit, Event, Occasion


@dataclass
class ShownRow(RowChange):
    """A row with the address of its form, '' where it has none."""

    address: str = ""


@dataclass
class StayingRow:
    """A row, or fields of it, that undoing leaves as they are: why, and who has edited it last."""

    title: str
    why: str
    fields: list[str] = field(default_factory=list)
    address: str = ""
    edit: Edit | None = None


def list_done(places: Iterable[tuple[Any, int]], edit: int) -> list[ShownRow]:
    """Return what a batch did to these rows, in a number of queries that depends on their models alone."""
    keys: dict[Any, list[int]] = {}
    for model, key in places:
        keys.setdefault(model, []).append(key)
    written = [
        (model, row)
        for model, wanted in keys.items()
        for _key, row in sorted(load_rows(model, edit, wanted).items())
    ]
    names = _name([(model, state) for model, row in written for state in (row.before, row.last)])
    return [_show(model, (row.before, row.after), row.last, names) for model, row in written]


def list_planned(rows: list[RowUndo]) -> list[ShownRow]:
    """Return what undoing does to these rows."""
    names = _name([(row.model, state) for row in rows for state in (row.now, row.final)])
    return [_show(row.model, (row.now, row.final), row.now or row.final or {}, names) for row in rows]


def list_staying(rows: list[RowUndo]) -> list[StayingRow]:
    """Return what stays of these rows, all of which do."""
    names = _name([(row.model, row.now or row.after or row.before) for row in rows])
    latest = _find_latest_edits(rows)
    return [
        StayingRow(
            _title(row.model, row.now or row.after or row.before or {}, names),
            str(WHY[row.why or row.kept[row.shown_kept[0]]]),
            [] if row.why else _label_fields(row),
            _form_address(row.model, row.key) if row.now else "",
            latest.get((row.model, row.key)) if Why.EDITED in (row.why, *row.kept.values()) else None,
        )
        for row in rows
    ]


def _label_fields(row: RowUndo) -> list[str]:
    fields = {each.attname: each for each in row.model._meta.local_concrete_fields}
    return [label_field(fields[name]) for name in row.shown_kept]


def _find_latest_edits(rows: list[RowUndo]) -> dict[tuple[Any, int], Edit]:
    keys: dict[Any, list[int]] = {}
    for row in rows:
        keys.setdefault(row.model, []).append(row.key)
    return {
        (model, version.id): version.edit
        for model, found in keys.items()
        for version in select_latest(model.history.filter(id__in=found)).select_related("edit")
        if version.edit
    }


def _show(model: Any, states: tuple[RowState, RowState], known: dict[str, Any], names: RowNames) -> ShownRow:
    before, after = states
    title = _title(model, before or known, names)
    address = _form_address(model, known["id"]) if after else ""
    if before and after:
        version = model.history.model
        changes = compare_fields(model, version(**before), version(**after), names)
        return ShownRow(CHANGED, title, changes, address)
    return ShownRow(CREATED if after else DELETED, title, address=address)


def _name(states: Iterable[tuple[Any, RowState]]) -> RowNames:
    return RowNames(model.history.model(**state) for model, state in states if state)


def _title(model: Any, state: dict[str, Any], names: RowNames) -> str:
    """Return `event Jazz`, or `occasion Jazz, 2026-07-29 14:00`."""
    title = format_title(model.history.model(**state)) if state else ""
    if model is Occasion and state:
        title = f"{names.find(Event, state['event_id'])}, {title}"
    return f"{model._meta.verbose_name} {title}"


def _form_address(model: Any, key: int) -> str:
    try:
        return reverse(f"admin:programme_{model._meta.model_name}_change", args=[key])
    except NoReverseMatch:
        return ""
