"""An import as a pipeline: read, match, compare and decide make a plan, which is applied, all or nothing."""

from collections.abc import Callable, Generator
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from django.db import DatabaseError, transaction
from django.utils.translation import gettext as _

from programme.changes.change import Plan
from programme.changes.writing import PlanRefusedError, Step, write_in_steps
from programme.exchange.merge.context import read_context
from programme.exchange.merge.decide import decide_event, decide_missing, decide_occasion, refuse
from programme.exchange.merge.kept_ids import find_kept_ids, give_ids, keep_uids
from programme.exchange.merge.looking import look
from programme.exchange.merge.match import compare_event, compare_occasion, match_events, match_occasions
from programme.exchange.merge.names import ask_about_names
from programme.exchange.merge.options import remember_answers
from programme.exchange.merge.places import find_places, give_facts, locate_places
from programme.exchange.merge.plan import PlannedImport
from programme.exchange.merge.telling import settle_telling
from programme.exchange.questions import find_unanswered
from programme.exchange.values import Contents, ImportOptions
from programme.history import edits
from programme.models import Revision
from programme.models.statistics import analyse

Done = TypeVar("Done")


def plan_import(contents: Contents, options: ImportOptions) -> PlannedImport:
    """Return what importing the contents would do to the programme as it is now; write nothing.

    Occasions are matched once their events are decided, because a deleted event is restored with its own.
    """
    context = read_context(contents, options)
    contents = context.contents
    planned = PlannedImport(
        context.directory,
        context.memory,
        event_ids={event.source_id for event in context.events},
        occasion_ids={occasion.source_id for occasion in context.occasions},
        questions=[*options.questions, *contents.questions, *ask_about_names(context)],
    )
    find_places(context)
    for event in match_events(context, planned):
        decide_event(context, planned, event, compare_event(context, event))
    occasions, found = match_occasions(context, planned)
    for occasion in occasions:
        decide_occasion(context, planned, occasion, compare_occasion(context, occasion))
    if not contents.is_own_export:
        decide_missing(context, planned, found)
        planned.taken_uids = keep_uids(planned, contents)
    locate_places(context, planned)
    planned.left_facts = give_facts(context, planned)
    planned.settle()
    refuse(context, planned)
    planned.list_changes(options.source)
    planned.kept_ids = find_kept_ids(planned, contents)
    settle_telling(context, planned)
    planned.look = partial(look, context, planned)
    planned.plan.follow = partial(_remember, contents, options, planned)
    return planned


# So many new or changed rows are unlike those that the database's statistics know.
_MANY = 1_000


class ChangedSincePreviewError(Exception):
    """The import would do something else by now than its preview showed: its argument."""


class ApplyError(Exception):
    """The database refuses what an import would write: the message gives the reason."""


# Makes the plan, if it has to be looked at before it is applied.
Check = Callable[[], PlannedImport | None]


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
) -> Generator[Step, None, PlannedImport]:
    """Import a file's contents, yielding how many rows are written, of how many; return what was done.

    All steps are one transaction, which is rolled back when the generator is closed early. The plan is made
    before it begins, so that no writer waits for that, and an import that changes nothing writes nothing.
    If the programme was edited in between, the plan is made again with all other writers locked out.
    The command has no user. `check` runs before each; it may raise, or return the plan if it has made it.
    """
    states = Revision.objects.values_list("number", "moved_at")
    before = states.first()
    planned = check() or plan_import(contents, options)
    if unanswered := find_unanswered(planned.questions):
        listed = "\n".join(each.text for each in unanswered)
        raise ApplyError(_("it needs answers first:\n%(questions)s") % {"questions": listed})
    if not planned.writes:
        _remember(contents, options, planned, planned.plan)
        return planned
    try:
        with edits.record(user, moment):
            if states.select_for_update().first() != before:
                planned = check() or plan_import(contents, options)
            give_ids(planned.kept_ids)
            yield from write_in_steps(planned.plan)
            planned.edit = edits.begin() if planned.tells else edits.current_edit_id()
            if len(planned.plan.written) > _MANY:
                transaction.on_commit(analyse, robust=True)
    except (DatabaseError, PlanRefusedError) as error:
        why = str(error).strip().partition("\n")[0]
        raise ApplyError(why or type(error.__cause__ or error).__name__) from error
    return planned


def _remember(contents: Contents, options: ImportOptions, planned: PlannedImport, _plan: Plan) -> None:
    if planned.writes or planned.memory.has_unsaved:
        with transaction.atomic():
            planned.memory.save()
    rows: dict[int, Any] = {**planned.event_rows, **planned.occasion_rows}
    written = {key for key, row in rows.items() if not planned.find_refusal(row)}
    stated: Any = [each for event in contents.events for each in (event, *event.occasions)]
    refused = {each.cells for each in stated if id(each) not in written}
    withheld = contents.cells.list_keys(refused) if contents.cells else ()
    remember_answers(options.source, [*planned.questions, *contents.settled], options.answers, withheld)
