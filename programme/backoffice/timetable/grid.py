"""The grid that the template draws: columns, hours and blocks of occasions, with texts and CSS classes."""

import datetime as dt
import re
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from feeds.contrast import assign_colors
from feeds.day_layout import DAY, HOUR, DayLayout, MinuteSpan, is_long, lay_out_blocks
from programme.backoffice.forms.quick_facts import list_chosen_marks, list_quick_changes
from programme.backoffice.problems.problem import TitledTime
from programme.backoffice.timetable.columns import VenueColumn, column_key
from programme.backoffice.timetable.heads import ClassRules, ColumnPositions, GridAreas, Heads, build_heads
from programme.backoffice.timetable.occasions import (
    TimetableOccasion,
    describe_occasions,
    format_occasion_times,
)
from programme.models import Area
from programme.models.festival_time import festival_time
from programme.models.fields import Color

# In minutes: so much of what goes on all day is drawn where next to nothing of it is in sight.
MIN_RAIL = 30
# Higher blocks have room for more than one line.
LOW_BLOCK = 40


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
    # The buttons of what it can be marked as: addresses and labels.
    buttons: list[tuple[str, str]]

    @property
    def html(self) -> SafeString:
        """The markup, written here: in a template it takes most of the time of a page with hundreds.

        What the script can put in, it puts in (handles, keys, tooltips).
        """
        others, plan = escape(self.clashes), escape(self.occasion.plan)
        clashing = f'<span class="with">{escape(_("Clashes with"))} {others}</span> ' if others else ""
        planned = f'<span class="marks"><span class="mark planned">{plan}</span></span> ' if plan else ""
        return SafeString(
            f'<li class="{self.classes}" data-occasion="{self.occasion.id}"{self._write_move()}>'
            f'<a href="{escape(self.address)}"><span class="text"><span class="when">{escape(self.start)}'
            f'<span class="until">–{escape(self.end)}</span></span> {self._write_marks()}'
            f"<strong>{escape(self.occasion.title)}</strong> {clashing}{planned}"
            f'<span class="where">{escape(self.column.label)} · {escape(self.area)}</span></span></a>'
            f"{self._write_buttons()}</li>"
        )

    def _write_buttons(self) -> str:
        links = "".join(
            f'<a class="button plain" href="{escape(address)}">{escape(label)}</a>'
            for address, label in self.buttons
        )
        return links and f'<span class="quick">{links}</span>'

    def _write_move(self) -> str:
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
            *(("stated", mark) for mark in list_chosen_marks(self.occasion.stated)),
        ]
        shown = "".join(f'<span class="mark {name}">{escape(text)}</span>' for name, text in marks)
        return shown and f'<span class="marks">{shown}</span> '


class GridDay(NamedTuple):
    """The facts about a day that do not depend on which occasions are shown."""

    date: dt.date
    areas: GridAreas
    # The occasions with which each one clashes.
    clashes: dict[int, list[TitledTime]]
    movable: frozenset[int]
    # The address of an occasion's form, with `%d` for its ID.
    address: str
    # What leads back to the day, and those that can be marked: what is still to come.
    back: str = ""
    markable: frozenset[int] = frozenset()


class ShownGrid(NamedTuple):
    heads: Heads
    hours: list[tuple[str, str]]
    shown: list[ShownBlock]
    size: str

    @property
    def html(self) -> SafeString:
        return SafeString("\n".join(each.html for each in self.shown))


class GridLayout:
    def __init__(
        self, day: GridDay, columns: list[VenueColumn], held: list[TimetableOccasion], *, whole_day: bool
    ) -> None:
        self.day, self.columns, self.rules = day, columns, ClassRules()
        keyed = ((column_key(each.place), each) for each in held)
        laid = DayLayout(day.date, festival_time(), keyed, around=DAY if whole_day else HOUR)
        self.laid, self.spans, self.hours = laid, laid.spans, laid.hours
        rails = {
            key: list(lay_out_blocks((each, self._clip(span)) for each, span in column))
            for key, column in laid.long.items()
        }
        # What goes on all day has the whole column where nothing else is held.
        alone = {key: rails.pop(key) for key in laid.long.keys() - laid.blocks.keys()}
        self.rails, self.blocks = rails, alone | laid.blocks
        self.positions = ColumnPositions(columns, self.rails, self.blocks, self.rules)

    def _clip(self, span: MinuteSpan) -> MinuteSpan:
        begins = max(self.hours.begins, min(span.begins, self.hours.ends - MIN_RAIL))
        return MinuteSpan(begins, max(min(span.ends, self.hours.ends), begins + MIN_RAIL))

    def grid(self) -> ShownGrid:
        return ShownGrid(
            build_heads(self.columns, self.day.areas, self.positions),
            [(clock, self.rules.name(f"--from:{minute}")) for minute, clock in self.laid.list_hours()],
            sorted(
                (each for column in self.columns for each in self._blocks(column)),
                key=lambda each: (each.span.begins, each.span.ends, each.occasion.id),
            ),
            self.rules.name(f"--wide:{self.positions.total:.2f};--minutes:{self.laid.minutes}"),
        )

    def _blocks(self, column: VenueColumn) -> Iterator[ShownBlock]:
        for laid, place in ((self.rails, self.positions.rail), (self.blocks, self.positions.lane)):
            for occasion, span, lane in laid.get(column.key, []):
                down = f"--from:{span.begins - self.hours.begins};--long:{span.ends - span.begins}"
                placed = f"{place(column.key, lane)} {self.rules.name(down)}"
                yield self._shown(occasion, span, column, placed)

    def _shown(
        self, occasion: TimetableOccasion, drawn: MinuteSpan, column: VenueColumn, place: str
    ) -> ShownBlock:
        colour = self.day.areas.name_colour(occasion.area, self.rules)
        is_markable = occasion.id in self.day.markable
        changes = list_quick_changes(occasion.id, occasion.stated) if is_markable else ()
        return ShownBlock(
            occasion,
            self.spans[occasion.id],
            column,
            self.day.areas.names[occasion.area],
            *format_occasion_times(occasion, self.day.date),
            describe_occasions(self.day.clashes.get(occasion.id, [])),
            occasion.id in self.day.movable,
            " ".join([*self._classes(occasion, drawn), colour, place]),
            self.day.address % occasion.id,
            [(f"{each.address}{self.day.back}", each.label) for each in changes],
        )

    def _classes(self, occasion: TimetableOccasion, drawn: MinuteSpan) -> list[str]:
        classes = {
            "occasion": True,
            "draft": occasion.draft,
            "cancelled": occasion.cancelled,
            "clash": occasion.id in self.day.clashes,
            "long": is_long(self.spans[occasion.id]),
            "low": drawn.ends - drawn.begins < LOW_BLOCK,
            "earlier": self.spans[occasion.id].begins < festival_time().first_hour * HOUR,
            "movable": occasion.id in self.day.movable,
        }
        return [name for name, applies in classes.items() if applies]


def load_areas() -> GridAreas:
    rows = list(Area.objects.values_list("id", "name", "color"))
    # Imported values pass no form: only a colour may get into a style element.
    colours = ((key, color if re.fullmatch(Color.pattern, color) else "") for key, _name, color in rows)
    return GridAreas({key: name for key, name, _color in rows}, assign_colors(colours))
