"""The one function that writes: what is planned becomes part of the current edit, all of it or nothing."""

from collections.abc import Iterable
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


class PlanRefusedError(Exception):
    """The database refuses a plan, of which nothing is written then."""


def write(plan: Plan, rights: Rights | None = None) -> int:
    """Write what is planned, by somebody with these rights; return how many rows that are.

    Raises `PermissionDenied` where a row is not theirs to write.
    """
    written = plan.written
    if plan.is_whole and plan.refused:
        raise PlanRefusedError(plan.refused[0].refusal)
    if rights and rights.find_forbidden(written):
        raise PermissionDenied
    try:
        with transaction.atomic():
            edits.set_reason(plan.reason, plan.detail)
            if plan.telling:
                edits.set_telling(plan.telling)
            if plan.follow:
                plan.follow(plan)
            _write(written)
    except IntegrityError as refusal:
        raise PlanRefusedError(str(refusal).partition("\n")[0]) from refusal
    return len(written)


def describe_refusal(refusal: PlanRefusedError) -> str:
    return _("Nothing is written: the database refuses it (%(why)s).") % {"why": refusal}


def _write(changes: Iterable[Change]) -> None:
    by_kind: dict[tuple[Any, str], list[Change]] = {}
    for each in changes:
        by_kind.setdefault((each.model, each.kind), []).append(each)
    models = [model for model in order_models() if any(model is each for each, _kind in by_kind)]
    # Names and identifiers are free then, and rows that refer to these are written or deleted, too.
    for model in reversed(models):
        _delete(model, by_kind.get((model, DELETED), []))
    for model in models:
        # New rows may have names that others give up.
        _change(model, by_kind.get((model, CHANGED), []))
        new = [each.build() for each in by_kind.get((model, CREATED), [])]
        model.objects.bulk_create(new, batch_size=_BATCH)
    _check_references(by_kind)


def _check_references(by_kind: dict[tuple[Any, str], list[Change]]) -> None:
    """Let the database refuse now what it would refuse at the end; SQLite reads all of these tables."""
    if any(kind == DELETED for _model, kind in by_kind):
        connection.check_constraints()
    elif tables := [
        model._meta.db_table
        for (model, _kind), found in by_kind.items()
        if any(each.attname in change.values for each in list_foreign_keys(model) for change in found)
    ]:
        connection.check_constraints(tables)


def _delete(model: Any, changes: list[Change]) -> None:
    for keys in split([each.key for each in changes], _BATCH):
        # Without looking for rows that refer to them: there are none that stay.
        found = model.objects.filter(pk__in=keys)
        found._raw_delete(found.db)  # noqa: SLF001 - nothing else does just that


def _change(model: Any, changes: list[Change]) -> None:
    groups: dict[frozenset[str], list[Change]] = {}
    for each in changes:
        groups.setdefault(frozenset(each.values), []).append(each)
    fields = {each.attname: each.name for each in model._meta.local_concrete_fields}
    for names, found in groups.items():
        written = sorted(fields[name] for name in names)
        model.objects.bulk_update([each.build() for each in found], written, batch_size=_BATCH)
