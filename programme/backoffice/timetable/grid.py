"""The grid that the template draws: columns, hours and blocks of occasions, with texts and CSS classes."""

import datetime as dt
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from feeds.contrast import assign_colors
from feeds.day_layout import (
    HOUR,
    Lane,
    MinuteSpan,
    clip_to_day,
    compute_width,
    find_span,
    find_visible_hours,
    is_long,
    lay_out_blocks,
)
from programme.backoffice.forms.quick_facts import list_chosen_marks, list_quick_changes
from programme.backoffice.timetable.columns import VenueColumn, column_key
from programme.backoffice.timetable.occasions import (
    TimetableOccasion,
    describe_occasions,
    format_occasion_times,
)
from programme.models import Area
from programme.models.festival_time import festival_time
from programme.models.fields import Color

# So many columns can be read on a sheet of paper that lies on its side.
MAX_SHEET_WIDTH = 8
# Higher blocks have room for more than one line.
LOW_BLOCK = 40


class ClassRules:
    """Names a class for each set of declarations; its text stands in the timetable's style element.

    The back office's Content-Security-Policy refuses style attributes.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, declarations: str) -> str:
        return self._names.setdefault(declarations, f"x{len(self._names)}")

    def __str__(self) -> str:
        return "".join(f"#timetable .{name}{{{each}}}" for each, name in self._names.items())


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
        return SafeString(
            f'<li class="{self.classes}" data-occasion="{self.occasion.id}"{self._write_move()}>'
            f'<a href="{escape(self.address)}"><span class="text"><span class="when">{escape(self.start)}'
            f'<span class="until">–{escape(self.end)}</span></span> {self._write_marks()}'
            f"<strong>{escape(self.occasion.title)}</strong> {self._write_clashes()}{self._write_plan()}"
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
            *(("stated", mark) for mark in list_chosen_marks(self.occasion.stated, self.occasion.of_event)),
        ]
        shown = "".join(f'<span class="mark {name}">{escape(text)}</span>' for name, text in marks)
        return shown and f'<span class="marks">{shown}</span> '

    def _write_clashes(self) -> str:
        if not self.clashes:
            return ""
        return f'<span class="with">{escape(_("Clashes with"))} {escape(self.clashes)}</span> '

    def _write_plan(self) -> str:
        plan = self.occasion.plan
        return plan and f'<span class="marks"><span class="mark planned">{escape(plan)}</span></span> '


class GridAreas(NamedTuple):
    names: dict[int, str]
    colours: dict[int, str]


class GridDay(NamedTuple):
    """The facts about a day that do not depend on which occasions are shown."""

    date: dt.date
    areas: GridAreas
    # The occasions with which each one clashes.
    clashes: dict[int, list[TimetableOccasion]]
    movable: frozenset[int]
    # The address of an occasion's form, with `%d` for its ID.
    address: str
    # What leads back to the day, and those that can be marked: what is still to come.
    back: str = ""
    markable: frozenset[int] = frozenset()


class Heading(NamedTuple):
    """Above one column or several of one location."""

    label: str
    place: str
    column: VenueColumn | None = None
    # The area of most of its occasions.
    area: int | None = None


class Grid(NamedTuple):
    """One table: all columns, or those that fit on a sheet of paper."""

    headings: list[Heading]
    columns: list[Heading]
    hours: list[tuple[str, str]]
    long: list[ShownBlock]
    shown: list[ShownBlock]
    size: str


class ColumnPositions:
    """Where columns stand beside each other, in per cent of the width of all of them."""

    def __init__(self, columns: list[VenueColumn], widths: dict[str, float], rules: ClassRules) -> None:
        self.widths, self.rules = widths, rules
        self.lefts: dict[str, float] = {}
        self.total = 0.0
        for column in columns:
            self.lefts[column.key] = self.total
            self.total += widths[column.key]

    def columns(self, first: str, last: str) -> str:
        """Return the class of what fills the columns from one to another."""
        return self._place(self.lefts[first], self.lefts[last] + self.widths[last] - self.lefts[first])

    def lane(self, key: str, lane: Lane) -> str:
        wide = self.widths[key] / lane.total
        return self._place(self.lefts[key] + wide * lane.number, wide)

    def _place(self, left: float, wide: float) -> str:
        return self.rules.name(f"left:{100 * left / self.total:.4g}%;width:{100 * wide / self.total:.4g}%")


class GridLayout:
    def __init__(
        self, day: GridDay, columns: list[VenueColumn], held: list[TimetableOccasion], *, whole_day: bool
    ) -> None:
        self.day, self.columns, self.rules = day, columns, ClassRules()
        festival, short = festival_time(), defaultdict(list)
        self.spans = {each.id: find_span(each, day.date, festival) for each in held}
        self.long: dict[str, list[TimetableOccasion]] = defaultdict(list)
        for each in held:
            span = self.spans[each.id]
            if is_long(span):
                self.long[column_key(each.place)].append(each)
            else:
                short[column_key(each.place)].append((each, clip_to_day(span, festival.first_hour)))
        drawn = [span for column in short.values() for _each, span in column]
        self.hours = find_visible_hours(drawn, festival.first_hour, whole_day=whole_day)
        self.blocks = defaultdict(list, {key: list(lay_out_blocks(column)) for key, column in short.items()})
        self.widths = {
            column.key: compute_width(max((block.lane.total for block in self.blocks[column.key]), default=1))
            for column in columns
        }

    def grid(self, columns: list[VenueColumn] | None = None) -> Grid:
        columns = self.columns if columns is None else columns
        positions = ColumnPositions(columns, self.widths, self.rules)
        rows = max((len(self.long[column.key]) for column in columns), default=0)
        minutes = self.hours.ends - self.hours.begins
        return Grid(
            [
                _build_location_heading(list(group), positions)
                for _location, group in groupby(
                    columns, lambda column: column.place and column.place.location
                )
            ],
            [
                Heading(
                    *(column.room or column.location, positions.columns(column.key, column.key)),
                    *(column, self._find_area(column)),
                )
                for column in columns
            ],
            [
                (f"{minute // HOUR % 24:02}:00", self.rules.name(f"--from:{minute - self.hours.begins}"))
                for minute in range(self.hours.begins, self.hours.ends + 1, HOUR)
            ],
            sorted((each for column in columns for each in self._long(column, positions)), key=_by_time),
            sorted((each for column in columns for each in self._short(column, positions)), key=_by_time),
            self.rules.name(f"--wide:{positions.total:.1f};--minutes:{minutes};--rows:{rows}"),
        )

    def build_sheets(self) -> list[Grid]:
        """Return the grids of as many columns as fit on a sheet of paper."""
        sheets: list[list[VenueColumn]] = [[]]
        taken = 0.0
        for column in self.columns:
            if sheets[-1] and taken + self.widths[column.key] > MAX_SHEET_WIDTH:
                sheets.append([])
                taken = 0.0
            sheets[-1].append(column)
            taken += self.widths[column.key]
        return [self.grid(columns) for columns in sheets if columns]

    def _find_area(self, column: VenueColumn) -> int | None:
        areas = Counter(block.held.area for block in self.blocks[column.key])
        return max(areas, key=areas.__getitem__, default=None)

    def _long(self, column: VenueColumn, positions: ColumnPositions) -> Iterator[ShownBlock]:
        for row, occasion in enumerate(self.long[column.key]):
            place = f"{positions.columns(column.key, column.key)} {self.rules.name(f'--row:{row}')}"
            yield self._shown(occasion, self.spans[occasion.id], column, place)

    def _short(self, column: VenueColumn, positions: ColumnPositions) -> Iterator[ShownBlock]:
        for occasion, span, lane in self.blocks[column.key]:
            down = f"--from:{span.begins - self.hours.begins};--long:{span.ends - span.begins}"
            place = f"{positions.lane(column.key, lane)} {self.rules.name(down)}"
            yield self._shown(occasion, span, column, place)

    def _shown(
        self, occasion: TimetableOccasion, drawn: MinuteSpan, column: VenueColumn, place: str
    ) -> ShownBlock:
        return ShownBlock(
            occasion,
            self.spans[occasion.id],
            column,
            self.day.areas.names[occasion.area],
            *format_occasion_times(occasion, self.day.date),
            describe_occasions(self.day.clashes.get(occasion.id, [])),
            occasion.id in self.day.movable,
            f"{self._classes(occasion, drawn)} {self.name_colour(occasion.area)} {place}",
            self.day.address % occasion.id,
            list(self._list_buttons(occasion)),
        )

    def _list_buttons(self, occasion: TimetableOccasion) -> Iterator[tuple[str, str]]:
        if occasion.id in self.day.markable:
            stated = occasion.stated, occasion.of_event
            for change in list_quick_changes(occasion.id, occasion.event, *stated):
                yield f"{change.address}{self.day.back}", change.label

    def name_colour(self, area: int) -> str:
        """Return the class of an area's colour."""
        return self.rules.name(f"--colour:{self.day.areas.colours[area]}")

    def _classes(self, occasion: TimetableOccasion, drawn: MinuteSpan) -> str:
        classes = {
            "occasion": True,
            "draft": occasion.draft,
            "cancelled": occasion.cancelled,
            "clash": occasion.id in self.day.clashes,
            "low": drawn.ends - drawn.begins < LOW_BLOCK,
            "earlier": self.spans[occasion.id].begins < festival_time().first_hour * HOUR,
            "movable": occasion.id in self.day.movable,
        }
        return " ".join(name for name, applies in classes.items() if applies)


def _build_location_heading(columns: list[VenueColumn], positions: ColumnPositions) -> Heading:
    """Return the heading above the columns of a location; one without rooms has no other than its own."""
    label = columns[0].location if any(column.room for column in columns) else ""
    return Heading(label, positions.columns(columns[0].key, columns[-1].key))


def _by_time(shown: ShownBlock) -> tuple[int, int, int]:
    return shown.span.begins, shown.span.ends, shown.occasion.id


def load_areas() -> GridAreas:
    rows = list(Area.objects.values_list("id", "name", "color"))
    # Imported values pass no form: only a colour may get into a style element.
    colours = ((key, color if re.fullmatch(Color.pattern, color) else "") for key, _name, color in rows)
    return GridAreas({key: name for key, name, _color in rows}, assign_colors(colours))
