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
from programme.exchange.merge.places import NOWHERE, PLACE, Held, find_held
from programme.exchange.merge.plan import Plan
from programme.exchange.merge.three_way import (
    GONE,
    IDENTIFIERS,
    MISSING,
    Changes,
    ImportConflict,
    PlannedChange,
    build_conflict_key,
    differ,
    find_changes,
    set_values,
)
from programme.exchange.questions import Question
from programme.exchange.workbook import NO, YES, list_unread
from programme.models import Event, Occasion, Status
from programme.models.change_marks import NO_NOTE, ChangeMark, build_note


def remove_note(row: Event | Occasion, stated: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
    """Return an empty note for a row that these values reinstate; nothing where the file states one."""
    values = build_note(ChangeMark.of(row).note)
    reinstated = row.cancelled and written.get("cancelled") is False
    is_stated = values | stated != stated | values
    return build_note(NO_NOTE) if reinstated and any(values.values()) and not is_stated else {}


def show_places(
    context: ImportContext, match: Match, fields: Changes, allowed: dict[str, Any]
) -> tuple[Changes, bool]:
    """Return the changes of a row, those of its own place as readers see them, and whether they see any.

    The change of a place that follows from that of its event is shown with the event.
    """
    others = {name: change for name, change in fields.items() if name not in PLACE}
    if not isinstance(match, OccasionMatch):
        shown = fields if context.places[id(match.event)].moves else others
        return shown, bool(shown)
    row = match.row
    stated = Held(allowed.get("location", row.location), allowed.get("room", row.room))
    before, after = context.held_here[row.pk], stated.within(Held.stated(match.owner)).values
    changed = {name: (old, after[name]) for name, old in before.values.items()}
    seen = {name: pair for name, pair in changed.items() if differ(*pair)}
    return others | (seen if len(others) < len(fields) else {}), bool(others or seen)


def show_conflicts(
    context: ImportContext, match: Match, conflicts: list[ImportConflict]
) -> list[ImportConflict]:
    """Return conflicts about the place of an occasion with where it is here, and where the file has it."""
    if not isinstance(match, OccasionMatch):
        return conflicts
    others = [each for each in conflicts if each.field not in PLACE]
    shown = [each for each in conflicts if each.field in PLACE]
    if not shown:
        return others
    here, there = context.held_here[match.row.pk].values, context.held[id(match.stated)].values
    repeated = all(each.repeated for each in shown) and not context.places[id(match.event)].known
    return others + [
        shown[0]._replace(field=name, here=here[name], file=there[name], repeated=repeated)
        for name in here
        if differ(here[name], there[name])
    ]


def keep_places(context: ImportContext, plan: Plan) -> None:
    """Give occasions their place as their own if their event leaves it, and the file does not move them."""
    deleted = {row.pk for row in plan.withdrawn_occasions}
    for event in context.contents.events:
        row = plan.event_rows.get(id(event))
        for occasion in context.places[id(event)].known if row else ():
            stays = occasion.pk not in deleted and id(occasion) not in plan.placed
            if row and stays and occasion.event_id == row.pk:
                _keep_place(context, plan, occasion, row)


def _keep_place(context: ImportContext, plan: Plan, row: Occasion, event: Event) -> None:
    held = context.held_here[row.pk]
    if held == NOWHERE or find_held(row, event).venue == held.venue:
        return
    row.location, row.room = held
    if id(row) not in plan.restored:
        plan.occasions.written.append(PlannedChange(row, {}, PLACE))
    if context.memory.last_stated(row):
        context.memory.remember(row, held.values)


Values = dict[str, Any]


def decide_event(context: ImportContext, plan: Plan, match: EventMatch, values: Values) -> None:
    event, row, own_sheet = match.event, match.row, context.contents.is_own_export
    if match.stored:
        if not own_sheet and parse_event_key(row.source_id) != event.key:
            values["source_id"] = claim_event_id(event.source_id, plan.event_ids)
        accepted = _plan_change(context, plan, match, values, _republish(context, plan, match))
        if not accepted:
            plan.refused_events.add(row.pk)
        elif row.status == Status.DRAFT:
            plan.drafts.append(row)
            if row.pk in context.withdrawn.by_editors:
                plan.withdrawn_here.append(row)
    else:
        accepted = _plan_new(context, plan, match, values)
        if accepted and not own_sheet and (row.source_id in plan.event_ids or not row.pk):
            row.source_id = claim_event_id(event.source_id, plan.event_ids)
        if accepted and row.pk:
            _restore_occasions(context, plan, row)
    if accepted:
        plan.event_rows[id(event)] = row


def decide_occasion(context: ImportContext, plan: Plan, match: OccasionMatch, values: Values) -> None:
    occasion, row, owner, own_sheet = match.stated, match.row, match.owner, context.contents.is_own_export
    if match.stored:
        if not own_sheet and occasion.guid and parse_guid(row.source_id) != occasion.guid:
            values["source_id"] = claim_occasion_id(occasion.guid, owner.source_id, plan.occasion_ids)
        accepted = _plan_change(context, plan, match, values, {})
    elif id(row) in plan.restored:
        # With its event, whatever the file says.
        set_values(row, values | remove_note(row, values, values))
        context.memory.remember(row, values)
        accepted = True
    else:
        accepted = _plan_new(context, plan, match, values)
        if accepted and not own_sheet and (row.source_id in plan.occasion_ids or not row.pk):
            row.source_id = claim_occasion_id(occasion.guid, owner.source_id, plan.occasion_ids)
    if accepted:
        plan.occasion_rows[id(occasion)] = row


def _plan_change(context: ImportContext, plan: Plan, match: Match, values: Values, always: Values) -> bool:
    """Plan a stored row with the values that may be written; return False if that is refused."""
    row = match.row
    allowed, conflicts = context.memory.merge(row, values)
    allowed |= always | remove_note(row, values, allowed)
    fields = find_changes(row, allowed)
    changes = {name: new for name, (_old, new) in fields.items()}
    shown, is_changed = show_places(context, match, fields, allowed)
    if changes.keys() - IDENTIFIERS and (why := _refusal(context, match, changes)):
        plan.refused.append((match.stated, why))
        return False
    if _refusal(context, match, {}):
        # The user may write none of it. If there is nothing to write, there is no refusal to report.
        allowed, fields, shown, is_changed = {}, {}, {}, False
    else:
        context.memory.remember(row, values)
        plan.add_conflicts(match.event, show_conflicts(context, match, conflicts))
    if PLACE & allowed.keys():
        plan.placed.add(id(row))
    plan.planned(row).add(PlannedChange(row, shown, frozenset(fields)), allowed, is_changed=is_changed)
    return True


def _plan_new(context: ImportContext, plan: Plan, match: Match, values: Values) -> bool:
    """Plan a new or restored row with all its values; return False if it is refused or stays deleted."""
    row = match.row
    set_values(row, values | remove_note(row, values, values))
    why = _refusal(context, match, values)
    if match.deleted:
        key = build_conflict_key(row, match.deleted, GONE)
        restored = context.memory.takes_file(key)
        if not why:
            conflict = ImportConflict(key, row, GONE, None, None, repeated=True, overwritten=restored)
            plan.add_conflicts(match.event, [conflict])
        if not restored:
            return False
    if why:
        plan.refused.append((match.stated, why))
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
    return context.permissions.refuse_new(match.row, values)


def _restore_occasions(context: ImportContext, plan: Plan, row: Event) -> None:
    """Restore the occasions that were deleted with an event, whatever the file says of them."""
    for occasion in context.deleted.occasions_of(row):
        occasion.event = row
        plan.occasion_ids.add(occasion.source_id)
        plan.restored.add(id(occasion))
        plan.occasions.created.append(occasion)


def _republish(context: ImportContext, plan: Plan, match: EventMatch) -> Values:
    """Return the status of an event that an import has withdrawn and that the file has again."""
    row, status = match.row, match.event.more.get("status", Status.PUBLISHED)
    withdrawn = row.status == Status.DRAFT and row.pk in context.withdrawn.by_imports
    if not withdrawn or status != Status.PUBLISHED:
        return {}
    if not context.permissions.publishes:
        plan.stay_withdrawn.append(row)
        return {}
    plan.republished.append(row)
    return {"status": Status.PUBLISHED}


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


def decide_missing(context: ImportContext, plan: Plan, found: set[int]) -> None:
    """Plan what happens to stored rows that the file does not have; `found` are the occasions that it has."""
    contents = context.contents
    here = plan.refused_events | {row.pk for row in plan.event_rows.values()}
    plan.events.missing = [
        event
        for event in context.events
        if event.pk not in here
        and parse_event_key(event.source_id) not in contents.unread_keys
        and context.editions.has(context.list_starts(event))
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
