"""Refusals of changes that would violate the database's constraints, and of changes that depend on them.

Rules only refuse changes, so applying them until none refuses another one terminates.
"""

from collections import defaultdict
from functools import cache
from typing import Any

from django.db.models import ForeignKey, UniqueConstraint
from django.utils.translation import gettext as _

from feeds.names import fold
from programme.changes.change import IN_USE, MISSING, TAKEN, WITH_EVENT, Change, widen
from programme.changes.difference import RowNames
from programme.history.versions import CREATED, DELETED
from programme.models import Event, Language, Occasion
from programme.models.cleaning import clean_line
from programme.models.fields import FoldedKey

Key = tuple[object, ...]
Place = tuple[Any, int | None]


def apply_constraints(changes: list[Change]) -> None:
    """Refuse impossible changes, in a number of queries that depends only on their models."""
    rules = References(changes), Uses(changes), TakenKeys(changes)
    # A sum, because each rule must be applied.
    while sum(rule.apply() for rule in rules):
        pass


@cache
def list_foreign_keys(model: Any) -> list[ForeignKey[Any, Any]]:
    return [each for each in model._meta.local_concrete_fields if isinstance(each, ForeignKey)]


class References:
    """References of written rows: their targets must exist."""

    def __init__(self, changes: list[Change]) -> None:
        self.changes = [each for each in changes if each.kind and each.kind != DELETED]
        self.planned = {(each.model, each.key): each for each in changes}
        self.fields = {model: list_foreign_keys(model) for model in {each.model for each in self.changes}}
        wanted: dict[Any, set[int]] = defaultdict(set)
        for change, relation in self._list():
            wanted[relation.related_model].add(change.values[relation.attname])
        self.stored = {
            model: set(model.objects.filter(pk__in=keys).values_list("pk", flat=True))
            for model, keys in wanted.items()
        }

    def apply(self) -> bool:
        missing = [
            (change, relation) for change, relation in self._list() if self._is_missing(change, relation)
        ]
        names = RowNames(change.model.history.model(**(change.after or {})) for change, _field in missing)
        for change, relation in missing:
            if change.kind == CREATED and relation.null and change.after:
                name = names.find(relation.related_model, change.values[relation.attname])
                # The row is restored without the reference and its group.
                change.after |= dict.fromkeys(widen(change.model, [relation.attname]))
                text = _("without %(field)s %(name)s, which is no longer there")
                change.warnings.append(text % {"field": relation.verbose_name, "name": name})
            else:
                change.by = relation.related_model, change.values[relation.attname]
                change.refusal = MISSING
        return bool(missing)

    def _list(self) -> list[tuple[Change, Any]]:
        return [
            (change, relation)
            for change in self.changes
            if change.kind
            for relation in self.fields[change.model]
            if change.values.get(relation.attname) is not None
        ]

    def _is_missing(self, change: Change, relation: Any) -> bool:
        model, key = relation.related_model, change.values[relation.attname]
        planned = self.planned.get((model, key))
        return key not in self.stored[model] and not (planned and planned.kind == CREATED)


class Uses:
    """Uses of deleted rows: a row is not deleted while another one refers to it."""

    def __init__(self, changes: list[Change]) -> None:
        self.planned = {(each.model, each.key): each for each in changes}
        self.deleted = [each for each in changes if each.kind == DELETED]
        # By row to delete: the rows that refer to it at present, with the attribute.
        self.users: dict[Place, list[tuple[Place, str]]] = defaultdict(list)
        for model in {each.model for each in self.deleted}:
            keys = [each.key for each in self.deleted if each.model is model]
            # Planned publications, without a constraint, are deleted with their event.
            for relation in (each for each in model._meta.related_objects if each.field.db_constraint):
                user, attribute = relation.related_model, relation.field.attname
                found = user.objects.filter(**{f"{relation.field.name}__in": keys})
                for key, target in found.values_list("pk", attribute):
                    self.users[model, target].append(((user, key), attribute))

    def apply(self) -> bool:
        deleted = [each for each in self.deleted if each.kind]
        staying = [(each, IN_USE, user) for each in deleted if (user := self._find_user(each))]
        staying += [(each, WITH_EVENT, event) for each in deleted if (event := self._find_event(each))]
        for each, why, other in staying:
            each.refusal, each.by = why, other
        return bool(staying)

    def _find_user(self, change: Change) -> Place | None:
        for place, name in self.users[change.model, change.key]:
            user = self.planned.get(place)
            if user is None or (user.final and user.final[name] == change.key):
                return place
        return None

    def _find_event(self, change: Change) -> Place | None:
        """Return the event of an occasion that would be deleted with it, if its deletion is refused."""
        owner = self.planned.get((Event, (change.before or {}).get("event_id")))
        is_staying = change.model is Occasion and owner and owner.after is None and owner.refusal
        return (Event, owner.key) if owner and is_staying else None


class TakenKeys:
    """Unique names and identifiers: the row that has one keeps it."""

    def __init__(self, changes: list[Change]) -> None:
        models = {
            each.model
            for each in changes
            if each.kind == CREATED or list_key_attributes(each.model) & each.values.keys()
        }
        self.changes = [each for each in changes if each.model in models]
        own = {(each.model, each.key) for each in self.changes}
        # The other row that has each key.
        self.others: dict[Any, dict[Key, int]] = {
            model: {
                key: state["id"]
                for state in model.objects.order_by().values("id", *list_key_attributes(model))
                if (model, state["id"]) not in own
                for key in list_keys(model, state)
            }
            for model in models
        }

    def apply(self) -> bool:
        holders: dict[tuple[Any, Key], list[Change]] = defaultdict(list)
        for each in self.changes:
            for key in list_keys(each.model, each.final):
                holders[each.model, key].append(each)
        refused = [
            (each, self.others[model].get(key) or next(other.key for other in found if other is not each))
            for (model, key), found in holders.items()
            if len(found) > 1 or key in self.others[model]
            for each in found
            if each.kind and key not in list_keys(model, each.before)
        ]
        for each, holder in refused:
            each.refusal, each.by = TAKEN, (each.model, holder)
        return bool(refused)


@cache
def list_key_attributes(model: Any) -> frozenset[str]:
    return frozenset(
        found.source if isinstance(found, FoldedKey) else found.attname
        for _label, names, _filled in _list_unique(model)
        for found in map(model._meta.get_field, names)
    )


def list_keys(model: Any, state: dict[str, Any] | None) -> set[Key]:
    """Return the unique keys of a row in a state."""
    if state is None:
        return set()
    found = set()
    for label, names, filled in _list_unique(model):
        if not filled or _read(model, state, filled):
            found.add((label, *(_read(model, state, name) for name in names)))
    return found


@cache
def _list_unique(model: Any) -> list[tuple[str, tuple[str, ...], str]]:
    """Return for each unique key a label, its columns, and the column that must not be empty, or ''."""
    fields = (each for each in model._meta.local_fields if each.unique and not each.primary_key)
    found: list[tuple[str, tuple[str, ...], str]] = [(each.name, (each.name,), "") for each in fields]
    for constraint in model._meta.constraints:
        if isinstance(constraint, UniqueConstraint):
            expressions: Any = constraint.expressions
            # The condition that a column is not empty.
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
