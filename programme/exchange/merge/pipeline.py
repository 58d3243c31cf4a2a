"""An import as a pipeline: read, match, compare and decide make a plan, which is applied, all or nothing."""

from collections.abc import Callable, Generator, Iterator
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from django.db import DatabaseError, transaction
from django.utils.translation import gettext as _

from programme.changes.memory import IMPORT
from programme.exchange.merge.context import read_context
from programme.exchange.merge.decide import decide_event, decide_missing, decide_occasion
from programme.exchange.merge.kept_ids import find_kept_ids, give_ids, keep_uids
from programme.exchange.merge.match import compare_event, compare_occasion, match_events, match_occasions
from programme.exchange.merge.names import ask_about_names
from programme.exchange.merge.options import remember_answers, remember_corrections
from programme.exchange.merge.places import find_places, give_facts, locate_places
from programme.exchange.merge.plan import ImportPlan, PlannedRows
from programme.exchange.merge.telling import settle_telling
from programme.exchange.questions import find_unanswered
from programme.exchange.values import Contents, ImportOptions
from programme.history import edits
from programme.models import Event, Location, Occasion, Revision, Status
from programme.models.querysets import split
from programme.models.statistics import analyse
from programme.models.telling import Telling

# Steps done, of how many.
Step = tuple[int, int]
Done = TypeVar("Done")


def plan_import(contents: Contents, options: ImportOptions) -> ImportPlan:
    """Return what importing the contents would do to the programme as it is now; write nothing.

    Occasions are matched once their events are decided, because a deleted event is restored with its own.
    """
    context = read_context(contents, options)
    contents = context.contents
    plan = ImportPlan(
        context.directory,
        context.memory,
        event_ids={event.source_id for event in context.events},
        occasion_ids={occasion.source_id for occasion in context.occasions},
        questions=[*contents.questions, *ask_about_names(context)],
    )
    find_places(context)
    for event in match_events(context):
        decide_event(context, plan, event, compare_event(context, event))
    occasions, found = match_occasions(context, plan)
    for occasion in occasions:
        decide_occasion(context, plan, occasion, compare_occasion(context, occasion))
    if not contents.is_own_export:
        decide_missing(context, plan, found)
    context.directory.drop_unused(_named_rows(plan))
    plan.described = locate_places(context)
    plan.left_facts = give_facts(context, plan)
    plan.kept_ids = find_kept_ids(plan, contents)
    if not contents.is_own_export:
        plan.taken_uids = keep_uids(plan, contents)
    settle_telling(plan, options, is_own=contents.is_own_export)
    return plan


def _named_rows(plan: ImportPlan) -> list[Any]:
    planned = (plan.events, plan.occasions)
    named = [
        getattr(row, each.name)
        for rows in planned
        for row in rows.created
        for each in row._meta.concrete_fields
        if each.is_relation
    ]
    changes = (change for rows in planned for change in rows.changed)
    return named + [getattr(change.row, name) for change in changes for name in change.fields]


_BATCH = 200
# So many new or changed rows are unlike those that the database's statistics know.
_MANY = 1_000


class ChangedSincePreviewError(Exception):
    """The import would do something else by now than its preview showed: `plan`."""

    def __init__(self, plan: ImportPlan) -> None:
        super().__init__()
        self.plan = plan


class ApplyError(Exception):
    """The database refuses what an import would write: the message gives the reason."""


# Makes the plan, if it has to be looked at before it is applied.
Check = Callable[[], ImportPlan | None]


def finish(steps: Generator[Step, None, Done]) -> Done:
    """Do all steps, and return what they return."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: Done = done.value
            return result


def apply_in_steps(
    contents: Contents,
    options: ImportOptions,
    user: Any = None,
    moment: datetime | None = None,
    check: Check = lambda: None,
) -> Generator[Step, None, ImportPlan]:
    """Import a file's contents, yielding how many steps are done, of how many; return what was done.

    All steps are one transaction, which is rolled back when the generator is closed early. The plan is made
    before it begins, so that no writer waits for that, and an import that changes nothing writes nothing.
    If the programme was edited in between, the plan is made again with all other writers locked out.
    The command has no user. `check` runs before each; it may raise, or return the plan if it has made it.
    """
    states = Revision.objects.values_list("number", "moved_at")
    before = states.first()
    plan = check() or plan_import(contents, options)
    if unanswered := find_unanswered(plan.questions):
        listed = "\n".join(each.text for each in unanswered)
        raise ApplyError(_("it needs answers first:\n%(questions)s") % {"questions": listed})
    if not plan.writes:
        if plan.memory.has_unsaved:
            with transaction.atomic():
                plan.memory.save()
        _remember(contents, options, plan)
        return plan
    try:
        with edits.record(user, moment, reason=IMPORT, detail=options.source):
            if states.select_for_update().first() != before:
                plan = check() or plan_import(contents, options)
            edits.set_telling(Telling(plan.tells, notes=plan.told))
            steps: list[Callable[[], Any]] = [*_steps(plan), partial(_remember, contents, options, plan)]
            for number, step in enumerate(steps, 1):
                step()
                yield number, len(steps)
            plan.edit = edits.begin() if plan.tells and plan.told else edits.current_edit_id()
            if sum(len(rows.created) + len(rows.changed) for rows in (plan.events, plan.occasions)) > _MANY:
                transaction.on_commit(analyse, robust=True)
    except DatabaseError as error:
        raise ApplyError(str(error).strip().partition("\n")[0] or type(error).__name__) from error
    return plan


def _remember(contents: Contents, options: ImportOptions, plan: ImportPlan) -> None:
    questions = [*plan.questions, *contents.settled]
    remember_answers(options.source, questions, options.answers)
    remember_corrections(options.source, contents)


def _steps(plan: ImportPlan) -> Iterator[Callable[[], Any]]:
    yield partial(give_ids, plan.kept_ids)
    plan.directory.settle_locations()
    for model, named in plan.directory.kinds().items():
        yield partial(model.objects.bulk_create, named.created, batch_size=_BATCH)
    located = [change.row for change in plan.described]
    yield partial(Location.objects.bulk_update, located, ["latitude", "longitude"])
    yield from _row_steps(Event, plan.events)
    yield from _row_steps(Occasion, plan.occasions)
    withdrawn = Event.objects.filter(pk__in=[event.pk for event in plan.withdrawn_events])
    yield partial(withdrawn.update, status=Status.DRAFT)
    yield Occasion.objects.filter(pk__in=[occasion.pk for occasion in plan.withdrawn_occasions]).delete
    yield plan.memory.save


def _row_steps(model: type[Event | Occasion], rows: PlannedRows) -> Iterator[Callable[[], Any]]:
    for created in split(rows.created, _BATCH):
        yield partial(model.objects.bulk_create, created)
    fields = sorted({name for change in rows.changed for name in change.fields})
    for changed in split([change.row for change in rows.changed], _BATCH):
        yield partial(model.objects.bulk_update, changed, fields)
