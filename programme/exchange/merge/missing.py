"""Lists what a file no longer has; on request withdraws or deletes it, unless an editor has changed it."""

from datetime import datetime

from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.edited_rows import find_edited, find_edited_events
from programme.exchange.merge.matching import parse_event_key, parse_guid
from programme.exchange.merge.plan import Plan
from programme.exchange.merge.three_way import MISSING, ImportConflict, build_conflict_key
from programme.exchange.merge.unread_sheets import ask_about_unread_sheets
from programme.exchange.workbook import YES
from programme.models import Event, Occasion, Status


def decide_missing(context: ImportContext, plan: Plan, found: set[int]) -> None:
    """Plan what happens to stored rows that the file does not have; `found` are the occasions that it has."""
    contents = context.contents
    here = plan.refused_events | {row.pk for row in plan.event_rows.values()}
    plan.events.missing = [
        event
        for event in context.events
        if event.pk not in here and parse_event_key(event.source_id) not in contents.unread_keys
    ]
    plan.occasions.missing = [
        occasion
        for occasion in context.occasions
        if occasion.pk not in found
        and occasion.event_id not in plan.refused_events
        and parse_event_key(occasion.event.source_id) not in contents.unread_keys
        and parse_guid(occasion.source_id) not in contents.unread_guids
    ]
    asked = ask_about_unread_sheets(context)
    plan.questions += asked
    if context.options.withdraw_missing and all(each.answer == YES for each in asked):
        _withdraw(context, plan)


def _withdraw(context: ImportContext, plan: Plan) -> None:
    missing = {event.pk for event in plan.events.missing}
    events = [event for event in plan.events.missing if event.status == Status.PUBLISHED]
    occasions = [each for each in plan.occasions.missing if each.event_id not in missing]
    edited_events = find_edited_events({event.pk for event in events})
    edited_occasions = find_edited(Occasion, id__in={occasion.pk for occasion in occasions})
    plan.withdrawn_events = [row for row in events if _goes(context, plan, row, edited_events)]
    plan.withdrawn_occasions = [row for row in occasions if _goes(context, plan, row, edited_occasions)]


def _goes(context: ImportContext, plan: Plan, row: Event | Occasion, edited: dict[int, datetime]) -> bool:
    """Return whether a row is taken away; for one that was edited here that is a conflict to decide."""
    if row.pk not in edited:
        return True
    key = build_conflict_key(row, row.pk, MISSING)
    goes = context.memory.takes_file(key)
    conflict = ImportConflict(key, row, MISSING, edited[row.pk], None, repeated=False, overwritten=goes)
    plan.edited_missing.append(conflict)
    return goes
