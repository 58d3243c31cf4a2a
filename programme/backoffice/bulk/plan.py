"""What an operation would make of occasions and events: a plan, in which each that stays says why."""

import datetime as dt
from copy import copy
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from feeds.festival_time import FestivalTime, Length, SkippedTimeError
from programme.backoffice.bulk.forms import Operation, refuse
from programme.backoffice.forms.fields import UNLIKELY_YEAR, missing_hour
from programme.backoffice.timetable.columns import WriteRefusedError
from programme.changes.change import Change, Plan
from programme.changes.rights import Rights
from programme.models import Occasion, Status
from programme.models.festival_time import festival_time
from programme.models.occasions import FIRST_INSTANT, LAST_INSTANT

# So many rows are written in one statement.
BATCH = 200

# What the history calls the edit. How many occasions there were stands after it.
MOVED, CHANGED = gettext_noop("moved occasions"), gettext_noop("changed many at once")
CANCELLED, REINSTATED = gettext_noop("cancelled occasions"), gettext_noop("reinstated occasions")
NOTIFIED = gettext_noop("notified readers of occasions")


def build_plan(
    operation: Operation,
    events: list[Change],
    occasions: list[Occasion],
    rights: Rights,
    instant: dt.datetime,
) -> Plan:
    allowed = {each for each in occasions if rights.can("change", each)}
    offset = Length()
    if operation.moves and allowed:
        offset = operation.find_offset(min(each.start for each in allowed), festival_time())
    changes = [_plan_row(operation, offset, each) for each in occasions]
    noted = [each.pk for each in allowed if operation.notes and is_seen(each, instant)]
    for change, each in zip(changes, occasions, strict=True):
        if each not in allowed:
            change.refusal = refuse(each.event)
        elif not (change.refusal or change.kind or each.pk in noted):
            so = _("It is so already.")
            change.refusal = _("Readers do not know it, or it is over.") if operation.notes else so
    count = sum(not each.refusal for each in changes)
    detail = f"({count or sum(bool(each.kind) for each in events)})"
    telling = replace(operation.telling, about=noted)
    return Plan([*events, *changes], choose_reason(operation), detail, telling=telling)


def is_seen(occasion: Occasion, instant: dt.datetime) -> bool:
    return occasion.event.status == Status.PUBLISHED and occasion.end > instant


def list_changing(plan: Plan) -> list[Change]:
    """Return the occasions that change, or of which readers are told."""
    return [each for each in plan.changes if each.model is Occasion and not each.refusal]


def is_held_otherwise(change: Change) -> bool:
    moved = {"start", "end", "location_id", "room_id"}
    return not moved.isdisjoint(change.values) or change.values.get("cancelled") is False


def name_button(operation: Operation, count: int) -> str:
    return {
        MOVED: ngettext("Move %(count)d occasion", "Move %(count)d occasions", count),
        CANCELLED: ngettext("Cancel %(count)d occasion", "Cancel %(count)d occasions", count),
        REINSTATED: ngettext("Reinstate %(count)d occasion", "Reinstate %(count)d occasions", count),
        NOTIFIED: ngettext(
            "Tell readers of %(count)d occasion", "Tell readers of %(count)d occasions", count
        ),
        CHANGED: ngettext("Change %(count)d occasion", "Change %(count)d occasions", count),
    }[choose_reason(operation)] % {"count": count}


def move(after: Occasion, by: Length, festival: FestivalTime) -> None:
    """Move an occasion by a length; raises `WriteRefusedError` where there is no such time."""
    try:
        after.start, after.end = festival.add(after.start, by), festival.add(after.end, by)
    except SkippedTimeError as error:
        raise WriteRefusedError(missing_hour(error.date, error.clock)) from None
    except OverflowError:
        raise WriteRefusedError(str(UNLIKELY_YEAR)) from None
    if after.end <= after.start:
        raise WriteRefusedError(_("The end must be later than the start."))
    if after.start < FIRST_INSTANT or after.end >= LAST_INSTANT:
        raise WriteRefusedError(str(UNLIKELY_YEAR))


def _plan_row(operation: Operation, offset: Length, occasion: Occasion) -> Change:
    after = copy(occasion)
    try:
        move(after, offset, festival_time())
    except WriteRefusedError as refused:
        change = Change.of(occasion, occasion)
        change.refusal = refused.why
        return change
    if operation.place:
        after.location, after.room = operation.place.location, operation.place.room
    if operation.cancelled is not None:
        after.cancelled = operation.cancelled
    vars(after).update(operation.booking)
    return Change.of(occasion, after)


def choose_reason(operation: Operation) -> str:
    if operation.moves or operation.place is not None:
        return MOVED
    if operation.cancelled is not None:
        return CANCELLED if operation.cancelled else REINSTATED
    return NOTIFIED if operation.notes and not operation.booking else CHANGED
