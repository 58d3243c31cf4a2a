"""The one function that writes: what is planned becomes part of the current edit, all of it or nothing."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext as _

from programme.changes.change import Change, Plan
from programme.changes.constraints import list_foreign_keys
from programme.changes.rights import Rights
from programme.history import edits
from programme.history.batches import order_models
from programme.history.versions import CHANGED, CREATED, DELETED
from programme.models.querysets import split

_BATCH = 500
# Rows written, of how many.
Step = tuple[int, int]


class PlanRefusedError(Exception):
    """The database refuses a plan, of which nothing is written then."""


def write(plan: Plan, rights: Rights | None = None) -> int:
    """Write what is planned, by somebody with these rights; return how many rows that are.

    Raises `PermissionDenied` where a row is not theirs to write.
    """
    for _step in write_in_steps(plan, rights):
        pass
    return len(plan.written)


def write_in_steps(plan: Plan, rights: Rights | None = None) -> Iterator[Step]:
    """Do what `write` does, yielding how many rows are written, of how many."""
    written, done = plan.written, 0
    if plan.is_whole and plan.refused:
        raise PlanRefusedError(plan.refused[0].refusal)
    if rights and rights.find_forbidden(written):
        raise PermissionDenied
    try:
        with transaction.atomic():
            edits.set_reason(plan.reason, plan.detail)
            if plan.telling:
                edits.set_telling(plan.telling)
            for count in _write(written):
                done += count
                yield done, len(written)
            if plan.follow:
                plan.follow(plan)
            _check_references(written)
    except IntegrityError as refusal:
        raise PlanRefusedError(str(refusal).partition("\n")[0]) from refusal


def describe_refusal(refusal: PlanRefusedError) -> str:
    return _("Nothing is written: the database refuses it (%(why)s).") % {"why": refusal}


def _write(changes: Iterable[Change]) -> Iterator[int]:
    """Write rows, and yield how many each statement has written."""
    by_kind: dict[tuple[Any, str], list[Change]] = {}
    for each in changes:
        by_kind.setdefault((each.model, each.kind), []).append(each)
    models = [model for model in order_models() if any(model is each for each, _kind in by_kind)]
    # Names and identifiers are free then, and rows that refer to these are written or deleted, too.
    for model in reversed(models):
        yield from _delete(model, by_kind.get((model, DELETED), []))
    for model in models:
        # New rows may have names that others give up.
        yield from _change(model, by_kind.get((model, CHANGED), []))
        for new in split(by_kind.get((model, CREATED), []), _BATCH):
            model.objects.bulk_create([each.build() for each in new])
            yield len(new)


def _check_references(changes: list[Change]) -> None:
    """Let the database refuse now what it would refuse at the end; SQLite reads all of these tables."""
    if any(each.kind == DELETED for each in changes):
        connection.check_constraints()
    elif tables := {
        each.model._meta.db_table
        for each in changes
        if any(key.attname in each.values for key in list_foreign_keys(each.model))
    }:
        connection.check_constraints(sorted(tables))


def _delete(model: Any, changes: list[Change]) -> Iterator[int]:
    for keys in split([each.key for each in changes], _BATCH):
        # Without looking for rows that refer to them: there are none that stay.
        found = model.objects.filter(pk__in=keys)
        found._raw_delete(found.db)  # noqa: SLF001 - nothing else does just that
        yield len(keys)


def _change(model: Any, changes: list[Change]) -> Iterator[int]:
    groups: dict[frozenset[str], list[Change]] = {}
    for each in changes:
        groups.setdefault(frozenset(each.values), []).append(each)
    fields = {each.attname: each.name for each in model._meta.local_concrete_fields}
    for names, found in groups.items():
        written = sorted(fields[name] for name in names)
        for part in split(found, _BATCH):
            model.objects.bulk_update([each.build() for each in part], written)
            yield len(part)
