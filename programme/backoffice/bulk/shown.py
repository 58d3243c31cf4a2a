"""Occasions as the page shows them: now and after, and what readers will see."""

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from feeds.wording import format_change
from programme.backoffice.bulk.plan import PlannedRow
from programme.backoffice.bulk.rows import format_place
from programme.backoffice.dates import editor_language, format_day, format_times
from programme.history import versions
from programme.models import Event, Occasion, Status
from programme.models.change_marks import ChangeMark, resolve_mark, tells_move
from programme.models.festival_time import festival_time


@dataclass(frozen=True)
class ShownRow:
    """An occasion with what would become of it, if that is known, and who has edited it meanwhile."""

    occasion: Occasion
    is_ticked: bool = True
    planned: PlannedRow | None = None
    editor: str = ""

    @cached_property
    def key(self) -> str:
        return str(self.occasion.pk)

    @property
    def is_draft(self) -> bool:
        return self.occasion.event.status == Status.DRAFT

    @property
    def is_cancelled(self) -> bool:
        return self.occasion.cancelled or self.occasion.event.cancelled

    @cached_property
    def time(self) -> str:
        return _format_time(self.occasion)

    @cached_property
    def new_time(self) -> str:
        return _format_time(self.planned.after) if self.planned and self.planned.is_moved else ""

    @cached_property
    def place(self) -> str:
        return format_place(self.occasion)

    @cached_property
    def new_place(self) -> str:
        place = format_place(self.planned.after) if self.planned and self.planned.is_placed else self.place
        return place if place != self.place else ""

    @cached_property
    def new_state(self) -> str:
        """What becomes of the occasion if that is neither a time nor a place."""
        cancelled = self.planned.changes.get("cancelled") if self.planned else None
        return {None: "", True: _("cancelled"), False: _("reinstated")}[cancelled]

    @cached_property
    def news(self) -> str:
        """The words that readers see with the occasion, '' for none."""
        return format_news_of(self.planned.after) if self.planned else ""


def _format_time(occasion: Occasion) -> str:
    """Return day and clock times, which wrap between the two only; nothing of them is typed."""
    day = format_day(festival_time().day_of(occasion.start))
    times = format_times(occasion.start, occasion.end)
    return f'<span class="together">{day}</span> <span class="together">{times}</span>'


class ReaderNews(NamedTuple):
    """Of an occasion what `feeds.wording.format_change` writes of."""

    start: dt.datetime
    cancelled: bool
    change_info: str
    changed_at: dt.datetime | None
    previous_start: dt.datetime | None


def format_news_of(occasion: Occasion) -> str:
    event = occasion.event
    mark = resolve_mark(
        ChangeMark(occasion.changed_at, occasion.change_info), ChangeMark(event.changed_at, event.change_info)
    )
    cancelled = occasion.cancelled or event.cancelled
    previous = occasion.previous_start if tells_move(mark.at, occasion.moved_at) else None
    news = ReaderNews(occasion.start, cancelled, mark.note, mark.at, previous)
    return format_change(news, festival_time(), editor_language())


def find_editors(occasions: Collection[Occasion]) -> dict[int, str]:
    """Return who has edited each of these occasions, or its event, last."""
    if not occasions:
        return {}
    own = _load_latest(Occasion, {each.pk for each in occasions})
    whole = _load_latest(Event, {each.event_id for each in occasions})
    found = {}
    for each in occasions:
        latest = [version for version in (own.get(each.pk), whole.get(each.event_id)) if version]
        if latest:
            last = max(latest, key=lambda version: version.history_date)
            found[each.pk] = versions.format_editor(last.edit)
    return found


def _load_latest(model: Any, keys: set[int]) -> dict[int, Any]:
    written = model.history.filter(id__in=keys)
    return {version.id: version for version in versions.select_latest(written).select_related("edit")}
