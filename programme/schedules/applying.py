"""Writing what an import would do, all or nothing."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django.utils.translation import gettext_noop

from programme import recording
from programme.models import Event, Occasion, Revision, Status
from programme.schedules.comparing import Plan, Rows, compare
from programme.schedules.values import Contents, Order, Progress

# Why it was edited, as the history tells it.
IMPORT = gettext_noop("import")
_AT_ONCE = 200


def carry_out(contents: Contents, order: Order, progress: Progress = iter) -> Plan:
    """Import a schedule's contents in one transaction, and return what was done.

    What is to be done is found out before the transaction begins, so that nobody else has to wait for
    it and an import that changes nothing writes nothing. Should somebody edit the programme in
    between, it is found out anew, with all other writers locked out.
    """
    revision = Revision.objects.first()
    plan = compare(contents, order)
    if not plan.writes:
        return plan
    with recording.edit(reason=IMPORT, detail=order.source):
        now = Revision.objects.select_for_update().first()
        if _state(now) != _state(revision):
            plan = compare(contents, order)
        _write(plan, progress)
    return plan


def _state(revision: Revision | None) -> Any:
    return revision and (revision.number, revision.moved_at)


def _write(plan: Plan, progress: Progress) -> None:
    for model, named in plan.directory.kinds().items():
        model.objects.bulk_create(named.created, batch_size=_AT_ONCE)
    steps = [*_steps(Event, plan.events), *_steps(Occasion, plan.occasions)]
    for step in progress(steps):
        step()
    Event.objects.filter(pk__in=[event.pk for event in plan.withdrawn_events]).update(status=Status.DRAFT)
    Occasion.objects.filter(pk__in=[occasion.pk for occasion in plan.withdrawn_occasions]).delete()


def _steps(model: type[Any], rows: Rows) -> Iterator[Callable[[], Any]]:
    for created in _batches(rows.created):
        yield partial(model.objects.bulk_create, created)
    fields = sorted({name for change in rows.changed for name in change.fields})
    for changed in _batches([change.row for change in rows.changed]):
        yield partial(model.objects.bulk_update, changed, fields)


def _batches(rows: list[Any]) -> Iterator[list[Any]]:
    return (rows[begin : begin + _AT_ONCE] for begin in range(0, len(rows), _AT_ONCE))
