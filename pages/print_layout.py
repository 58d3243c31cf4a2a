"""A timetable on paper: places across and hours down, as many places to a sheet as can be read.

On screen the height of a block is how long it lasts, and what does not fit is cut off. On paper nobody can
open it, so rows are as high as what begins in their hour needs: a table, whose head is on every page.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

from feeds.day_layout import HOUR
from pages.grid import Grid, GridColumn
from pages.rows import OccasionRow

# On A4 laid sideways each then has 33 mm: some twenty letters that can be read from a wall.
MAX_COLUMNS = 8


class PrintedHeading(NamedTuple):
    """An area over its places."""

    area: str
    area_id: int
    of: int


class PrintedHour(NamedTuple):
    """What begins in an hour, for each place."""

    clock: str
    cells: list[list[OccasionRow]]


class PrintedSheet(NamedTuple):
    areas: list[PrintedHeading]
    places: list[str]
    hours: list[PrintedHour]


def build_sheets(grid: Grid) -> list[PrintedSheet]:
    """Return a timetable in parts that fit the width of a sheet."""
    return [_sheet(columns, grid.hours) for columns in _parts(grid.columns)]


def _parts(columns: list[GridColumn]) -> Iterator[list[GridColumn]]:
    """Yield what fits beside each other: areas stay whole, so that each can hang where it is."""
    part: list[GridColumn] = []
    for piece in _pieces(columns):
        if len(part) + len(piece) > MAX_COLUMNS:
            yield part
            part = []
        part += piece
    if part:
        yield part


def _pieces(columns: list[GridColumn]) -> Iterator[list[GridColumn]]:
    """Yield the areas; one that is wider than a sheet in parts of about the same width."""
    for _, together in groupby(columns, key=lambda each: each.area_id):
        area = list(together)
        count = -(-len(area) // MAX_COLUMNS)
        bounds = [len(area) * number // count for number in range(count + 1)]
        yield from (area[first:end] for first, end in pairwise(bounds))


def _sheet(columns: list[GridColumn], hours: list[str]) -> PrintedSheet:
    return PrintedSheet(list(_areas(columns)), [each.place for each in columns], list(_hours(columns, hours)))


def _areas(columns: list[GridColumn]) -> Iterator[PrintedHeading]:
    for (area_id, area), together in groupby(columns, key=lambda each: (each.area_id, each.area)):
        yield PrintedHeading(area, area_id, len(list(together)))


def _hours(columns: list[GridColumn], hours: list[str]) -> Iterator[PrintedHour]:
    """Yield the hours in which something begins."""
    begin: defaultdict[int, list[list[OccasionRow]]] = defaultdict(lambda: [[] for _ in columns])
    for place, column in enumerate(columns):
        for block in column.blocks:
            begin[block.top // HOUR][place].append(block.row)
    for number in sorted(begin):
        yield PrintedHour(hours[number], begin[number])
