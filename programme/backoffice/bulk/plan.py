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
from programme.backoffice.rights import Rights
from programme.backoffice.timetable.columns import WriteRefusedError
from programme.history import edits
from programme.models import Occasion
from programme.models.festival_time import festival_time
from programme.models.occasions import FIRST_INSTANT, LAST_INSTANT
from programme.models.telling import Telling, read_state

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
    refusals = [_refuse_by_rights(occasion, rights) for occasion in occasions]
    allowed = [occasion for occasion, refusal in zip(occasions, refusals, strict=True) if not refusal]
    change = _Change(operation, allowed, instant)
    return Plan(
        operation,
        [
            PlannedRow(occasion, occasion, refusal) if refusal else change.plan(occasion)
            for occasion, refusal in zip(occasions, refusals, strict=True)
        ],
    )


def _refuse_by_rights(occasion: Occasion, rights: Rights) -> str:
    if rights.can("change", occasion):
        return ""
    return _("You may not change it: it belongs to %(area)s.") % {"area": occasion.event.area.name}


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


class _Change:
    """One operation, with all that the occasions share."""

    def __init__(self, operation: Operation, occasions: list[Occasion], instant: dt.datetime) -> None:
        self.operation, self.instant, self.festival = operation, instant, festival_time()
        self.offset = Length()
        if operation.moves and occasions:
            self.offset = operation.find_offset(min(each.start for each in occasions), self.festival)

    def plan(self, occasion: Occasion) -> PlannedRow:
        after = copy(occasion)
        try:
            move(after, self.offset, self.festival)
            if place := self.operation.place:
                after.location, after.room = place.location, place.room
            if self.operation.cancelled is not None:
                after.cancelled = self.operation.cancelled
            vars(after).update(self.operation.booking)
        except WriteRefusedError as refused:
            return PlannedRow(occasion, occasion, refused.why)
        is_seen = read_state(after, after.event) is not None and after.end > self.instant
        row = PlannedRow(occasion, after, is_noted=self.operation.notes and is_seen)
        if row.is_changed:
            return row
        why = _("Readers do not know it, or it is over.") if self.operation.notes else _("It is so already.")
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
