"""What imports remember of rows when a batch is undone, so that the next import writes them again."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef

from programme.exchange.merge.history import IMPORT
from programme.exchange.merge.three_way import DESCRIBED_MODELS, OWN_SHEET, UNDONE, to_json
from programme.history.row_undo import RowUndo
from programme.history.timeline import CHANGED, CREATED
from programme.history.undo import UndoPlan, find_root
from programme.history.versions import DELETED
from programme.models import Edit, Event, ImportedRow, Occasion

_BATCH = 500
_MODELS = (Event, Occasion, *DESCRIBED_MODELS)


def update_memory(plan: UndoPlan) -> None:
    """Change what imports remember along with the rows; in the transaction that undoes the batch."""
    root = find_root(plan.edit)
    is_import = Edit.objects.filter(pk=root, reason=IMPORT).exists()
    for model in _MODELS:
        rows = {row.key: row for row in plan.written if row.model is model}
        if rows:
            _update_rows(
                str(model._meta.model_name), rows, _find_first_created(model, root), states=is_import
            )


def _find_first_created(model: Any, edit: int) -> set[int]:
    """Return the rows that an edit created: those that it restored were there before."""
    earlier = model.history.filter(id=OuterRef("id"), history_id__lt=OuterRef("history_id"))
    created = model.history.filter(edit=edit, history_type=CREATED).exclude(Exists(earlier))
    return set(created.values_list("id", flat=True))


def _update_rows(kind: str, rows: dict[int, RowUndo], created: set[int], *, states: bool) -> None:
    # What sheets of this service state is apart from what other sources do.
    kinds = [f"{undone}{own}{kind}" for undone in ("", UNDONE) for own in ("", OWN_SHEET)]
    found = list(ImportedRow.objects.filter(kind__in=kinds, row_id__in=rows))
    present = {(each.kind, each.row_id) for each in found}
    changed = []
    for memory in found:
        row = rows[memory.row_id]
        if row.kind == DELETED and row.key in created:
            memory.kind = UNDONE + memory.kind
        elif row.kind == CREATED:
            memory.kind = memory.kind.removeprefix(UNDONE)
        elif row.kind == CHANGED and states:
            memory.values = memory.values | dict(_list_restated(memory, row))
        if (memory.kind, memory.row_id) not in present or row.kind == CHANGED:
            changed.append(memory)
    ImportedRow.objects.bulk_update(changed, ["kind", "values"], batch_size=_BATCH)


def _list_restated(memory: ImportedRow, row: RowUndo) -> Iterable[tuple[str, Any]]:
    """Yield what an import stated and wrote, by field, with the value that the row gets."""
    names = {each.attname: each.name for each in row.model._meta.local_concrete_fields}
    now = row.now or {}
    for attribute, value in row.values.items():
        name = names[attribute]
        if name in memory.values and memory.values[name] == to_json(now[attribute]):
            yield name, to_json(value)
