"""Decide: what of the compared values is written, by the three-way merge, permissions and restores."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.structs import replace

from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.history import find_edited, find_edited_events
from programme.exchange.merge.match import EventMatch, Match, OccasionMatch
from programme.exchange.merge.matching import claim_event_id, claim_occasion_id, parse_event_key, parse_guid
from programme.exchange.merge.plan import ImportPlan
from programme.exchange.merge.three_way import (
    GONE,
    IDENTIFIERS,
    MISSING,
    ImportConflict,
    PlannedChange,
    build_conflict_key,
    find_changes,
    set_values,
)
from programme.exchange.questions import Question
from programme.exchange.workbook import NO, YES, list_unread
from programme.models import Event, Occasion, Status

Values = dict[str, Any]


def decide_event(context: ImportContext, plan: ImportPlan, match: EventMatch, values: Values) -> None:
    event, row, own_sheet = match.event, match.row, context.contents.is_own_export
    if match.stored:
        if not own_sheet and parse_event_key(row.source_id) != event.key:
            values["source_id"] = claim_event_id(event.source_id, plan.event_ids)
        accepted = _plan_change(context, plan, match, values, _republish(context, plan, match))
        if not accepted:
            plan.refused_events.add(row.pk)
        elif row.status == Status.DRAFT and row.pk in context.withdrawn.by_editors:
            plan.notes[id(row)] = _("withdrawn here: it stays a draft")
    else:
        accepted = _plan_new(context, plan, match, values)
        if accepted and not own_sheet and (row.source_id in plan.event_ids or not row.pk):
            row.source_id = claim_event_id(event.source_id, plan.event_ids)
        if accepted and row.pk:
            _restore_occasions(context, plan, row)
    if accepted:
        plan.event_rows[id(event)] = row


def decide_occasion(context: ImportContext, plan: ImportPlan, match: OccasionMatch, values: Values) -> None:
    occasion, row, owner, own_sheet = match.stated, match.row, match.owner, context.contents.is_own_export
    if match.stored:
        if not own_sheet and occasion.guid and parse_guid(row.source_id) != occasion.guid:
            values["source_id"] = claim_occasion_id(occasion.guid, owner.source_id, plan.occasion_ids)
        accepted = _plan_change(context, plan, match, values, {})
    elif id(row) in plan.restored:
        # With its event, whatever the file says.
        set_values(row, values)
        context.memory.remember(row, values)
        accepted = True
    else:
        accepted = _plan_new(context, plan, match, values)
        if accepted and not own_sheet and (row.source_id in plan.occasion_ids or not row.pk):
            row.source_id = claim_occasion_id(occasion.guid, owner.source_id, plan.occasion_ids)
    if accepted:
        plan.occasion_rows[id(occasion)] = row
    if accepted and match.stored and occasion.told and not _refusal(context, match, {}):
        plan.told[row.pk] = occasion.told


def _plan_change(
    context: ImportContext, plan: ImportPlan, match: Match, values: Values, always: Values
) -> bool:
    """Plan a stored row with the values that may be written; return False if that is refused."""
    row = match.row
    allowed, conflicts = context.memory.merge(row, values)
    allowed |= always
    fields = find_changes(row, allowed)
    changes = {name: new for name, (_old, new) in fields.items()}
    if changes.keys() - IDENTIFIERS and (why := _refusal(context, match, changes)):
        plan.refused[id(match.stated)] = why
        return False
    if _refusal(context, match, {}):
        # The user may write none of it. If there is nothing to write, there is no refusal to report.
        allowed, fields = {}, {}
    else:
        context.memory.remember(row, values)
        plan.add_conflicts(match.event, conflicts)
    plan.planned(row).add(PlannedChange(row, fields), allowed)
    return True


def _plan_new(context: ImportContext, plan: ImportPlan, match: Match, values: Values) -> bool:
    """Plan a new or restored row with all its values; return False if it is refused or stays deleted."""
    row = match.row
    set_values(row, values)
    why = _refusal(context, match, values)
    if match.deleted:
        key = build_conflict_key(row, match.deleted, GONE)
        restored = key in context.options.overwritten
        if not why:
            conflict = ImportConflict(key, row, GONE, None, None, repeated=True, overwritten=restored)
            plan.add_conflicts(match.event, [conflict])
        if not restored:
            return False
    if why:
        plan.refused[id(match.stated)] = why
        return False
    context.memory.remember(row, values)
    plan.planned(row).created.append(row)
    if row.pk:
        plan.restored.add(id(row))
    return True


def _refusal(context: ImportContext, match: Match, values: Values) -> str:
    if isinstance(match, OccasionMatch):
        return context.permissions.refuse_occasion(match.row, match.owner, values)
    if match.stored:
        return context.permissions.refuse_change(match.row, values)
    # Without the places of its occasions a new event would have none.
    places = (row for each in match.event.occasions for row in context.places[id(each)].values())
    return context.permissions.refuse_new(match.row, [*values.values(), *places])


def _restore_occasions(context: ImportContext, plan: ImportPlan, row: Event) -> None:
    """Restore the occasions that were deleted with an event, whatever the file says of them."""
    for occasion in context.deleted.occasions_by_event.get(row.pk, []):
        occasion.event = row
        plan.occasion_ids.add(occasion.source_id)
        plan.restored.add(id(occasion))
        plan.occasions.created.append(occasion)


def _republish(context: ImportContext, plan: ImportPlan, match: EventMatch) -> Values:
    """Return the status of an event that an import has withdrawn and that the file has again."""
    row, status = match.row, match.event.more.get("status", Status.PUBLISHED)
    withdrawn = row.status == Status.DRAFT and row.pk in context.withdrawn.by_imports
    if not withdrawn or status != Status.PUBLISHED:
        return {}
    if context.permissions.publishes:
        plan.notes[id(row)] = _("an import has withdrawn it; the file has it again, so it is published again")
        return {"status": Status.PUBLISHED}
    plan.notes[id(row)] = _(
        "an import has withdrawn it; the file has it again, and it stays a draft, because you may not publish"
    )
    return {}


def ask_about_unread_sheets(context: ImportContext) -> list[Question]:
    """Return the question, which nothing answers by itself; it is asked again with each file."""
    unread = [sheet for sheet in list_unread(context.contents.sheets) if sheet.is_programme]
    if not (unread and context.options.withdraw_missing):
        return []
    text = ngettext(
        "%(sheets)s is not read. Is what was imported from it earlier to be withdrawn?",
        "%(sheets)s are not read. Is what was imported from them earlier to be withdrawn?",
        len(unread),
    )
    choices = {
        NO: _("No: withdraw and delete nothing"),
        YES: _("Yes: withdraw and delete all that is not in the sheets that are read"),
    }
    key = f"unread:{'|'.join(sheet.key.partition(':')[2] for sheet in unread)}"
    named = ", ".join(sheet.description for sheet in unread)
    question = Question.ask(context.options.answers, key, text % {"sheets": named}, choices)
    return [replace(question, each_time=True)]


def decide_missing(context: ImportContext, plan: ImportPlan, found: set[int]) -> None:
    """Plan what happens to stored rows that the file does not have; `found` are the occasions that it has."""
    contents = context.contents
    here = plan.refused_events | {row.pk for row in plan.event_rows.values()}
    plan.events.missing = [
        event
        for event in context.events
        if event.pk not in here
        and parse_event_key(event.source_id) not in contents.unread_keys
        and context.editions.has(context.starts[event.pk])
    ]
    plan.occasions.missing = [
        occasion
        for occasion in context.occasions
        if occasion.pk not in found
        and occasion.event_id not in plan.refused_events
        and parse_event_key(occasion.event.source_id) not in contents.unread_keys
        and parse_guid(occasion.source_id) not in contents.unread_guids
        and context.editions.has([occasion.start])
    ]
    asked = ask_about_unread_sheets(context)
    plan.questions += asked
    if context.options.withdraw_missing and all(each.answer == YES for each in asked):
        _withdraw(context, plan)


def _withdraw(context: ImportContext, plan: ImportPlan) -> None:
    missing = {event.pk for event in plan.events.missing}
    events = [event for event in plan.events.missing if event.status == Status.PUBLISHED]
    occasions = [each for each in plan.occasions.missing if each.event_id not in missing]
    edited_events = find_edited_events({event.pk for event in events})
    edited_occasions = find_edited(Occasion, id__in={occasion.pk for occasion in occasions})
    plan.withdrawn_events = [row for row in events if _goes(context, plan, row, edited_events)]
    plan.withdrawn_occasions = [row for row in occasions if _goes(context, plan, row, edited_occasions)]


def _goes(
    context: ImportContext, plan: ImportPlan, row: Event | Occasion, edited: dict[int, datetime]
) -> bool:
    """Return whether a row is taken away; for one that was edited here that is a conflict to decide."""
    if row.pk not in edited:
        return True
    key = build_conflict_key(row, row.pk, MISSING)
    goes = key in context.options.overwritten
    conflict = ImportConflict(key, row, MISSING, edited[row.pk], None, repeated=False, overwritten=goes)
    plan.edited_missing.append(conflict)
    return goes
