"""Writing what an import would do, all or nothing."""

from collections.abc import Callable, Generator, Iterator
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction

from programme.exchange.merge.compare import compare
from programme.exchange.merge.plan import Plan, PlannedRows
from programme.exchange.merge.removed_rows import IMPORT
from programme.exchange.values import Contents, ImportOptions, Progress
from programme.history import edits
from programme.models import Event, Occasion, Revision, Status

_AT_ONCE = 200


class ChangedSincePreviewError(Exception):
    """The import would do something else by now than what was shown: `plan`."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan


class ApplyError(Exception):
    """The database does not take what an import would write: of which row, if that can be told, and why."""


class ImportActor(NamedTuple):
    """Who imports, and the instant; nobody is the command."""

    user: Any = None
    moment: datetime | None = None


NOBODY = ImportActor()


def apply_in_edit(contents: Contents, order: ImportOptions, progress: Progress = iter) -> Plan:
    """Import a schedule's contents in one transaction, and return what was done."""
    steps = applying(contents, order, progress=progress)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            plan: Plan = done.value
            return plan


def applying(
    contents: Contents,
    order: ImportOptions,
    by: ImportActor = NOBODY,
    check: Callable[[], Plan | None] = lambda: None,
    progress: Progress = iter,
) -> Generator[tuple[int, int], None, Plan]:
    """Import step by step: yield how many steps are done, of how many, and return what was done.

    All of it is one transaction, which whoever stops asking for steps takes back. What is to be done is found
    out before it begins, so that nobody else has to wait for it and an import that changes nothing writes
    nothing. Should somebody edit the programme in between, it is found out anew, with all other writers
    locked out; `check` is asked then, and may raise. It gives back the plan if it has made it.
    """
    revision = Revision.objects.first()
    plan = check() or compare(contents, order)
    if not plan.writes:
        if plan.memory.writes:
            with transaction.atomic():
                plan.memory.write()
        return plan
    try:
        with edits.record(by.user, by.moment, reason=IMPORT, detail=order.source):
            now = Revision.objects.select_for_update().first()
            if _state(now) != _state(revision):
                plan = check() or compare(contents, order)
            steps = list(_all_steps(plan))
            for number, step in enumerate(progress(steps), 1):
                step()
                yield number, len(steps)
            plan.edit = edits.current_edit_id()
    except DatabaseError as error:
        raise ApplyError(_why_not_written(plan, error)) from error
    return plan


def _why_not_written(plan: Plan, error: DatabaseError) -> str:
    """Return the first row that breaks a rule of the programme, and the rule; else what the database says."""
    for rows in (plan.events, plan.occasions):
        for row in (*rows.created, *(change.row for change in rows.changed)):
            try:
                row.clean_fields(exclude={each.name for each in row._meta.fields if each.is_relation})
                row.validate_constraints()
            except ValidationError as broken:
                return f"{row}: {' '.join(broken.messages)}".removesuffix(".")
    return str(error).strip().partition("\n")[0] or type(error).__name__


def _state(revision: Revision | None) -> Any:
    return revision and (revision.number, revision.moved_at)


def _all_steps(plan: Plan) -> Iterator[Callable[[], Any]]:
    for model, named in plan.directory.kinds().items():
        yield partial(model.objects.bulk_create, named.created, batch_size=_AT_ONCE)
    yield from _steps(Event, plan.events)
    yield from _steps(Occasion, plan.occasions)
    yield partial(_withdraw, plan)
    yield plan.memory.write


def _withdraw(plan: Plan) -> None:
    Event.objects.filter(pk__in=[event.pk for event in plan.withdrawn_events]).update(status=Status.DRAFT)
    Occasion.objects.filter(pk__in=[occasion.pk for occasion in plan.withdrawn_occasions]).delete()


def _steps(model: type[Any], rows: PlannedRows) -> Iterator[Callable[[], Any]]:
    for created in _batches(rows.created):
        yield partial(model.objects.bulk_create, created)
    fields = sorted({name for change in rows.changed for name in change.fields})
    for changed in _batches([change.row for change in rows.changed]):
        yield partial(model.objects.bulk_update, changed, fields)


def _batches(rows: list[Any]) -> Iterator[list[Any]]:
    return (rows[begin : begin + _AT_ONCE] for begin in range(0, len(rows), _AT_ONCE))
