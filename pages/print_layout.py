"""A timetable on paper: places as columns and hours as rows, as many places to a sheet as are legible.

On screen the height of a block is its duration, and text that does not fit is cut off. On paper nobody can
open it, so each row is as high as the occasions of its hour need: a table, whose head is on every page.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

from feeds.day_layout import HOUR
from pages.grid import DayGrid, GridColumn
from pages.rows import OccasionRow

# On A4 landscape each then has 33 mm: some twenty letters that are legible on a wall.
MAX_COLUMNS = 8


class PrintedHeading(NamedTuple):
    area: str
    area_id: int
    columns: int


class PrintedHour(NamedTuple):
    clock: str
    cells: list[list[OccasionRow]]


class PrintedSheet(NamedTuple):
    areas: list[PrintedHeading]
    places: list[str]
    hours: list[PrintedHour]


def build_sheets(grid: DayGrid) -> list[PrintedSheet]:
    return [_sheet(columns, grid.hours) for columns in _parts(grid.columns)]


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


def _sheet(columns: list[GridColumn], hours: list[str]) -> PrintedSheet:
    return PrintedSheet(list(_areas(columns)), [each.place for each in columns], list(_hours(columns, hours)))


def _areas(columns: list[GridColumn]) -> Iterator[PrintedHeading]:
    for (area_id, area), group in groupby(columns, key=lambda each: (each.area_id, each.area)):
        yield PrintedHeading(area, area_id, len(list(group)))


def _hours(columns: list[GridColumn], hours: list[str]) -> Iterator[PrintedHour]:
    begin: defaultdict[int, list[list[OccasionRow]]] = defaultdict(lambda: [[] for _ in columns])
    for place, column in enumerate(columns):
        for block in column.blocks:
            begin[block.top // HOUR][place].append(block.row)
    for number in sorted(begin):
        yield PrintedHour(hours[number], begin[number])
