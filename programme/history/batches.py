"""Batches: the rows that each edit wrote, and their states before and after it."""

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import CharField, Count, F, Max, Min, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Cast
from django.utils.translation import gettext_noop

from programme.history.versions import CHANGED, CREATED, DELETED
from programme.models import AreaDay, Edit, Event, ListItem, Occasion, Status, models_with_history
from programme.models.festival_time import festival_time
from programme.models.history import SET_ONCE

# The reasons of edits that undo or redo an edit; their detail is its ID.
UNDID = gettext_noop("undid change")
REDID = gettext_noop("did again change")
# The reason of an edit that restores a version, or a field of one.
RESTORED = gettext_noop("restored")
# What appears by these was there before.
RETURNING = (UNDID, REDID, RESTORED)

# The values of a row by attribute, None for a missing row.
RowState = dict[str, Any] | None

# Larger batches are listed with only their reason and the number of rows.
MOST_SUMMARIZED = 300
# The effects of a batch on rows that it changed.
MOVED, RELOCATED = "moved", "relocated"
CANCELLED, REINSTATED = "cancelled", "reinstated"
PUBLISHED, WITHDRAWN = "published", "withdrawn"
HIGHLIGHTED, UNHIGHLIGHTED = "highlighted", "unhighlighted"
OTHERWISE = "changed"

_TURNS = {
    ("cancelled", True): CANCELLED,
    ("cancelled", False): REINSTATED,
    ("highlighted", True): HIGHLIGHTED,
    ("highlighted", False): UNHIGHLIGHTED,
    ("status", Status.PUBLISHED): PUBLISHED,
    ("status", Status.DRAFT): WITHDRAWN,
}
# The attributes that name a change even if others changed: publication and cancellation.
_FIRST = ("status", "cancelled")
# The names of an occasion's place.
_PLACE = ("location__name", "room__name")


@dataclass
class WrittenRows:
    """The rows of one model that an edit wrote, with the name of one of them.

    `kind` is `+` if all were created, `-` if all were deleted, else `~`.
    """

    model: Any
    count: int
    name: str
    kind: str


class Doing(NamedTuple):
    """An effect of a batch on rows of a model.

    `shift` has the lengths by which start and end were moved; `place` is the new place, if it changed. Of a
    single occasion, `span` is when it is now.
    """

    verb: str
    model: Any
    shift: tuple[dt.timedelta, dt.timedelta] | None = None
    place: str = ""
    span: tuple[dt.datetime, dt.datetime] | None = None


@dataclass
class Batch:
    """An edit with the rows that it wrote; `doings` counts effects, unless there are too many rows."""

    edit: Edit
    written: list[WrittenRows] = field(default_factory=list)
    doings: Counter[Doing] = field(default_factory=Counter)

    @property
    def count(self) -> int:
        return sum(each.count for each in self.written)


def load_batches(edits: Iterable[Edit]) -> list[Batch]:
    """Return edits with the rows they wrote, in five queries."""
    batches = {edit.pk: Batch(edit) for edit in edits}
    if batches:
        _count_rows(batches)
        for model in (Event, Occasion):
            _summarize(model, batches)
    return list(batches.values())


def _count_rows(batches: dict[int, Batch]) -> None:
    models = models_with_history()
    first, *others = [_select_rows(model, number, batches) for number, model in enumerate(models)]
    tables = sorted(first.union(*others, all=True), key=itemgetter(0, 1))
    for edit, number, rows, name, first_kind, last_kind in tables:
        kind = first_kind if first_kind == last_kind and first_kind in {CREATED, DELETED} else CHANGED
        batches[edit].written.append(WrittenRows(models[number], rows, name or "", kind))


def _select_rows(model: Any, number: int, edits: Iterable[int]) -> QuerySet[Any, Any]:
    versions = model.history.filter(edit__in=list(edits)).order_by().values("edit")
    tables: QuerySet[Any, Any] = versions.annotate(
        number=Value(number),
        rows=Count("id", distinct=True),
        row_name=Max(Cast(_name(model), CharField())),
        first_kind=Min("history_type"),
        last_kind=Max("history_type"),
    ).values_list("edit", "number", "rows", "row_name", "first_kind", "last_kind")
    return tables


def _name(model: Any) -> F | Value:
    if model is Occasion:
        return F("event__title")
    if model is AreaDay:
        return F("area__name")
    if model is ListItem:
        return Value("")
    names = {each.name for each in model._meta.local_fields}
    return F(next(name for name in ("title", "name", "name_sv", "title_sv") if name in names))


# --- Effects -------------------------------------------------------------------------------------


def _summarize(model: Any, batches: dict[int, Batch]) -> None:
    few = [key for key, batch in batches.items() if batch.count <= MOST_SUMMARIZED]
    versions = model.history.filter(edit__in=few, history_type=CHANGED)
    names = [*list_attributes(model), *(_PLACE if model is Occasion else ())]
    for (edit, _key), (before, after, *_more) in load_states(model, versions, names).items():
        if before and after and (doing := _find_doing(model, before, after)):
            if model is Occasion and any(
                one.model is model and one.count == 1 for one in batches[edit].written
            ):
                doing = doing._replace(span=(after["start"], after["end"]))
            batches[edit].doings[doing] += 1


def _find_doing(model: Any, before: dict[str, Any], after: dict[str, Any]) -> Doing | None:
    rest = {name for name, value in after.items() if value != before[name]} - {*SET_ONCE, *_PLACE}
    if not rest:
        return None
    told = next((name for name in _FIRST if name in rest), min(rest) if len(rest) == 1 else "")
    if verb := _TURNS.get((told, after.get(told))):
        return Doing(verb, model)
    if rest <= {"start", "end"}:
        return Doing(MOVED, model, (_measure(before, after, "start"), _measure(before, after, "end")))
    if rest <= {"start", "end", "location_id", "room_id"}:
        verb = MOVED if rest & {"start", "end"} else RELOCATED
        return Doing(verb, model, place=", ".join(filter(None, map(after.get, _PLACE))))
    return Doing(OTHERWISE, model)


def _measure(before: dict[str, Any], after: dict[str, Any], name: str) -> dt.timedelta:
    """Return the length by which a time was moved; a day over a change of the clock is a day."""
    by = festival_time().distance(before[name], after[name])
    return after[name] - before[name] if by.time else by.usual


# --- Row by row ----------------------------------------------------------------------------------


class WrittenRow(NamedTuple):
    """A row before and after a batch; `is_known` is False if the history lacks the state before."""

    before: RowState
    after: RowState
    # The last state before a deletion, with the columns that the database sets once.
    last: dict[str, Any]
    is_known: bool = True


def list_written_keys(*edits: int) -> list[tuple[Any, int]]:
    """Return the rows that edits wrote, by model; one query."""
    models = order_models()
    written = (model.history.filter(edit__in=edits).order_by() for model in models)
    numbered = (versions.annotate(number=Value(number)) for number, versions in enumerate(written))
    first, *others = [versions.values_list("number", "id").distinct() for versions in numbered]
    return [(models[number], key) for number, key in sorted(first.union(*others, all=True))]


def load_rows(
    model: Any, edit: int, keys: Collection[int] | None = None, names: Collection[str] = ()
) -> dict[int, WrittenRow]:
    """Return the rows of a model that an edit wrote, all or those with these keys; two queries.

    With `names`, only these attributes are loaded; they must include the key.
    """
    versions = model.history.filter(edit=edit)
    if keys is not None:
        versions = versions.filter(id__in=keys)
    return {key: WrittenRow(*row) for (_edit, key), row in load_states(model, versions, names).items()}


def load_states(
    model: Any, versions: QuerySet[Any], names: Collection[str] = ()
) -> dict[tuple[int, int], tuple[Any, ...]]:
    """Return the values of a `WrittenRow` for each row in these versions, by edit and key."""
    names = names or list_attributes(model)
    earlier = model.history.filter(id=OuterRef("id"), history_id__lt=OuterRef("history_id"))
    latest = Subquery(earlier.order_by("-history_id").values("history_id")[:1])
    numbered = versions.order_by("history_id").annotate(before_id=latest)
    found = list(numbered.values("edit_id", "history_id", "history_type", "before_id", *names))
    befores = {
        each.pop("history_id"): each if each.pop("history_type") != DELETED else None
        for each in model.history.filter(
            history_id__in=numbered.exclude(history_type=CREATED).values("before_id")
        ).values("history_id", "history_type", *names)
    }
    rows: dict[tuple[int, int], tuple[Any, ...]] = {}
    for version in found:
        edit, _number, kind, before_id = (
            version.pop(name) for name in ("edit_id", "history_id", "history_type", "before_id")
        )
        place = (edit, version["id"])
        before, is_known = (rows[place][0], rows[place][3]) if place in rows else (None, True)
        if place not in rows and kind != CREATED:
            # The version of a deletion has the row's last state.
            before = befores.get(before_id) or (version if kind == DELETED else None)
            is_known = before is not None
        rows[place] = (before, None if kind == DELETED else version, version, is_known)
    return rows


def list_attributes(model: Any) -> list[str]:
    return [each.attname for each in model.history.model.tracked_fields]


def order_models() -> list[Any]:
    """Return the models with a history; each after those that its rows refer to."""
    found: list[Any] = []
    waiting = models_with_history()
    referred = {
        model: {each.related_model for each in model._meta.local_fields if each.is_relation}
        for model in waiting
    }
    while waiting:
        ready = [model for model in waiting if not referred[model] & set(waiting) - {model}]
        found += ready
        waiting = [model for model in waiting if model not in ready]
    return found


# --- Undone edits --------------------------------------------------------------------------------


def find_root(edit: Edit) -> int:
    """Return the ID of the edit that an edit undoes or redoes, else its own."""
    is_undo = edit.reason in (UNDID, REDID) and edit.detail.isascii() and edit.detail.isdigit()
    return int(edit.detail) if is_undo else edit.pk


def name_undo(edit: Edit) -> tuple[str, str]:
    """Return reason and detail of the edit that undoes an edit."""
    return REDID if edit.reason == UNDID else UNDID, str(find_root(edit))


def find_undone(edits: Iterable[Edit]) -> set[int]:
    """Return the IDs of the edits that are undone and not redone; one query."""
    details = {str(edit.pk): edit.pk for edit in edits if edit.reason not in (UNDID, REDID)}
    later = Edit.objects.filter(reason__in=[UNDID, REDID], detail__in=details).order_by("pk")
    reasons = {details[edit.detail]: edit.reason for edit in later}
    return {key for key, reason in reasons.items() if reason == UNDID}
