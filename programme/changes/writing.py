"""Writing a plan as part of the current edit, in one transaction."""

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
# The number of rows written, and of all.
Step = tuple[int, int]


class PlanRefusedError(Exception):
    """The database refuses a plan; nothing of it is written."""


def write(plan: Plan, rights: Rights | None = None) -> int:
    """Write a plan with a user's rights; return the number of rows.

    Raise `PermissionDenied` if the rights do not include a row.
    """
    for _step in write_in_steps(plan, rights):
        pass
    return len(plan.written)


def write_in_steps(plan: Plan, rights: Rights | None = None) -> Iterator[Step]:
    """Write a plan like `write`, and yield the numbers of rows written and in all."""
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
    """Write rows, and yield the number that each statement has written."""
    by_kind: dict[tuple[Any, str], list[Change]] = {}
    for each in changes:
        by_kind.setdefault((each.model, each.kind), []).append(each)
    models = [model for model in order_models() if any(model is each for each, _kind in by_kind)]
    # First, so that their names and identifiers are free. Rows that refer to them follow.
    for model in reversed(models):
        yield from _delete(model, by_kind.get((model, DELETED), []))
    for model in models:
        # Before new rows, which may get former names of changed ones.
        yield from _change(model, by_kind.get((model, CHANGED), []))
        for new in split(by_kind.get((model, CREATED), []), _BATCH):
            model.objects.bulk_create([each.build() for each in new])
            yield len(new)


def _check_references(changes: list[Change]) -> None:
    """Check deferred constraints now; SQLite reads all of these tables."""
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
        # Without cascades: no remaining row refers to them.
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
