"""The blocks of the grid: each occasion as it is drawn, and its markup."""

from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from feeds.day_layout import MinuteSpan
from programme.backoffice.timetable.columns import VenueColumn
from programme.backoffice.timetable.occasions import TimetableOccasion


class ShownBlock(NamedTuple):
    """An occasion on the timetable; `address` is that of its form."""

    occasion: TimetableOccasion
    span: MinuteSpan
    column: VenueColumn
    area: str
    start: str
    end: str
    clashes: str
    movable: bool
    classes: str
    address: str

    @property
    def html(self) -> SafeString:
        """The markup, written here: in a template it takes most of the time of a page with hundreds.

        What the script can put in, it puts in (handles, keys, tooltips).
        """
        return SafeString(
            f'<li class="{self.classes}" data-occasion="{self.occasion.id}"{self._write_move()}>'
            f'<a href="{escape(self.address)}"><span class="text"><span class="when">{escape(self.start)}'
            f'<span class="until">–{escape(self.end)}</span></span> {self._write_marks()}'
            f"<strong>{escape(self.occasion.title)}</strong> {self._write_clashes()}"
            f'<span class="where">{escape(self.column.label)} · {escape(self.area)}</span></span></a></li>'
        )

    def _write_move(self) -> str:
        """Write what the script has to know to move it."""
        if not self.movable:
            return ""
        return (
            f' data-seen="{self.occasion.seen}" data-minute="{self.span.begins}"'
            f' data-minutes="{self.span.ends - self.span.begins}" data-column="{self.column.key}"'
        )

    def _write_marks(self) -> str:
        marks = [
            *([("clash", _("Clash"))] if self.clashes else []),
            *([("draft", _("Draft"))] if self.occasion.draft else []),
            *([("cancelled", _("Cancelled"))] if self.occasion.cancelled else []),
        ]
        shown = "".join(f'<span class="mark {name}">{escape(text)}</span>' for name, text in marks)
        return shown and f'<span class="marks">{shown}</span> '

    def _write_clashes(self) -> str:
        if not self.clashes:
            return ""
        return f'<span class="with">{escape(_("Clashes with"))} {escape(self.clashes)}</span> '
