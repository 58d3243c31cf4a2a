"""Reads grids: places × times, times × places, days × places and the like, with a title in each cell."""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from programme.exchange.readers.sheet.layouts.cells import (
    Role,
    Slot,
    divide,
    is_day,
    is_evening,
    look,
    look_at_all,
)
from programme.exchange.readers.sheet.layouts.layout import IN_BRACKETS, Entry, Grid, Layout
from programme.exchange.text.times import list_times, parse_clock

# What the first column may hold beside what the heading row does; texts there are places.
_AXES = {*permutations((Role.TIME, Role.DAY, Role.TEXT), 2)}
_LEAST_ROWS, _LEAST_COLUMNS, _SEARCHED, _DAY = 1, 2, 15, 24 * 60


class Axes(NamedTuple):
    """Where a grid's heading row and first column are, and what they hold."""

    heading: int
    first: int
    down: Role
    across: Role


def find_axes(grid: Grid, layout: Layout) -> Axes | None:
    """Return the axes of a sheet that is a grid: of several heading rows, days and places, the lowest.

    Those of a layout are in the row that it names, else where they are of its kinds.
    """
    if named := grid.find_rows(layout, Role.HEADING):
        first = _find_first(grid, [row for row in grid.numbers if row > named[0]], layout)
        return Axes(named[0], first, layout.down or Role.TIME, layout.across or Role.PLACE)
    found = None
    for place, row in enumerate(grid.numbers[:_SEARCHED]):
        axes = None if grid.role_of(layout, row) else _find_at(grid, row, grid.numbers[place + 1 :], layout)
        if found and (axes is None or found.across is not Role.DAY):
            break
        found = axes or found
    is_wanted = found and layout.down in (None, found.down) and layout.across in (None, found.across)
    return found if is_wanted else None


def _find_first(grid: Grid, below: Sequence[int], layout: Layout) -> int:
    named = [n for n, role in layout.columns.items() if role is layout.down]
    filled = (n for each in below for n in grid.filled(each) if layout.columns.get(n) is not Role.UNUSED)
    return min(named or filled, default=0)


def _find_at(grid: Grid, row: int, below: Sequence[int], layout: Layout) -> Axes | None:
    """Return the axes if a row has headings of columns, None if it does not."""
    first = _find_first(grid, below, layout)
    columns = [n for n in grid.filled(row) if n > first]
    if len(below) < _LEAST_ROWS or len(columns) < _LEAST_COLUMNS:
        return None
    across = look_at_all((grid.text(row, n) for n in columns), grid.days)
    down = look_at_all(grid.column(first, below), grid.days)
    if across is None or down is None or (down, across) not in _AXES:
        return None
    # The first row of a list has a time, or a day, as the others do; so has one of its columns.
    corner = grid.text(row, first)
    # The same corner begins the headings of another grid below.
    rows = [each for each in below if grid.text(each, first) != corner]
    kinds = (look_at_all(grid.column(n, rows), grid.days) for n in range(first + 1, grid.width))
    is_list = corner and down is not Role.TEXT and look(corner, grid.days) is down
    if is_list or any(kind in (Role.TIME, Role.DAY) for kind in kinds):
        return None
    return Axes(row, first, _name(down), _name(across))


def _name(role: Role) -> Role:
    return Role.PLACE if role is Role.TEXT else role


class GridReader:
    """Reads the entries of a grid, row by row; days and headings further down hold for what is below them."""

    def __init__(self, grid: Grid, axes: Axes, layout: Layout) -> None:
        self.grid = grid
        self.axes = axes
        self.layout = layout
        self.day, self.place = grid.names(layout)
        self.found: dict[str, Role] = {}
        self.headings: dict[int, str] = {}
        self.row = axes.heading
        # Days above the heading row, of each column.
        self.days: dict[int, str] = {}
        # Where the evening begins on the axis of times; without one, the days and places that have one.
        self.evening: int | None = None
        self.late: set[tuple[str, str]] = set()

    def read(self) -> Iterator[Entry]:
        above = [row for row in self.grid.numbers if row < self.axes.heading]
        for row in above:
            if role := self.grid.role_of(self.layout, row):
                self._read_named(row, role)
            else:
                self._read_above(row)
        self._read_headings(self.axes.heading)
        for row in self.grid.numbers[self.grid.numbers.index(self.axes.heading) + 1 :]:
            if not self._is_section(row):
                yield from self._read_row(row)

    def _read_above(self, row: int) -> None:
        """Take the days above the headings: one for all, or each for the columns up to the next one."""
        named = [n for n in self.grid.filled(row) if is_day(self.grid.text(row, n), self.grid.days)]
        for column in named:
            self.grid.mark(row, column, Role.DAY)
            self.found[self.grid.key(row)] = Role.DAY
        if len(named) == 1 and len(self.grid.filled(row)) == 1:
            self.day = self.grid.text(row, named[0])
        for column in range(min(named, default=self.grid.width), self.grid.width):
            self.days[column] = next(self.grid.text(row, n) for n in reversed(named) if n <= column)

    def _read_headings(self, row: int) -> None:
        before, self.headings, self.row = (self.day, self.headings), {}, row
        self.found[self.grid.key(row)] = Role.HEADING
        for column in range(self.axes.first + 1, self.grid.width):
            if (text := self.grid.text(row, column)) and self.layout.columns.get(column) is not Role.UNUSED:
                self.headings[column] = text
                # Times say how long cells are; places and days are used by those below them.
                if self.axes.across is Role.TIME:
                    self.grid.mark(row, column, Role.TIME)
        if corner := self.grid.text(row, self.axes.first):
            is_corner_day = Role.DAY not in self.axes[2:] and is_day(corner, self.grid.days)
            self.day = corner if is_corner_day else self.day
            self.grid.mark(row, self.axes.first, Role.DAY if is_corner_day else Role.HEADING)
        if (self.day, self.headings) != before:
            evenings = (n for n, text in self.headings.items() if is_evening(text))
            self.evening = next(evenings, None) if self.axes.across is Role.TIME else None

    def _read_named(self, row: int, role: Role) -> bool:
        """Read a row that says something for what is below; one with entries is none."""
        if role is Role.DAY:
            self.day, self.days = self.grid.line(row, role), {}
            self.evening = None if self.axes.down is Role.TIME else self.evening
        elif role is Role.PLACE:
            self.place = self.grid.line(row)
        elif role is Role.HEADING:
            self._read_headings(row)
        if role in (Role.DAY, Role.PLACE, Role.UNUSED):
            self.grid.mark_row(row, role)
            self.found[self.grid.key(row)] = role
        return role is not Role.TITLE

    def _is_section(self, row: int) -> bool:
        """Read a row that is none of the body: the day of what is below, or headings once more."""
        filled = self.grid.filled(row)
        texts = [self.grid.text(row, n) for n in filled]
        is_days = len(filled) == 1 and self.axes.down is not Role.DAY and is_day(texts[0], self.grid.days)
        if role := self.grid.role_of(self.layout, row) or (Role.DAY if is_days else None):
            return self._read_named(row, role)
        own = self.grid.text(row, self.axes.first)
        inner = [text for n, text in zip(filled, texts, strict=True) if n > self.axes.first]
        is_other = not own or own == self.grid.text(self.axes.heading, self.axes.first)
        repeats = len(set(inner) & set(self.headings.values())) * 2 > len(inner)
        if is_other and len(inner) >= _LEAST_COLUMNS and (repeats or self._begins(row)):
            self._read_headings(row)
            return True
        return False

    def _begins(self, row: int) -> bool:
        """Return whether a row comes after a section or an empty row."""
        before = [n for n in self.grid.numbers if n < row]
        return not before or before[-1] < row - 1 or len(self.grid.filled(before[-1])) == 1

    def _read_row(self, row: int) -> Iterator[Entry]:
        own = self.grid.text(row, self.axes.first)
        if self.evening is None and self.axes.down is Role.TIME and is_evening(own):
            self.evening = row
        for column in self.grid.filled(row):
            if column <= self.axes.first or column not in self.headings or not own:
                continue
            text = self.grid.text(row, column)
            # A dash says that there is nothing.
            if not any(map(str.isalnum, text)):
                continue
            for slot in self._divide(text):
                self.grid.mark(row, column, Role.TITLE)
                for number, n in self._list_covered(row, column):
                    self.grid.mark(number, self.axes.first, self.axes.down)
                    self.grid.mark(self.row, n, self.axes.across)
                    yield self._build(number, n, slot)

    def _list_covered(self, row: int, column: int) -> Iterator[tuple[int, int]]:
        """Yield the days and places that a cell is merged over; over times it is one occasion."""
        last, right = self.grid.ends.get((row, column), (row, column))
        last = row if self.axes.down is Role.TIME else last
        right = column if self.axes.across is Role.TIME else right
        for number in self.grid.numbers:
            if row <= number <= last and self.grid.text(number, self.axes.first):
                yield from ((number, n) for n in range(column, right + 1) if n in self.headings)

    def _divide(self, text: str) -> list[Slot]:
        """Return the occasions in a cell; in a grid without places also lines that all end with `(place)`."""
        lines = text.splitlines()
        if Role.PLACE in self.axes or not all(map(IN_BRACKETS.fullmatch, lines)):
            return divide(text)
        return [slot for line in lines for slot in divide(line)]

    def _build(self, row: int, column: int, slot: Slot) -> Entry:
        stated = {
            self.axes.down: self.grid.text(row, self.axes.first),
            self.axes.across: self.headings[column],
        }
        start, end = slot.times, ""
        if not start and Role.TIME in stated:
            start, end = self._find_span(row, column, stated[Role.TIME])
        day = stated.get(Role.DAY) or self.days.get(column) or self.day
        place = stated.get(Role.PLACE) or self.place
        if Role.TIME in stated:
            at = row if self.axes.down is Role.TIME else column
            is_late = self.evening is not None and at >= self.evening
        else:
            self.late |= {(day, place)} if is_evening(start) else set()
            is_late = (day, place) in self.late
        return Entry(row, slot.title, day, start, end, place, slot.text, is_late=is_late)

    def _find_span(self, row: int, column: int, text: str) -> tuple[str, str]:
        """Return the start and the end of a cell, which is as long as its rows or columns are."""
        last, right = self.grid.ends.get(self.grid.origins.get((row, column), (row, column)), (row, column))
        times = list_times(text)
        if len(times) == 1 and "–" in times[0] and (last, right) == (row, column):
            return text, ""
        own = row
        if self.axes.down is Role.TIME:
            marks = {
                n: self.grid.text(n, self.axes.first) for n in self.grid.numbers if n > self.axes.heading
            }
        else:
            marks, own, last = self.headings, column, right
        place = sum(n <= last for n in marks) - 1
        starts, ends = [_bounds(mark) for mark in marks.values()], ""
        start = (times or (text,))[0].partition("–")[0]
        if starts[place][1]:
            ends = starts[place][1]
        elif place + 1 < len(starts) and starts[place + 1][0]:
            ends = starts[place + 1][0]
        elif place and last > own:
            ends = _continue(starts[place - 1][0], starts[place][0])
        return start, ends if ends != start else ""


def _continue(before: str, last: str) -> str:
    """Return the time that follows on two: 23:30 on 22:30 and 23:00; '' where either is none."""
    times = [clock.hour * 60 + clock.minute for text in (before, last) if (clock := parse_clock(text))]
    if len(times) < len((before, last)):
        return ""
    hours, minutes = divmod((2 * times[1] - times[0]) % _DAY, 60)
    return f"{hours:02}:{minutes:02}"


def _bounds(mark: str) -> tuple[str, str]:
    """Return the start and the end that a mark of an axis states; '' for what it does not."""
    times = list_times(mark)
    if len(times) != 1:
        return "", ""
    start, _dash, end = times[0].partition("–")
    return start, end
