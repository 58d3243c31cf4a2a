"""Writing what an import would do, all or nothing."""

from collections.abc import Callable, Generator, Iterator
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_noop

from programme import recording
from programme.models import Event, Occasion, Revision, Status
from programme.schedules.comparing import compare
from programme.schedules.plan import Plan, Rows
from programme.schedules.values import Contents, Order, Progress

# Why it was edited, as the history tells it.
IMPORT = gettext_noop("import")
_AT_ONCE = 200


class ChangedSinceShown(Exception):  # noqa: N818 - what it says is that something has happened
    """The import would do something else by now than what was shown: `plan`."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan


class By(NamedTuple):
    """Who imports, and the instant; nobody is the command."""

    user: Any = None
    moment: datetime | None = None


NOBODY = By()


def carry_out(contents: Contents, order: Order, progress: Progress = iter) -> Plan:
    """Import a schedule's contents in one transaction, and return what was done."""
    steps = carrying_out(contents, order, progress=progress)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            plan: Plan = done.value
            return plan


def carrying_out(
    contents: Contents,
    order: Order,
    by: By = NOBODY,
    check: Callable[[], None] = lambda: None,
    progress: Progress = iter,
) -> Generator[tuple[int, int], None, Plan]:
    """Import step by step: yield how many steps are done, of how many, and return what was done.

    All of it is one transaction, which whoever stops asking for steps takes back. What is to be done is found
    out before it begins, so that nobody else has to wait for it and an import that changes nothing writes
    nothing. Should somebody edit the programme in between, it is found out anew, with all other writers
    locked out; `check` is asked then, and may raise.
    """
    revision = Revision.objects.first()
    check()
    plan = compare(contents, order)
    if not plan.writes:
        if plan.memory.writes:
            with transaction.atomic():
                plan.memory.write()
        return plan
    with recording.edit(by.user, by.moment, reason=IMPORT, detail=order.source):
        now = Revision.objects.select_for_update().first()
        if _state(now) != _state(revision):
            check()
            plan = compare(contents, order)
        steps = list(_all_steps(plan))
        for number, step in enumerate(progress(steps), 1):
            step()
            yield number, len(steps)
    return plan


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
    plan.memory.forget(plan.withdrawn_occasions)
    Occasion.objects.filter(pk__in=[occasion.pk for occasion in plan.withdrawn_occasions]).delete()


def _steps(model: type[Any], rows: Rows) -> Iterator[Callable[[], Any]]:
    for created in _batches(rows.created):
        yield partial(model.objects.bulk_create, created)
    fields = sorted({name for change in rows.changed for name in change.fields})
    for changed in _batches([change.row for change in rows.changed]):
        yield partial(model.objects.bulk_update, changed, fields)


def _batches(rows: list[Any]) -> Iterator[list[Any]]:
    return (rows[begin : begin + _AT_ONCE] for begin in range(0, len(rows), _AT_ONCE))
