"""The latest edits of the programme, for whoever wants to know what has changed: who, what and when."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from django.db.models import CharField, Count, F, Max, Min, QuerySet, Value
from django.db.models.functions import Cast

from programme.history.timeline import CHANGED, CREATED
from programme.history.versions import DELETED, who, why
from programme.models import AreaDay, Edit, Occasion, models_with_history


@dataclass
class Written:
    """The rows of one model that an edit wrote: how many, and what one of them is called.

    `kind` is `+` where all were created, `-` where all were deleted, else `~`. `key` is the one row's.
    """

    model: Any
    count: int
    name: str
    kind: str
    key: int | None


@dataclass
class LatestEdit:
    """An edit, by whom, why ('' if nobody said so) and what was written."""

    moment: dt.datetime
    who: str
    why: str
    written: list[Written] = field(default_factory=list)


def latest_edits(count: int = 10) -> list[LatestEdit]:
    """Return the latest edits, the last first; two queries."""
    edits = {edit.pk: edit for edit in Edit.objects.order_by("-pk")[:count]}
    found = {
        key: LatestEdit(edit.moment, who(edit), why(edit) if edit.name else "") for key, edit in edits.items()
    }
    models = models_with_history()
    first, *others = [_written(model, number, edits) for number, model in enumerate(models)]
    rows = sorted(first.union(*others, all=True), key=itemgetter(0, 1)) if edits else []
    for edit, number, rows_in_all, name, low, high, key in rows:
        kind = low if low == high and low in {CREATED, DELETED} else CHANGED
        one = Written(models[number], rows_in_all, name or "", kind, key if rows_in_all == 1 else None)
        found[edit].written.append(one)
    return list(found.values())


def _written(model: Any, number: int, edits: Iterable[int]) -> QuerySet:
    versions = model.history.filter(edit__in=list(edits)).order_by().values("edit")
    return versions.annotate(
        number=Value(number),
        rows=Count("id", distinct=True),
        called=Max(Cast(_name(model), CharField())),
        low=Min("history_type"),
        high=Max("history_type"),
        key=Min("id"),
    ).values_list("edit", "number", "rows", "called", "low", "high", "key")


def _name(model: Any) -> F:
    if model is Occasion:
        return F("event__title")
    if model is AreaDay:
        return F("area__name")
    names = {each.name for each in model._meta.local_fields}
    return F(next(name for name in ("title", "name", "name_sv") if name in names))
