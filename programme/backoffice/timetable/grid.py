"""The grid that the template draws: columns, hours and occasions with their texts and CSS classes."""

import datetime as dt
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _

from feeds.contrast import assign_colors
from feeds.day_layout import (
    HOUR,
    Lane,
    MinuteSpan,
    clip_to_day,
    compute_width,
    find_span,
    is_long,
    lay_out_blocks,
)
from feeds.wording import WORDS, format_clock, format_relative_day
from programme.backoffice.dates import editor_language
from programme.backoffice.timetable.blocks import ShownBlock
from programme.backoffice.timetable.class_rules import ClassRules
from programme.backoffice.timetable.columns import VenueColumn, column_key
from programme.backoffice.timetable.occasions import TimetableOccasion
from programme.models import Area
from programme.models.festival_time import festival_time
from programme.models.fields import Color

# So many of what an occasion clashes with are named.
MAX_NAMED = 3
WEEK = dt.timedelta(days=7)
# Higher blocks have room for more than one line.
LOW_BLOCK = 40


# An occasion with its minutes of the day.
PlacedOccasion = tuple[TimetableOccasion, MinuteSpan]


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


def build_spans(occasions: list[TimetableOccasion], date: dt.date) -> list[PlacedOccasion]:
    festival = festival_time()
    return [(each, find_span(each, date, festival)) for each in occasions]


class ColumnPositions:
    """Where columns stand beside each other, in per cent of the width of all of them."""

    def __init__(self, columns: list[VenueColumn], widths: dict[str, float], rules: ClassRules) -> None:
        self.widths = widths
        self.rules = rules
        self.lefts: dict[str, float] = {}
        self.total = 0.0
        for column in columns:
            self.lefts[column.key] = self.total
            self.total += widths[column.key]

    def column(self, key: str) -> str:
        return self._place(self.lefts[key], self.widths[key])

    def lane(self, key: str, lane: Lane) -> str:
        wide = self.widths[key] / lane.total
        return self._place(self.lefts[key] + wide * lane.number, wide)

    def columns(self, first: str, last: str) -> str:
        return self._place(self.lefts[first], self.lefts[last] + self.widths[last] - self.lefts[first])

    def _place(self, left: float, wide: float) -> str:
        return self.rules.name(f"left:{100 * left / self.total:.4g}%;width:{100 * wide / self.total:.4g}%")


class GridLayout:
    """A day laid out, of which grids are drawn."""

    def __init__(
        self,
        day: GridDay,
        columns: list[VenueColumn],
        occasions: list[PlacedOccasion],
        hours: MinuteSpan,
        rules: ClassRules,
    ) -> None:
        self.day, self.columns, self.hours, self.rules = day, columns, hours, rules
        first_hour = festival_time().first_hour
        self.long: dict[str, list[PlacedOccasion]] = defaultdict(list)
        short: dict[str, list[PlacedOccasion]] = defaultdict(list)
        self.spans = {each.id: span for each, span in occasions}
        for each, span in occasions:
            if is_long(span):
                self.long[column_key(each.place)].append((each, span))
            else:
                short[column_key(each.place)].append((each, clip_to_day(span, first_hour)))
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
                    *(column.room or column.location, positions.column(column.key)),
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

    def _find_area(self, column: VenueColumn) -> int | None:
        areas = Counter(block.held.area for block in self.blocks[column.key])
        return max(areas, key=areas.__getitem__, default=None)

    def _long(self, column: VenueColumn, positions: ColumnPositions) -> Iterator[ShownBlock]:
        for row, (occasion, span) in enumerate(self.long[column.key]):
            place = f"{positions.column(column.key)} {self.rules.name(f'--row:{row}')}"
            yield self._shown(occasion, span, column, place)

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
            f"{self._classes(occasion, drawn)} {self._colour(occasion)} {place}",
            self.day.address % occasion.id,
        )

    def _colour(self, occasion: TimetableOccasion) -> str:
        return self.rules.name(f"--colour:{self.day.areas.colours[occasion.area]}")

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


def format_occasion_times(occasion: TimetableOccasion, date: dt.date) -> tuple[str, str]:
    """Return `22:00` and `04:00`, with days where it begins before the day or lasts longer than one."""
    span = festival_time().span(occasion.start, occasion.end)
    first = f"{_format_relative_day(date, span.day)} " if span.day != date else ""
    last = f"{_format_relative_day(date, span.end.date())} " if span.is_long else ""
    return f"{first}{format_clock(span.start)}", f"{last}{format_clock(span.end)}"


def _format_relative_day(date: dt.date, day: dt.date) -> str:
    """Return `ons`; with the date where another day of that name is nearer, and the year if it is another."""
    if abs(day - date) < WEEK:
        return WORDS[editor_language()].days_short[day.weekday()]
    return format_relative_day(day, date, editor_language())


def describe_occasions(others: list[TimetableOccasion]) -> str:
    """Name the first of the occasions: `Jazz (19:00–20:00), Blues (19:30–21:00)`."""
    named = []
    for other in others[:MAX_NAMED]:
        span = festival_time().span(other.start, other.end)
        named.append(f"{other.title} ({format_clock(span.start)}–{format_clock(span.end)})")
    more = len(others) - len(named)
    return ", ".join([*named, *([_("%(count)d more") % {"count": more}] if more else [])])


def load_areas() -> GridAreas:
    rows = list(Area.objects.values_list("id", "name", "color"))
    # Imported values pass no form: only a colour may get into a style element.
    colours = ((key, color if re.fullmatch(Color.pattern, color) else "") for key, _name, color in rows)
    return GridAreas({key: name for key, name, _color in rows}, assign_colors(colours))
