"""Decide: what of the compared values is written, by the three-way merge, permissions and restores."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.structs import replace

from programme.changes.change import Change
from programme.changes.rights import EventState, Rights
from programme.exchange.merge import three_way
from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.history import find_edited, find_edited_events
from programme.exchange.merge.match import Match, Values
from programme.exchange.merge.matching import claim_event_id, claim_occasion_id, parse_event_key, parse_guid
from programme.exchange.merge.named_rows import identify
from programme.exchange.merge.plan import PlannedImport, list_relations
from programme.exchange.questions import Question
from programme.exchange.workbook import NO, YES
from programme.history.versions import read_state
from programme.models import Event, Occasion, Status


def decide_event(context: ImportContext, planned: PlannedImport, match: Match, values: Values) -> None:
    event, row, own_sheet = match.event, match.row, context.contents.is_own_export
    if match.stored:
        if not own_sheet and parse_event_key(row.source_id) != event.key:
            values["source_id"] = claim_event_id(event.source_id, planned.event_ids)
        _plan_change(context, planned, match, values, _republish(context, planned, match))
        if row.status == Status.DRAFT and row.pk in context.withdrawn.by_editors:
            planned.notes[id(row)] = _("withdrawn here: it stays a draft")
    elif _plan_new(context, planned, match, values):
        if not own_sheet and (row.source_id in planned.event_ids or not row.pk):
            row.source_id = claim_event_id(event.source_id, planned.event_ids)
        if row.pk:
            # The occasions that were deleted with it are restored, whatever the file says of them.
            for occasion in context.deleted.occasions_by_event.get(row.pk, []):
                occasion.event = row
                planned.occasion_ids.add(occasion.source_id)
                planned.create(occasion)
    else:
        return
    planned.event_rows[id(event)] = row


def decide_occasion(context: ImportContext, planned: PlannedImport, match: Match, values: Values) -> None:
    occasion, row, owner, own_sheet = match.stated, match.row, match.owner, context.contents.is_own_export
    if match.stored:
        if not own_sheet and occasion.guid and parse_guid(row.source_id) != occasion.guid:
            values["source_id"] = claim_occasion_id(occasion.guid, owner.source_id, planned.occasion_ids)
        _plan_change(context, planned, match, values, {})
    elif planned.is_new(row):
        # With its event, whatever the file says.
        three_way.set_values(row, values)
        context.memory.remember(row, values)
    elif _plan_new(context, planned, match, values):
        if not own_sheet and (row.source_id in planned.occasion_ids or not row.pk):
            row.source_id = claim_occasion_id(occasion.guid, owner.source_id, planned.occasion_ids)
    else:
        return
    planned.occasion_rows[id(occasion)] = row


def _plan_change(
    context: ImportContext, planned: PlannedImport, match: Match, values: Values, always: Values
) -> None:
    """Plan a stored row with the values that may be written."""
    row = match.row
    allowed, conflicts = context.memory.merge(row, values)
    planned.add_conflicts(match.event, conflicts)
    if context.options.rights.can("change", row):
        context.memory.remember(row, values)
    planned.set(row, allowed | always)


def _plan_new(context: ImportContext, planned: PlannedImport, match: Match, values: Values) -> bool:
    """Plan a new or restored row with all its values; return False if it stays deleted."""
    row = match.row
    three_way.set_values(row, values)
    if match.deleted:
        key = three_way.build_conflict_key(row, match.deleted, three_way.GONE)
        is_restored = key in context.options.overwritten
        change = Change(type(row), identify(row), None, three_way.read_planned(row), row=row)
        conflict = three_way.ImportConflict(key, row, change, repeated=True, overwritten=is_restored)
        planned.add_conflicts(match.event, [conflict])
        if not is_restored:
            return False
    context.memory.remember(row, values)
    planned.create(row)
    return True


def _republish(context: ImportContext, planned: PlannedImport, match: Match) -> Values:
    """Return the status of an event that an import has withdrawn and that the file has again."""
    row, status = match.row, match.event.more.get("status", Status.PUBLISHED)
    withdrawn = row.status == Status.DRAFT and row.pk in context.withdrawn.by_imports
    if not withdrawn or status != Status.PUBLISHED:
        return {}
    note = _("an import has withdrawn it; the file has it again, so it is published again")
    if not context.options.rights.can_publish:
        note = _(
            "an import has withdrawn it; the file has it again, and it stays a draft, because you may not "
            "publish"
        )
    planned.notes[id(row)] = note
    return {"status": status} if context.options.rights.can_publish else {}


def ask_about_unread_sheets(context: ImportContext) -> list[Question]:
    """Return the question, which nothing answers by itself; it is asked again with each file."""
    unread = [sheet for sheet in context.contents.sheets if sheet.rows and sheet.is_lost]
    if not unread:
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


def decide_missing(context: ImportContext, planned: PlannedImport, found: set[int]) -> None:
    """Plan what happens to stored rows that the file does not have; `found` are the occasions that it has."""
    contents = context.contents
    planned.missing_events = context.list_missing_events({row.pk for row in planned.event_rows.values()})
    planned.missing_occasions = [
        occasion
        for occasion in context.occasions
        if occasion.pk not in found
        and parse_event_key(occasion.event.source_id) not in contents.unread_keys
        and parse_guid(occasion.source_id) not in contents.unread_guids
        and context.editions.has([occasion.start])
    ]
    if context.options.withdraw_missing:
        asked = ask_about_unread_sheets(context)
        planned.questions += asked
        if all(each.answer == YES for each in asked):
            _withdraw(context, planned)


def _withdraw(context: ImportContext, planned: PlannedImport) -> None:
    missing = {event.pk for event in planned.missing_events}
    events = [event for event in planned.missing_events if event.status == Status.PUBLISHED]
    occasions = [each for each in planned.missing_occasions if each.event_id not in missing]
    edited_events = find_edited_events({event.pk for event in events})
    edited_occasions = find_edited(Occasion, id__in={occasion.pk for occasion in occasions})
    for event in events:
        if _goes(context, planned, event, edited_events):
            planned.set(event, {"status": Status.DRAFT})
            planned.withdrawn.add(id(event))
    for occasion in occasions:
        if _goes(context, planned, occasion, edited_occasions):
            planned.delete(occasion)


def _goes(
    context: ImportContext, planned: PlannedImport, row: Event | Occasion, edited: dict[int, datetime]
) -> bool:
    """Return whether a row is taken away; for one that was edited here that is a conflict to decide."""
    if row.pk not in edited:
        return True
    key = three_way.build_conflict_key(row, row.pk, three_way.MISSING)
    goes = key in context.options.overwritten
    before = read_state(row) or {}
    after = before | {"status": Status.DRAFT} if isinstance(row, Event) else None
    change = Change(type(row), row.pk, before, after, row=row)
    conflict = three_way.ImportConflict(
        key, row, change, repeated=False, overwritten=goes, edited_at=edited[row.pk]
    )
    planned.edited_missing.append(conflict)
    return goes


# --- Permissions ---------------------------------------------------------------------------------


def refuse(context: ImportContext, planned: PlannedImport) -> None:
    """Refuse row by row what the person who imports may not do, and with it what would name such rows."""
    named = [Change.of(None, row) for kind in context.directory.kinds().values() for row in kind.created]
    changes = [*named, *planned.changes.values()]
    conflicts = [each.change for each in planned.conflicts]
    forbidden = {id(each) for each in context.options.rights.find_forbidden([*conflicts, *changes])}
    for each in changes:
        if id(each) not in forbidden:
            continue
        if each.before and each.values.keys() <= three_way.IDENTIFIERS:
            # That the file calls it something else is nothing to be told; what it lacks is listed anyway.
            del planned.changes[id(each.row)]
        else:
            each.refusal = _explain(each, context.options.rights)
    refused: dict[int, Any] = {id(each.row): each.refusal for each in changes if each.refusal}
    occasions, events = ([each for each in changes if each.model is model] for model in (Occasion, Event))
    for each in [*occasions, *events, *occasions] if refused else ():
        whys = (refused[id(row)] for row in list_relations(each.row) if id(row) in refused)
        each.refusal = each.refusal or next(whys, "")
        if each.refusal:
            refused[id(each.row)] = each.refusal
            planned.memory.forget(each.row)
        owner = planned.changes.get(id(each.row.event)) if each.model is Occasion else None
        # Without the places of its occasions a new event would have none.
        if owner and owner.before is None and each.before is None:
            owner.refusal = owner.refusal or each.refusal
    for key, found in planned.conflicts_by_event.items():
        planned.conflicts_by_event[key] = [
            each for each in found if id(each.change) not in forbidden and not planned.find_refusal(each.row)
        ]


def _explain(change: Change, rights: Rights) -> str:
    before, after = change.before, change.after
    if change.model is Event:
        states = (EventState(row["area_id"], row["status"]) if row else None for row in (before, after))
        return " ".join(rights.find_refusals(*states).values())
    if change.model is not Occasion:
        names = {"kind": change.model._meta.verbose_name, "name": str(change.row)}
        return _("There is no %(kind)s “%(name)s”, and you may not add it.") % names
    if before and after and before["event_id"] != after["event_id"]:
        return _("You may not move this occasion to another event.")
    return _("You may not change this event.")
