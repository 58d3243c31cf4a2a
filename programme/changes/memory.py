"""Data without versions that an undo updates: the memory of imports, and records of merged rows."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_noop

from programme.changes.change import Change, Plan
from programme.changes.merging import follow_merge, undoes_merge
from programme.history.batches import find_root
from programme.history.versions import CHANGED, CREATED, DELETED
from programme.models import Edit, Event, ImportedRow, Location, Occasion
from programme.models.imports import OWN_SHEET, UNDONE, to_json

# The reason that the history gives for an edit.
IMPORT = gettext_noop("import")
_BATCH = 500
_MODELS: tuple[Any, ...] = (Event, Occasion, Location)


def follow_undo(plan: Plan, edit: Edit) -> None:
    """Update the stored data of an edit according to the rows that undoing it writes."""
    root = find_root(edit)
    is_import = Edit.objects.filter(pk=root, reason=IMPORT).exists()
    for model in _MODELS:
        if rows := {row.key: row for row in plan.written if row.key and row.model is model}:
            created = _find_first_created(model, root)
            _update_rows(str(model._meta.model_name), rows, created, states=is_import)
    if undoes_merge(edit):
        follow_merge(plan.written)


def _find_first_created(model: Any, edit: int) -> set[int]:
    """Return the rows that an edit created, without restored ones."""
    earlier = model.history.filter(id=OuterRef("id"), history_id__lt=OuterRef("history_id"))
    created = model.history.filter(edit=edit, history_type=CREATED).exclude(Exists(earlier))
    return set(created.values_list("id", flat=True))


def _update_rows(kind: str, rows: dict[int, Change], created: set[int], *, states: bool) -> None:
    # Sheets exported by this service have kinds of their own.
    kinds = [f"{undone}{own}{kind}" for undone in ("", UNDONE) for own in ("", OWN_SHEET)]
    found = list(ImportedRow.objects.filter(kind__in=kinds, row_id__in=rows))
    for memory in found:
        row = rows[memory.row_id]
        if row.kind == DELETED and row.key in created:
            memory.kind = UNDONE + memory.kind
        elif row.kind == CREATED:
            memory.kind = memory.kind.removeprefix(UNDONE)
        elif row.kind == CHANGED and states:
            memory.values = memory.values | dict(_list_restated(memory, row))
    ImportedRow.objects.bulk_update(found, ["kind", "values"], batch_size=_BATCH)


def _list_restated(memory: ImportedRow, row: Change) -> Iterable[tuple[str, Any]]:
    """Yield the fields that an import wrote, with the value that the row gets."""
    names = {each.attname: each.name for each in row.model._meta.local_concrete_fields}
    now = row.before or {}
    for attribute, value in row.values.items():
        name = names[attribute]
        if name in memory.values and memory.values[name] == to_json(now[attribute]):
            yield name, to_json(value)
