"""What an operation would make of each occasion: its new state, or why it stays as it is; and writing it."""

import datetime as dt
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from feeds.festival_time import FestivalTime, Length, SkippedTimeError
from programme.backoffice.bulk.forms import BOOKING, Operation
from programme.backoffice.forms.fields import UNLIKELY_YEAR, missing_hour
from programme.backoffice.forms.news import News, Tell
from programme.backoffice.rights import Rights
from programme.backoffice.timetable.columns import WriteRefusedError
from programme.models import Event, Occasion
from programme.models.change_marks import NOTE, ChangeMark
from programme.models.festival_time import festival_time
from programme.models.occasions import FIRST_INSTANT, LAST_INSTANT
from programme.models.telling import is_told, read_state

WRITTEN = ["start", "end", "location_id", "room_id", "cancelled", *BOOKING, *NOTE, "changed_at"]
# So many occasions are written in one statement.
BATCH = 200

# What the history calls the edit. How many occasions there were stands after it.
MOVED, CHANGED = gettext_noop("moved occasions"), gettext_noop("changed many at once")
CANCELLED, REINSTATED = gettext_noop("cancelled occasions"), gettext_noop("reinstated occasions")
NOTIFIED, CLEARED = (
    gettext_noop("notified readers of occasions"),
    gettext_noop("cleared the marks of occasions"),
)


@dataclass
class PlannedRow:
    """An occasion as it is and as it would be; `refusal` says why it stays as it is."""

    occasion: Occasion
    after: Occasion
    refusal: str = ""
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
        return bool(self.changes) or ChangeMark.of(self.occasion.event) != ChangeMark.of(self.after.event)


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

    @property
    def warned(self) -> int:
        return sum(bool(row.warnings) for row in self.changing)


def build_plan(operation: Operation, occasions: list[Occasion], rights: Rights, instant: dt.datetime) -> Plan:
    refusals = [_refuse_by_rights(occasion, operation, rights) for occasion in occasions]
    allowed = [occasion for occasion, refusal in zip(occasions, refusals, strict=True) if not refusal]
    change = _Change(operation, allowed, instant)
    return Plan(
        operation,
        [
            PlannedRow(occasion, occasion, refusal) if refusal else change.plan(occasion)
            for occasion, refusal in zip(occasions, refusals, strict=True)
        ],
    )


def _refuse_by_rights(occasion: Occasion, operation: Operation, rights: Rights) -> str:
    written: list[Occasion | Event] = [occasion]
    if operation.marks_events:
        written.append(occasion.event)
    if all(rights.can("change", row) for row in written):
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
        self._events: dict[int, Event] = {}

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
        self._tell(occasion, after)
        self._derive_move(occasion, after)
        row = PlannedRow(occasion, after)
        return row if row.is_changed else PlannedRow(occasion, occasion, self._explain_no_change(after))

    def _tell(self, before: Occasion, after: Occasion) -> None:
        is_marked, sent = self.operation.marks(after.event), self.operation.news
        is_news = is_told(read_state(before, before.event), read_state(after, after.event), self.instant)
        settled = sent.settle(is_told=is_news or sent.is_worded)
        news = settled if is_marked else News(Tell.NOTHING)
        news.mark_row(after, self.instant, reinstated=before.cancelled and not after.cancelled)
        if is_marked and self.operation.marks_events:
            after.event = self._mark_event(after.event)

    def _mark_event(self, event: Event) -> Event:
        if event.pk not in self._events:
            self._events[event.pk] = copy(event)
            self.operation.news.mark_row(self._events[event.pk], self.instant)
        return self._events[event.pk]

    def _explain_no_change(self, after: Occasion) -> str:
        if self.operation.news.tell == Tell.CLEAR and after.event.changed_at:
            return _("The whole event is marked. Remove that in its own form.")
        if not self.operation.marks(after.event):
            return _("It is a draft: readers do not know it.")
        return _("It is so already.")

    def _derive_move(self, before: Occasion, after: Occasion) -> None:
        """Set what the database will (`programme/models/moves.py`)."""
        marks = [each.changed_at for each in (after, after.event) if each.changed_at]
        former, place = before.place_name, after.place_name
        is_moved = (after.start, place) != (before.start, former)
        previous = after.previous_start or before.start, after.previous_place or former
        after.previous_start = previous[0] if marks and previous[0] != after.start else None
        after.previous_place = previous[1] if marks and previous[1] != place else ""
        if after.previous_start is None and not after.previous_place:
            after.moved_at = None
        elif is_moved and (after.moved_at is None or max(marks) >= self.instant):
            after.moved_at = self.instant


# --- Writing it ----------------------------------------------------------------------------------


def write_plan(plan: Plan, instant: dt.datetime) -> None:
    """Write the rows that change, inside the caller's transaction."""
    changing, operation = plan.changing, plan.operation
    marked = [row.occasion for row in changing if operation.marks(row.occasion.event)]
    events = {occasion.event_id for occasion in marked} if operation.marks_events else set()
    # First: what is moved with a mark keeps its previous start.
    operation.news.mark(instant, occasions=[occasion.pk for occasion in marked], events=events)
    Occasion.objects.bulk_update([row.after for row in changing], WRITTEN, batch_size=BATCH)


def choose_reason(operation: Operation) -> str:
    if operation.moves or operation.place is not None:
        return MOVED
    if operation.cancelled is not None:
        return CANCELLED if operation.cancelled else REINSTATED
    news = operation.news.settle(is_told=operation.news.is_worded)
    return {Tell.NOTHING: CHANGED, Tell.KEEP: CHANGED, Tell.CLEAR: CLEARED}.get(news.tell, NOTIFIED)
