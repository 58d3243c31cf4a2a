"""The latest edits of the programme: who changed what, and when."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from django.db.models import CharField, Count, F, Max, Min, QuerySet, Value
from django.db.models.functions import Cast

from programme.history.timeline import CHANGED, CREATED
from programme.history.versions import DELETED, format_editor, format_reason
from programme.models import AreaDay, Edit, Occasion, models_with_history


@dataclass
class WrittenRows:
    """The rows of one model that an edit wrote, with the name of one of them.

    `kind` is `+` if all were created, `-` if all were deleted, else `~`. `key` is that of a single row.
    """

    model: Any
    count: int
    name: str
    kind: str
    key: int | None


@dataclass
class LatestEdit:
    moment: dt.datetime
    editor: str
    reason: str
    written: list[WrittenRows] = field(default_factory=list)


def find_latest_edits(count: int = 10) -> list[LatestEdit]:
    """Return the latest edits, the last first; two queries."""
    edits = {edit.pk: edit for edit in Edit.objects.order_by("-pk")[:count]}
    found = {
        key: LatestEdit(edit.moment, format_editor(edit), format_reason(edit) if edit.name else "")
        for key, edit in edits.items()
    }
    models = models_with_history()
    first, *others = [_select_rows(model, number, edits) for number, model in enumerate(models)]
    tables = sorted(first.union(*others, all=True), key=itemgetter(0, 1)) if edits else []
    for edit, number, rows, name, first_kind, last_kind, key in tables:
        kind = first_kind if first_kind == last_kind and first_kind in {CREATED, DELETED} else CHANGED
        written = WrittenRows(models[number], rows, name or "", kind, key if rows == 1 else None)
        found[edit].written.append(written)
    return list(found.values())


def _select_rows(model: Any, number: int, edits: Iterable[int]) -> QuerySet[Any, Any]:
    versions = model.history.filter(edit__in=list(edits)).order_by().values("edit")
    tables: QuerySet[Any, Any] = versions.annotate(
        number=Value(number),
        rows=Count("id", distinct=True),
        row_name=Max(Cast(_name(model), CharField())),
        first_kind=Min("history_type"),
        last_kind=Max("history_type"),
        key=Min("id"),
    ).values_list("edit", "number", "rows", "row_name", "first_kind", "last_kind", "key")
    return tables


def _name(model: Any) -> F:
    if model is Occasion:
        return F("event__title")
    if model is AreaDay:
        return F("area__name")
    names = {each.name for each in model._meta.local_fields}
    return F(next(name for name in ("title", "name", "name_sv") if name in names))
