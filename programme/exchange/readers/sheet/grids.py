"""Reads grids: places × times or times × places, with a title in each cell."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from programme.exchange.readers.sheet.layout import (
    Grid,
    Kind,
    Layout,
    Meaning,
    is_day,
    is_time,
    look,
    look_at_all,
)
from programme.exchange.readers.sheet.tables import Table, TableRow
from programme.exchange.text.times import LOOKED_AT, list_cell_times, list_times, parse_clock

_LEAST_COLUMNS, _SEARCHED, _DAY, _EVENING = 2, 15, 24 * 60, "18"
# Of the table that a grid is read as.
_HEADINGS = ("Titel", "Datum", "Start", "Slut", "Plats", "Beskrivning")
# At the beginning and at the end of a line; numbers alone are part of the title ("7 bröder").
_ONE = r"\d{1,2}(?:[.:]\d{2}|h\d{2})(?:\s*[ap]m\b)?"
_SPAN = rf"(?:{_ONE}|\d{{1,2}})(?:\s*[ap]m\b)?\s*[-–—]\s*(?:{_ONE}|\d{{1,2}}(?!\d))(?:\s*[ap]m\b)?"
_TIMES = rf"((?:kl\.?\s*)?(?:{_SPAN}|{_ONE}|(?<=kl)\.?\s*\d{{1,2}}))"
_BEFORE = re.compile(rf"\(?{_TIMES}\)?\s*[:–—,-]?\s*(.*)", re.IGNORECASE | re.DOTALL)
_AFTER = re.compile(rf"(.+?)[\s,:(–—-]+{_TIMES}\)?", re.IGNORECASE)


class Axes(NamedTuple):
    """Where a grid's heading row and first column are, and what they hold."""

    heading: int
    first: int
    down: Meaning
    across: Meaning


class Slot(NamedTuple):
    """What one occasion is of a cell: its title, its times as they stand there, and what follows."""

    title: str
    times: str = ""
    text: str = ""


def find_axes(grid: Grid, layout: Layout) -> Axes | None:
    """Return the axes of a sheet that is a grid: in the row that its layout names, else where they are."""
    if layout.down and {layout.down, layout.across} != {Meaning.TIME, Meaning.PLACE}:
        return None
    if named := grid.find_rows(layout, Meaning.HEADING):
        below = [row for row in grid.numbers if row > named[0]]
        first = min((n for row in below for n in grid.filled(row) if not layout.leaves(n)), default=0)
        return Axes(named[0], first, layout.down or Meaning.TIME, layout.across or Meaning.PLACE)
    rows = grid.numbers[:_SEARCHED]
    found = (_find_at(grid, row, layout) for row in rows if not grid.role_of(layout, row))
    axes = next(filter(None, found), None)
    return axes if axes and layout.down in (None, axes.down) else None


def _find_at(grid: Grid, row: int, layout: Layout) -> Axes | None:
    """Return the axes if a row has headings of columns, None if it does not."""
    below = [each for each in grid.numbers if each > row]
    first = min((n for each in below for n in grid.filled(each) if not layout.leaves(n)), default=0)
    columns = [n for n in grid.filled(row) if n > first]
    if not below or len(columns) < _LEAST_COLUMNS:
        return None
    across = look_at_all((grid.text(row, n) for n in columns), grid.days)
    down = look_at_all(grid.column(first, below), grid.days)
    if {down, across} != {Meaning.TIME, Meaning.TEXT}:
        return None
    # The first row of a list has a time as the others do; so has one of its columns.
    corner = grid.text(row, first)
    rows = [each for each in below if grid.text(each, first) != corner]
    kinds = (look_at_all(grid.column(n, rows), grid.days) for n in range(first + 1, grid.width))
    is_list = corner and down is Meaning.TIME and look(corner, grid.days) is down
    if is_list or any(kind in (Meaning.TIME, Meaning.DAY) for kind in kinds):
        return None
    return Axes(
        row, first, *(Meaning.TIME if each is Meaning.TIME else Meaning.PLACE for each in (down, across))
    )


class GridReader:
    """Reads the cells of a grid; days and headings further down hold for what is below them."""

    def __init__(self, grid: Grid, axes: Axes, layout: Layout) -> None:
        self.grid = grid
        self.axes = axes
        self.layout = layout
        self.day, self.place = grid.names(layout)
        self.found: dict[str, Meaning] = {}
        self.headings: dict[int, str] = {}
        self.row = axes.heading
        # Where the evening begins on the axis of times.
        self.evening: int | None = None

    def read(self) -> tuple[Table, Layout]:
        entries = list(self._read_rows())
        first = min((each.number for each in entries), default=1)
        rows = (TableRow(first - 1, _HEADINGS), *entries)
        axes = {"down": self.axes.down, "across": self.axes.across}
        found = Layout(Kind.GRID, self.layout.columns, self.found, self.layout.name, **axes)
        return replace(self.grid.table, rows=rows, merged=()), found

    def _read_rows(self) -> Iterator[TableRow]:
        for row in self.grid.numbers:
            if row == self.axes.heading:
                self._read_headings(row)
            elif not self._is_section(row) and row > self.axes.heading:
                yield from self._read_row(row)

    def _is_section(self, row: int) -> bool:
        """Read a row that is none of the body: the day of what is below, or headings once more."""
        line = self.grid.line(row, Meaning.DAY if row < self.axes.heading else None)
        is_days = len(self.grid.filled(row)) == 1 and is_day(line, self.grid.days)
        role = self.grid.role_of(self.layout, row) or (Meaning.DAY if is_days else None)
        if role is Meaning.HEADING or (not role and row > self.axes.heading and self._repeats_headings(row)):
            self._read_headings(row)
            return True
        if role in (Meaning.DAY, Meaning.PLACE):
            text = self.grid.line(row, role)
            self.day, self.place = (text, self.place) if role is Meaning.DAY else (self.day, text)
            self.evening = None
            self.grid.mark_row(row, role)
            self.found[self.grid.key(row)] = role
        return role not in (None, Meaning.TITLE)

    def _repeats_headings(self, row: int) -> bool:
        own, corner = (self.grid.text(n, self.axes.first) for n in (row, self.axes.heading))
        inner = [self.grid.text(row, n) for n in self.grid.filled(row) if n > self.axes.first]
        is_other = own in ("", corner) or is_day(own, self.grid.days)
        repeats = len({*inner} & {*self.headings.values()}) * 2 > len(inner)
        before = [n for n in self.grid.numbers if n < row]
        begins = before[-1] < row - 1 or len(self.grid.filled(before[-1])) == 1
        return is_other and len(inner) >= _LEAST_COLUMNS and (repeats or begins)

    def _read_headings(self, row: int) -> None:
        self.row, self.evening = row, None
        columns = [n for n in self.grid.filled(row) if not self.layout.leaves(n)]
        self.headings = {n: self.grid.text(row, n) for n in columns if n > self.axes.first}
        corner = self.grid.text(row, self.axes.first)
        is_days = is_day(corner, self.grid.days)
        self.day = corner if is_days else self.day
        self.grid.mark(row, self.axes.first, Meaning.DAY if is_days else Meaning.HEADING)
        for column, text in self.headings.items():
            self.grid.mark(row, column, self.axes.across)
            if self.axes.across is Meaning.TIME and self.evening is None and is_evening(text):
                self.evening = column

    def _read_row(self, row: int) -> Iterator[TableRow]:
        own = self.grid.text(row, self.axes.first)
        if self.evening is None and self.axes.down is Meaning.TIME and is_evening(own):
            self.evening = row
        for column in self.grid.filled(row):
            text = self.grid.text(row, column)
            # A dash says that there is nothing.
            if column not in self.headings or not own or not any(map(str.isalnum, text)):
                continue
            self.grid.mark(row, self.axes.first, self.axes.down)
            self.grid.mark(row, column, Meaning.TITLE)
            for slot in divide(text):
                yield self._build(row, column, slot)

    def _build(self, row: int, column: int, slot: Slot) -> TableRow:
        is_down = self.axes.down is Meaning.TIME
        start, end = (slot.times, "") if slot.times else self._find_span(row, column)
        at = row if is_down else column
        is_late = self.evening is not None and at >= self.evening
        texts = (slot.title, self.day, start, end, self._find_place(row, column) or self.place, slot.text)
        struck = (0,) if (row, column) in self.grid.struck else ()
        return TableRow(row, texts, struck, is_late=is_late)

    def _find_marks(self, row: int, column: int, kind: Meaning) -> tuple[dict[int, str], int, int]:
        """Return what stands along an axis, and where on it a cell begins and ends."""
        last, right = self.grid.ends.get((row, column), (row, column))
        if self.axes.across is kind:
            return self.headings, column, right
        rows = [n for n in self.grid.numbers if n > self.row]
        return {n: self.grid.text(n, self.axes.first) for n in rows}, row, last

    def _find_place(self, row: int, column: int) -> str:
        """Return the places that a cell is merged over: it is one occasion there, of all without a place."""
        marks, own, last = self._find_marks(row, column, Meaning.PLACE)
        named = [text for n, text in marks.items() if text and own <= n <= last]
        return "" if 1 < len(named) == len([*filter(None, marks.values())]) else " + ".join(named)

    def _find_span(self, row: int, column: int) -> tuple[str, str]:
        """Return the start and the end of a cell, which is as long as its rows or columns are."""
        marks, own, last = self._find_marks(row, column, Meaning.TIME)
        times = list_times(marks[own])
        if len(times) == 1 and "–" in times[0] and last == own:
            start, _dash, end = times[0].partition("–")
            return start, end
        place = sum(n <= last for n in marks) - 1
        spans, end = [_bounds(mark) for mark in marks.values()], ""
        start = (times or (marks[own],))[0].partition("–")[0]
        if spans[place][1]:
            end = spans[place][1]
        elif place + 1 < len(spans) and spans[place + 1][0]:
            end = spans[place + 1][0]
        elif place and last > own:
            end = _continue(spans[place - 1][0], spans[place][0])
        return start, end if end != start else ""


def is_evening(text: str) -> bool:
    """Return whether a time is so late that those after midnight, below the same day, are in its night."""
    return any(time >= _EVENING for time in list_cell_times(text))


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
    start, _dash, end = times[0].partition("–") if len(times) == 1 else ("", "", "")
    return start, end


def divide(text: str) -> Sequence[Slot]:
    """Return the occasions in a cell: one, or one for each line with a time: `18.00 Jazz`, `Jazz 18-20`."""
    slots: list[Slot] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        title, times = _split_line(line)
        if not title and slots and slots[-1].title and not slots[-1].times:
            slots[-1] = slots[-1]._replace(times=times)
        elif not slots or (times and slots[-1].title):
            slots.append(Slot(title, times))
        elif not slots[-1].title:
            slots[-1] = slots[-1]._replace(title=title)
        else:
            slots[-1] = slots[-1]._replace(text="\n".join(filter(None, (slots[-1].text, line))))
    return slots


def _split_line(line: str) -> tuple[str, str]:
    """Return the title in a line and its times, '' where it has none."""
    if is_time(line) and not line.isdecimal():
        return "", line
    if (match := _BEFORE.fullmatch(line[:LOOKED_AT])) and is_time(match[1]):
        return f"{match[2]}{line[LOOKED_AT:]}".strip(" ,:|–—-"), match[1]
    if (match := _AFTER.fullmatch(line[-LOOKED_AT:])) and is_time(match[2]):
        return f"{line[:-LOOKED_AT]}{match[1]}".strip(" ,:|–—-"), match[2]
    return line, ""
