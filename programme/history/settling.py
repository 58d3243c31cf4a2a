"""Settling what undoing a batch does: rows and values that cannot come back, or that others use, stay.

Each rule lets something stay and adds nothing, so that applying them until all are content comes to an end.
"""

from collections import defaultdict
from functools import cache
from typing import Any

from django.db.models import ForeignKey, UniqueConstraint

from feeds.names import fold
from programme.history.row_undo import RowUndo, Why
from programme.history.timeline import CHANGED, CREATED
from programme.history.versions import DELETED
from programme.models import Event, Language, Occasion
from programme.models.cleaning import clean_line
from programme.models.fields import FoldedKey

# Values that must fit together: where one was edited since, the other stays with it, and so it does where
# the larger one, or a smaller one that there is, cannot come back.
_UNITS = (("location_id", "room_id"), ("area_id", "sub_area_id"))
_TIMES = {"start", "end"}

Key = tuple[object, ...]
Place = tuple[Any, int]


def settle(rows: list[RowUndo]) -> None:
    """Let everything stay that has to, in a number of queries that depends on the rows' models alone."""
    references, uses, taken = References(rows), Uses(rows), TakenKeys(rows)
    # A list: each of them has its turn.
    while any([references.settle(), any(map(_settle_units, rows)), taken.settle(), uses.settle()]):
        pass


# --- Values that belong together -----------------------------------------------------------------


def _settle_units(row: RowUndo) -> bool:
    if row.kind not in (CREATED, CHANGED):
        return False
    changed = False
    for whole, part in _UNITS:
        for name, other in ((whole, part), (part, whole)):
            if name not in row.values:
                continue
            if other not in row.values and _is_edited(row, other):
                row.keep(name, Why.EDITED)
                changed = True
            elif other in row.kept and (row.final or {}).get(part):
                row.keep(name, row.kept[other])
                changed = True
    if row.model is Occasion and not _fit_times(row):
        for name in _TIMES & row.values.keys():
            row.keep(name, Why.EDITED)
            changed = True
    return changed


def _fit_times(row: RowUndo) -> bool:
    """Return whether the end is after the start, and neither of two that were moved goes back alone."""
    final = row.final or {}
    is_split = bool(_TIMES & row.kept.keys()) and bool(_TIMES & row.values.keys())
    return final["end"] > final["start"] and not is_split


def _is_edited(row: RowUndo, name: str) -> bool:
    before, after, now = row.before or {}, row.after or {}, row.now or {}
    return now.get(name) not in (before.get(name), after.get(name))


# --- Rows that are referred to --------------------------------------------------------------------


class References:
    """What rows name that get values back: it must still be there."""

    def __init__(self, rows: list[RowUndo]) -> None:
        self.rows = [row for row in rows if row.kind in (CREATED, CHANGED)]
        self.planned = {(row.model, row.key): row for row in rows}
        self.fields = {
            model: [each for each in model._meta.local_concrete_fields if isinstance(each, ForeignKey)]
            for model in {row.model for row in self.rows}
        }
        wanted: dict[Any, set[int]] = defaultdict(set)
        for row, relation in self._list():
            wanted[relation.related_model].add(row.values[relation.attname])
        self.stored = {
            model: set(model.objects.filter(pk__in=keys).values_list("pk", flat=True))
            for model, keys in wanted.items()
        }

    def settle(self) -> bool:
        missing = [(row, relation) for row, relation in self._list() if self._is_missing(row, relation)]
        for row, relation in missing:
            if row.kind == CREATED and not relation.null:
                row.leave(Why.MISSING)
            elif row.kind:
                row.keep(relation.attname, Why.MISSING)
        return bool(missing)

    def _list(self) -> list[tuple[RowUndo, Any]]:
        return [
            (row, relation)
            for row in self.rows
            for relation in self.fields[row.model]
            if row.kind and row.values.get(relation.attname) is not None
        ]

    def _is_missing(self, row: RowUndo, relation: Any) -> bool:
        model, key = relation.related_model, row.values[relation.attname]
        planned = self.planned.get((model, key))
        return key not in self.stored[model] and not (planned and planned.kind == CREATED)


class Uses:
    """What refers to rows that would be deleted: these stay as long as it does."""

    def __init__(self, rows: list[RowUndo]) -> None:
        self.planned = {(row.model, row.key): row for row in rows}
        self.rows = [row for row in rows if row.kind == DELETED]
        # Of each row that would be deleted: the rows that refer to it now, and by which attribute.
        self.users: dict[Place, list[tuple[Place, str]]] = defaultdict(list)
        for model in {row.model for row in self.rows}:
            created = [row.key for row in self.rows if row.model is model]
            # A plan goes with its event.
            for relation in (each for each in model._meta.related_objects if each.field.db_constraint):
                user, attribute = relation.related_model, relation.field.attname
                found = user.objects.filter(**{f"{relation.field.name}__in": created})
                for key, target in found.values_list("pk", attribute):
                    self.users[model, target].append(((user, key), attribute))
        self.occasions: dict[int, list[RowUndo]] = defaultdict(list)
        for row in rows:
            if row.model is Occasion and row.before is None and row.after:
                self.occasions[row.after["event_id"]].append(row)

    def settle(self) -> bool:
        used = [row for row in self.rows if row.kind and self._is_used(row)]
        for row in used:
            row.leave(Why.IN_USE)
        return bool([*used, *self._keep_occasions()])

    def _is_used(self, row: RowUndo) -> bool:
        users = [(self.planned.get(place), name) for place, name in self.users[row.model, row.key]]
        return any(user is None or (user.final and user.final[name] == row.key) for user, name in users)

    def _keep_occasions(self) -> list[RowUndo]:
        """Let the occasions stay that the batch gave to events that stay."""
        staying = [
            occasion
            for row in self.planned.values()
            if row.model is Event and row.before is None and row.why in (Why.EDITED, Why.IN_USE)
            for occasion in self.occasions[row.key]
            if occasion.kind == DELETED
        ]
        for occasion in staying:
            occasion.leave(Why.WITH_EVENT)
        return staying


# --- Names and other keys -------------------------------------------------------------------------


class TakenKeys:
    """Names and identifiers that only one row may have: who has one by now keeps it."""

    def __init__(self, rows: list[RowUndo]) -> None:
        models = {
            row.model
            for row in rows
            if row.kind == CREATED or list_key_attributes(row.model) & row.values.keys()
        }
        self.rows = [row for row in rows if row.model in models]
        own = {(row.model, row.key) for row in self.rows}
        self.others: dict[Any, set[Key]] = {
            model: {
                key
                for state in model.objects.order_by().values("id", *list_key_attributes(model))
                if (model, state["id"]) not in own
                for key in list_keys(model, state)
            }
            for model in models
        }

    def settle(self) -> bool:
        holders: dict[tuple[Any, Key], list[RowUndo]] = defaultdict(list)
        for row in self.rows:
            for key in list_keys(row.model, row.final):
                holders[row.model, key].append(row)
        refused = {
            id(row): row
            for (model, key), found in holders.items()
            if len(found) > 1 or key in self.others[model]
            for row in found
            if row.kind and key not in list_keys(model, row.now)
        }
        for row in refused.values():
            if row.kind == CREATED:
                row.leave(Why.TAKEN)
            else:
                for name in list_key_attributes(row.model) & row.values.keys():
                    row.keep(name, Why.TAKEN)
        return bool(refused)


@cache
def list_key_attributes(model: Any) -> frozenset[str]:
    return frozenset(
        found.source if isinstance(found, FoldedKey) else found.attname
        for _label, names, _filled in _list_unique(model)
        for found in map(model._meta.get_field, names)
    )


def list_keys(model: Any, state: dict[str, Any] | None) -> set[Key]:
    """Return the keys that a row in a state has and no other row of the model may have."""
    if state is None:
        return set()
    found = set()
    for label, names, filled in _list_unique(model):
        if not filled or _read(model, state, filled):
            found.add((label, *(_read(model, state, name) for name in names)))
    return found


@cache
def _list_unique(model: Any) -> list[tuple[str, tuple[str, ...], str]]:
    """Return a label, the names of columns, and the one without which a row has no key, or ''."""
    fields = (each for each in model._meta.local_fields if each.unique and not each.primary_key)
    found: list[tuple[str, tuple[str, ...], str]] = [(each.name, (each.name,), "") for each in fields]
    for constraint in model._meta.constraints:
        if isinstance(constraint, UniqueConstraint):
            expressions: Any = constraint.expressions
            # That a column is not empty.
            condition: Any = constraint.condition
            named = tuple(each.name for each in expressions) or tuple(constraint.fields)
            found.append((constraint.name, named, condition.children[0][0] if condition else ""))
    within = tuple(filter(None, [model.trigger_rules.distinct_within]))
    return found + [("distinct", (*within, name), name) for name in model.trigger_rules.distinct or ()]


def _read(model: Any, state: dict[str, Any], name: str) -> Any:
    found = model._meta.get_field(name)
    if isinstance(found, FoldedKey):
        return fold(clean_line(state[found.source] or ""))
    # Codes of languages are the same in any case.
    value = state[found.attname]
    return value.lower() if model is Language and name == "code" else value
