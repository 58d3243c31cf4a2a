"""An import as a pipeline: read, match, compare and decide make a plan, which apply.py writes."""

from collections.abc import Generator
from typing import Any, TypeVar

from programme.exchange.merge.context import read_context
from programme.exchange.merge.decide import (
    ask_about_notes,
    decide_event,
    decide_missing,
    decide_occasion,
    keep_places,
)
from programme.exchange.merge.match import compare_event, compare_occasion, match_events, match_occasions
from programme.exchange.merge.names import ask_about_names, find_former_names
from programme.exchange.merge.places import find_places
from programme.exchange.merge.plan import Plan
from programme.exchange.merge.properties import describe_rows, find_kept_ids, find_new_areas, keep_uids
from programme.exchange.values import Contents, ImportOptions

Result = TypeVar("Result")
# Steps done, of how many.
Step = tuple[int, int]


def finish(steps: Generator[Any, None, Result]) -> Result:
    """Do all steps, and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: Result = done.value
            return result


def report_each(steps: Generator[Any, None, Result], step: Step) -> Generator[Step, None, Result]:
    """Do the steps, and report the same progress after each: a proxy gives up on a silent response."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: Result = done.value
            return result
        yield step


# After how many rows the steps pause.
_ROWS = 500


def plan_import(contents: Contents, options: ImportOptions) -> Plan:
    """Return what importing the contents would do to the programme as it is now; write nothing."""
    return finish(plan_in_steps(contents, options))


def plan_in_steps(contents: Contents, options: ImportOptions) -> Generator[None, None, Plan]:
    """Do what `plan_import` does, pausing now and then.

    Occasions are matched once their events are decided, because a deleted event is restored with its own.
    """
    context = read_context(contents, options)
    plan = Plan(
        context.directory,
        context.memory,
        event_ids={event.source_id for event in context.events},
        occasion_ids={occasion.source_id for occasion in context.occasions},
        first_time=not context.events,
        questions=[*contents.questions, *ask_about_names(context)],
    )
    find_places(context)
    yield
    for number, event in enumerate(match_events(context)):
        decide_event(context, plan, event, compare_event(context, event))
        if number % _ROWS == 0:
            yield
    occasions, found = match_occasions(context, plan)
    for number, occasion in enumerate(occasions):
        decide_occasion(context, plan, occasion, compare_occasion(context, occasion))
        if number % _ROWS == 0:
            yield
    plan.questions += ask_about_notes(plan.reinstated_notes.values(), options.answers)
    if not contents.is_own_export:
        decide_missing(context, plan, found)
    keep_places(context, plan)
    plan.former_names = find_former_names(contents.events, context.directory)
    context.directory.drop_unused([*_named_rows(plan), *find_new_areas(context)])
    plan.described = describe_rows(context)
    plan.kept_ids = find_kept_ids(plan, contents)
    if not contents.is_own_export:
        plan.taken_uids = keep_uids(plan, contents)
    return plan


def _named_rows(plan: Plan) -> list[Any]:
    planned = (plan.events, plan.occasions)
    named = [
        getattr(row, each.name)
        for rows in planned
        for row in rows.created
        for each in row._meta.concrete_fields
        if each.is_relation
    ]
    changes = (change for rows in planned for change in rows.written)
    return named + [getattr(change.row, name) for change in changes for name in change.written]
