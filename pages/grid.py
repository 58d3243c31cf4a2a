"""A day of the programme as a timetable: places as columns, grouped by area, and time downwards.

On screen the height of a block is its duration, and text that does not fit is cut off. On paper nobody can
open it, so each row is as high as the occasions of its hour need: a table, with as many places to a sheet as
are legible, whose head is on every page.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from feeds.day_layout import (
    HOUR,
    MinuteSpan,
    compute_width,
    find_span,
    find_visible_hours,
    is_long,
    lay_out_blocks,
)
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion
from pages.rows import OccasionRow, RowBuilder, render_row

# Minutes: a shorter block has no room for its time above its title.
MIN_FULL_HEIGHT = 50


class GridBlock(NamedTuple):
    """A row at its place: minutes after the first hour, minutes long, and its lane of how many."""

    row: OccasionRow
    top: int
    long: int
    lane: int
    lanes: int

    @property
    def is_low(self) -> bool:
        return self.long < MIN_FULL_HEIGHT

    @property
    def place(self) -> str:
        """The classes that place it, of which `DayGrid.rules` has the rules."""
        return f"t{self.top} d{self.long} l{self.lane} n{self.lanes}"

    @property
    def as_list_item(self) -> SafeString:
        return render_row("grid_block", self, self.row.language)


class GridColumn(NamedTuple):
    area: str
    area_id: int
    place: str
    width: float
    blocks: list[GridBlock]

    @property
    def hundredths(self) -> int:
        """The width for the name of a class."""
        return round(100 * self.width)


class DayGrid(NamedTuple):
    hours: list[str]
    minutes: int
    columns: list[GridColumn]
    long: list[OccasionRow]

    @property
    def rules(self) -> str:
        """The rules of the classes that place columns and blocks, such as `.t60{--t:60}`.

        The page's policy allows no style attributes.
        """
        blocks = [block for column in self.columns for block in column.blocks]
        values = {
            "t": {block.top for block in blocks},
            "d": {block.long for block in blocks},
            "l": {block.lane for block in blocks},
            "n": {block.lanes for block in blocks},
            "m": {self.minutes},
        }
        placed = [f".{name}{each}{{--{name}:{each}}}" for name in values for each in sorted(values[name])]
        widths = sorted({column.hundredths for column in self.columns})
        return "".join([*placed, *(f".w{each}{{--w:{each / 100:.2f}}}" for each in widths)])


def build_grid(
    snapshot: Snapshot, occasions: Iterable[Occasion], day: date, language: LanguageCode
) -> DayGrid:
    festival = snapshot.programme.site.time
    rows = RowBuilder(snapshot, language)
    spans = [(each, find_span(each, day, festival)) for each in occasions]
    placed_spans = [(each, span) for each, span in spans if not is_long(span)]
    shown = find_visible_hours([span for _, span in placed_spans], festival.first_hour, around=0)
    return DayGrid(
        hours=[f"{hour // HOUR % 24:02}:00" for hour in range(shown.begins, shown.ends, HOUR)],
        minutes=shown.ends - shown.begins,
        columns=list(_columns(placed_spans, shown.begins, rows)),
        long=[rows.build(each) for each, span in spans if is_long(span)],
    )


def _columns(
    placed_spans: list[tuple[Occasion, MinuteSpan]], begins: int, rows: RowBuilder
) -> Iterator[GridColumn]:
    ordered = sorted(placed_spans, key=lambda each: _column_of(each[0]))
    for _, group in groupby(ordered, key=lambda each: _column_of(each[0])):
        column = list(group)
        area, place = column[0][0].event.area, column[0][0].place
        placed = [
            GridBlock(rows.build(each), span.begins - begins, span.ends - span.begins, *lane)
            for each, span, lane in lay_out_blocks(column)
        ]
        yield GridColumn(
            area=area.name,
            area_id=area.id,
            place=place.full_name if place else "",
            width=compute_width(max(block.lanes for block in placed)),
            blocks=placed,
        )


def _column_of(occasion: Occasion) -> tuple[Any, ...]:
    place = occasion.place
    name = (place.location.name.casefold(), place.full_name.casefold()) if place else ("", "")
    return (occasion.event.area.order, place is None, *name)


# On A4 landscape each then has 33 mm: some twenty letters that are legible on a wall.
MAX_COLUMNS = 8


Sheet = dict[str, Any]


def build_sheets(grid: DayGrid) -> list[Sheet]:
    return [
        {
            "areas": list(_areas(columns)),
            "places": [each.place for each in columns],
            "hours": list(_hours(columns, grid.hours)),
        }
        for columns in _parts(grid.columns)
    ]


def _parts(columns: list[GridColumn]) -> Iterator[list[GridColumn]]:
    """Yield the columns of each sheet. Areas stay whole, so that a sheet can be put up in its area."""
    part: list[GridColumn] = []
    for piece in _pieces(columns):
        if len(part) + len(piece) > MAX_COLUMNS:
            yield part
            part = []
        part += piece
    if part:
        yield part


def _pieces(columns: list[GridColumn]) -> Iterator[list[GridColumn]]:
    for _, group in groupby(columns, key=lambda each: each.area_id):
        area = list(group)
        count = -(-len(area) // MAX_COLUMNS)
        bounds = [len(area) * number // count for number in range(count + 1)]
        yield from (area[first:end] for first, end in pairwise(bounds))


def _areas(columns: list[GridColumn]) -> Iterator[dict[str, Any]]:
    for (area_id, area), group in groupby(columns, key=lambda each: (each.area_id, each.area)):
        yield {"area": area, "area_id": area_id, "columns": len(list(group))}


def _hours(columns: list[GridColumn], hours: list[str]) -> Iterator[tuple[str, list[list[OccasionRow]]]]:
    begin: defaultdict[int, list[list[OccasionRow]]] = defaultdict(lambda: [[] for _ in columns])
    for place, column in enumerate(columns):
        for block in column.blocks:
            begin[block.top // HOUR][place].append(block.row)
    for number in sorted(begin):
        yield hours[number], begin[number]
