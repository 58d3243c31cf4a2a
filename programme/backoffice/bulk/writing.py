"""Writing a plan: the marks first, then what moves, in as few statements as there are kinds of change."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import F
from django.utils.translation import gettext_noop

from programme.backoffice.bulk.operation import Operation
from programme.backoffice.bulk.plan import Plan, PlannedRow
from programme.backoffice.forms.news import Tell
from programme.backoffice.forms.shifts import format_shift
from programme.history import edits
from programme.models import Occasion

# What the history calls the edit. How many occasions there were, and where they were moved, stands after it.
MOVED, CHANGED = gettext_noop("moved occasions"), gettext_noop("changed many at once")
CANCELLED, REINSTATED = gettext_noop("cancelled occasions"), gettext_noop("reinstated occasions")
NOTIFIED, CLEARED = (
    gettext_noop("notified readers of occasions"),
    gettext_noop("cleared the marks of occasions"),
)
# The longest detail of an edit.
LONGEST = 300


def write(plan: Plan, instant: datetime) -> None:
    """Write the rows that change, inside the caller's transaction."""
    changing, operation = plan.changing, plan.operation
    marked = [row.occasion for row in changing if operation.marks(row.occasion.event)]
    events = {occasion.event_id for occasion in marked} if operation.marks_events else set()
    # First: what is moved with a mark keeps its previous start.
    operation.news.mark(instant, occasions=[occasion.pk for occasion in marked], events=events)
    groups: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for row in changing:
        groups[tuple(_list_values(row))].append(row.occasion.pk)
    for values, keys in groups.items():
        if values:
            Occasion.objects.filter(pk__in=keys).update(
                **{name: F(name) + value if name in {"start", "end"} else value for name, value in values}
            )


def _list_values(row: PlannedRow) -> list[tuple[str, Any]]:
    """Return columns with their values, times as spans: most occasions have the same."""
    values = {name: value for name, value in row.changes.items() if name not in {"change_info", "changed_at"}}
    if row.loses_note:
        values["change_info"] = ""
    spans = {name: values[name] - getattr(row.occasion, name) for name in ("start", "end") if name in values}
    return [*(values | spans).items()]


def name_edit(operation: Operation, count: int) -> None:
    how = ", ".join(_list_targets(operation))
    edits.set_reason(_choose_reason(operation), f"({count}){': ' if how else ''}{how}"[:LONGEST])


def _list_targets(operation: Operation) -> Iterator[str]:
    """Yield `+2 h`, `2026-07-30` and `Stora scenen`, which are read in any language."""
    if operation.day:
        yield operation.day.isoformat()
    if operation.shift is not None:
        yield format_shift(operation.shift)
    if operation.place and operation.place.location:
        yield str(operation.place.room or operation.place.location.name)


def _choose_reason(operation: Operation) -> str:
    if operation.moves or operation.place is not None:
        return MOVED
    if operation.cancelled is not None:
        return CANCELLED if operation.cancelled else REINSTATED
    return {Tell.NOTHING: CHANGED, Tell.KEEP: CHANGED, Tell.CLEAR: CLEARED}.get(operation.news.tell, NOTIFIED)
