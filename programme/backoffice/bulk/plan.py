"""What an operation would make of each occasion: its new state, or why it stays as it is; and writing it."""

import datetime as dt
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from feeds.festival_time import FestivalTime, Length, SkippedTimeError
from programme.backoffice.bulk.forms import BOOKING, Operation
from programme.backoffice.forms.fields import UNLIKELY_YEAR, missing_hour
from programme.backoffice.timetable.columns import WriteRefusedError
from programme.changes.rights import Rights
from programme.history import edits
from programme.models import Occasion, Status
from programme.models.festival_time import festival_time
from programme.models.occasions import FIRST_INSTANT, LAST_INSTANT
from programme.models.telling import Telling

WRITTEN = ["start", "end", "location_id", "room_id", "cancelled", *BOOKING]
# So many occasions are written in one statement.
BATCH = 200

# What the history calls the edit. How many occasions there were stands after it.
MOVED, CHANGED = gettext_noop("moved occasions"), gettext_noop("changed many at once")
CANCELLED, REINSTATED = gettext_noop("cancelled occasions"), gettext_noop("reinstated occasions")
NOTIFIED = gettext_noop("notified readers of occasions")


@dataclass
class PlannedRow:
    """An occasion as it is and as it would be; `refusal` says why it stays as it is.

    `is_noted`: readers get a note about it, whatever is changed.
    """

    occasion: Occasion
    after: Occasion
    refusal: str = ""
    is_noted: bool = False
    warnings: list[str] = field(default_factory=list)

    @property
    def is_moved(self) -> bool:
        return (self.occasion.start, self.occasion.end) != (self.after.start, self.after.end)

    @property
    def is_placed(self) -> bool:
        return not {"location_id", "room_id"}.isdisjoint(self.changes)

    @property
    def is_held_otherwise(self) -> bool:
        return self.is_moved or self.is_placed or self.changes.get("cancelled") is False

    @cached_property
    def changes(self) -> dict[str, Any]:
        """The columns that are written, with their new values."""
        now = {name: getattr(self.after, name) for name in WRITTEN}
        return {name: value for name, value in now.items() if value != getattr(self.occasion, name)}

    @property
    def is_changed(self) -> bool:
        return bool(self.changes) or self.is_noted


@dataclass
class Plan:
    """Rows in the order of time: those that change, and those that stay as they are."""

    operation: Operation
    rows: list[PlannedRow]
    # In how many the rows that are held otherwise would be.
    clashes: int = 0

    @cached_property
    def changing(self) -> list[PlannedRow]:
        return [row for row in self.rows if row.is_changed]

    @cached_property
    def staying(self) -> list[PlannedRow]:
        return [row for row in self.rows if not row.is_changed]

    @cached_property
    def telling(self) -> Telling:
        return replace(self.operation.telling, about=[row.after.pk for row in self.rows if row.is_noted])

    @property
    def button(self) -> str:
        count = len(self.changing)
        return {
            MOVED: ngettext("Move %(count)d occasion", "Move %(count)d occasions", count),
            CANCELLED: ngettext("Cancel %(count)d occasion", "Cancel %(count)d occasions", count),
            REINSTATED: ngettext("Reinstate %(count)d occasion", "Reinstate %(count)d occasions", count),
            NOTIFIED: ngettext(
                "Tell readers of %(count)d occasion", "Tell readers of %(count)d occasions", count
            ),
            CHANGED: ngettext("Change %(count)d occasion", "Change %(count)d occasions", count),
        }[choose_reason(self.operation)] % {"count": count}

    @property
    def warned(self) -> int:
        return sum(bool(row.warnings) for row in self.changing)


def build_plan(operation: Operation, occasions: list[Occasion], rights: Rights, instant: dt.datetime) -> Plan:
    allowed = {each for each in occasions if rights.can("change", each)}
    offset = Length()
    if operation.moves and allowed:
        offset = operation.find_offset(min(each.start for each in allowed), festival_time())
    why = _("You may not change it: it belongs to %(area)s.")
    rows = [
        _plan_row(operation, offset, each, instant)
        if each in allowed
        else PlannedRow(each, each, why % {"area": each.event.area.name})
        for each in occasions
    ]
    return Plan(operation, rows)


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


def _plan_row(operation: Operation, offset: Length, occasion: Occasion, instant: dt.datetime) -> PlannedRow:
    after = copy(occasion)
    try:
        move(after, offset, festival_time())
    except WriteRefusedError as refused:
        return PlannedRow(occasion, occasion, refused.why)
    if operation.place:
        after.location, after.room = operation.place.location, operation.place.room
    if operation.cancelled is not None:
        after.cancelled = operation.cancelled
    vars(after).update(operation.booking)
    is_seen = after.event.status == Status.PUBLISHED and after.end > instant
    row = PlannedRow(occasion, after, is_noted=operation.notes and is_seen)
    if row.is_changed:
        return row
    why = _("Readers do not know it, or it is over.") if operation.notes else _("It is so already.")
    return PlannedRow(occasion, occasion, why)


# --- Writing it ----------------------------------------------------------------------------------


def write_plan(plan: Plan) -> None:
    """Write the rows that change, inside the caller's transaction and edit."""
    edits.set_telling(plan.telling)
    written = [row.after for row in plan.changing if row.changes]
    Occasion.objects.bulk_update(written, WRITTEN, batch_size=BATCH)


def choose_reason(operation: Operation) -> str:
    if operation.moves or operation.place is not None:
        return MOVED
    if operation.cancelled is not None:
        return CANCELLED if operation.cancelled else REINSTATED
    return NOTIFIED if operation.notes and not operation.booking else CHANGED
