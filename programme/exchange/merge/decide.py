"""Decide: what of the compared values is written, by the three-way merge, permissions and restores."""

from typing import Any

from programme.exchange.merge.changes import PlannedChange, find_changes, set_values
from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.match import EventMatch, Match, OccasionMatch
from programme.exchange.merge.matching import claim_event_id, claim_occasion_id, parse_event_key, parse_guid
from programme.exchange.merge.placed import show_conflicts, show_places
from programme.exchange.merge.places import PLACE
from programme.exchange.merge.plan import Plan
from programme.exchange.merge.reinstated import settle_note
from programme.exchange.merge.three_way import DELETED, IDENTIFIERS, ImportConflict, build_conflict_key
from programme.models import Event, Status

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
        set_values(row, values | settle_note(context, plan, row, values, values))
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
    allowed, conflicts = context.memory.merge(row, values, match.event.last_modified)
    allowed |= always | settle_note(context, plan, row, values, allowed)
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
    set_values(row, values | settle_note(context, plan, row, values, values))
    why = _refusal(context, match, values)
    if match.deleted:
        key = build_conflict_key(row, match.deleted, DELETED)
        restored = context.memory.takes_file(key)
        if not why:
            conflict = ImportConflict(key, row, DELETED, None, None, repeated=True, overwritten=restored)
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
