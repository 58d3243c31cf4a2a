"""Occasions as the page shows them: now and after, and what readers will see.

The rows of the table are written here: in a template they take most of the time of a page with hundreds.
"""

import datetime as dt
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from feeds.wording import format_change
from programme.backoffice.bulk.plan import PlannedRow
from programme.backoffice.dates import editor_language, format_day, format_times
from programme.models import Occasion, Status
from programme.models.change_marks import ChangeMark, resolve_mark, tells_move
from programme.models.festival_time import festival_time
from programme.models.locations import find_place


def load_occasions(keys: Collection[int]) -> list[Occasion]:
    """Return the occasions in the order of time, with all that the page shows of them, in one query."""
    own = Occasion.objects.filter(pk__in=keys).select_related("location", "room__location")
    with_events = own.select_related("event__area", "event__location", "event__room__location")
    return list(with_events.order_by("start", "end", "id"))


def format_place(occasion: Occasion) -> str:
    location, room = find_place(occasion, occasion.event)
    return str(room or (location and location.name) or "")


@dataclass(frozen=True)
class ShownRow:
    """An occasion with what would become of it, if that is known."""

    occasion: Occasion
    is_ticked: bool = True
    planned: PlannedRow | None = None

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


# --- The table -----------------------------------------------------------------------------------


def write_rows(rows: list[ShownRow], *, is_plan: bool) -> SafeString:
    """Return the rows of the table, of a plan with what becomes of them."""
    return SafeString("\n".join(_write_row(row, is_plan) for row in rows))


def _write_row(row: ShownRow, is_plan: bool) -> str:
    key, checked = f"occasion-{row.key}", " checked" if row.is_ticked else ""
    return (
        f'<tr class="{_list_classes(row)}"><td class="tick"><input type="checkbox" name="occasion"'
        f' value="{row.key}" id="{key}" aria-describedby="now-{row.key}"{checked}></td>\n'
        f'<th scope="row"><label for="{key}">{escape(row.occasion.event.title)}</label>\n'
        f"{''.join(_write_marks(row))}</th>\n"
        f'<td class="now" id="now-{row.key}">{row.time}{_span("place", row.place)}</td>\n'
        f"{_write_plan(row) if is_plan else ''}</tr>"
    )


def _list_classes(row: ShownRow) -> str:
    is_refused = row.planned is not None and bool(row.planned.refusal)
    classes = {"refused": is_refused, "unticked": not row.is_ticked}
    return " ".join(name for name, applies in classes.items() if applies)


def _write_marks(row: ShownRow) -> Iterator[str]:
    yield _span("quiet", row.occasion.event.area.name)
    if row.is_draft:
        yield f" {_span('mark', _('draft'))}"
    if row.is_cancelled:
        yield f" {_span('mark', _('cancelled'))}"


def _write_plan(row: ShownRow) -> str:
    """Return what becomes of the occasion and what readers see of it: two cells, or one over both."""
    if row.planned is None:
        return f'<td class="then" colspan="2">{_span("quiet", _("Not ticked: stays as it is."))}</td>'
    if row.planned.refusal:
        why = f"{_('Stays as it is.')} {row.planned.refusal}"
        return f'<td class="then" colspan="2">{_span("look", why)}</td>'
    news = (
        _span("quiet", _("nothing: it is a draft"))
        if row.is_draft
        else escape(row.news or _("nothing about it"))
    )
    label = escape(_("Readers see"))
    return f'<td class="then">{_write_change(row)}</td>\n<td class="news" data-label="{label}">{news}</td>'


def _write_change(row: ShownRow) -> str:
    time = f"<strong>{row.new_time}</strong>" if row.new_time else ""
    states = (row.new_place, capfirst(row.new_state))
    changed = "".join(
        f'<span class="place"><strong>{escape(each)}</strong></span>' for each in states if each
    )
    warnings = row.planned.warnings if row.planned else ()
    return f"{time}{changed}{''.join(_span('look', each) for each in warnings)}"


def _span(name: str, text: str) -> str:
    return f'<span class="{name}">{escape(text)}</span>' if text else ""
