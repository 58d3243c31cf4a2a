"""Reads tables by what their columns are: as a person has said, or as is seen by the cells."""

from collections.abc import Iterator
from statistics import mean

from programme.exchange.readers.sheet.columns import find_fields
from programme.exchange.readers.sheet.layouts.cells import (
    Role,
    Slot,
    cut_day,
    divide,
    is_day,
    is_evening,
    is_time,
    look_at_all,
)
from programme.exchange.readers.sheet.layouts.layout import Entry, Grid, Kind, Layout, build_table, cut_lines
from programme.exchange.readers.sheet.layouts.tables import ROLES, find_sections
from programme.exchange.readers.sheet.tables import Table
from programme.exchange.text.times import suggest_time

_LEAST_ENTRIES, _LONGEST_TITLE, _LONGEST_PLACE = 3, 80, 60
_JOINS = {Role.DAY: " ", Role.TITLE: " ", Role.PLACE: ", ", Role.TEXT: "\n"}
_TIMES = {"start", "end"}
# Columns whose headings say what else the columns are read as.
_BY_HEADINGS = {field: ROLES[field] for field in ("title", "day", "start", "end", "location")}


def find_columns(grid: Grid) -> dict[int, Role]:
    """Return what the columns of a list are; nothing where no column has titles, or nothing has times."""
    if grid.width == 1:
        rows = [row for row in grid.numbers if not is_day(grid.text(row, 0), grid.days)]
    else:
        rows = [row for row in grid.numbers if len(grid.filled(row)) > 1]
    texts = {n: grid.column(n, rows) for n in range(grid.width)}
    found: dict[int, Role] = {}
    for column, cells in texts.items():
        if role := look_at_all(cells, grid.days):
            found[column] = role
    named = [n for n, role in found.items() if role is Role.TEXT]
    if not named:
        return {}
    title = max(named, key=lambda n: (mean(map(len, texts[n])) <= _LONGEST_TITLE, len(set(texts[n])), -n))
    found[title] = Role.TITLE
    rest = [n for n in named if n != title]
    repeated = [n for n in rest if len(set(texts[n])) < len(set(texts[title]))]
    places = [n for n in repeated if mean(map(len, texts[n])) <= _LONGEST_PLACE]
    if places:
        found[min(places, key=lambda n: len(set(texts[n])) / len(texts[n]))] = Role.PLACE
    timed = sum(_has_time(grid, text) for text in texts[title])
    # Lines of a letter may stand around those of the programme.
    has_times = Role.TIME in found.values() or timed * (3 if grid.width == 1 else 2) > len(texts[title])
    return found if has_times and len(texts[title]) >= min(_LEAST_ENTRIES, timed or _LEAST_ENTRIES) else {}


def _has_time(grid: Grid, text: str) -> bool:
    return any(slot.times for slot in divide(cut_day(text, grid.days)[1]))


class ListReader:
    """Reads the entries of a table by the roles of its columns; rows between hold for what is below them."""

    def __init__(self, grid: Grid, layout: Layout, heading: int | None) -> None:
        self.grid = grid
        self.layout = layout
        self.heading = heading
        self.rows = [row for row in grid.numbers if heading is None or row >= heading]
        headings = () if heading is None else grid.rows[heading]
        fields = find_fields(headings, [grid.rows[row] for row in self.rows[1:]])
        self.columns = dict(layout.columns)
        said = {*layout.columns.values()}
        for column, field in enumerate(fields):
            if field in _BY_HEADINGS and _BY_HEADINGS[field] not in said:
                self.columns.setdefault(column, _BY_HEADINGS[field])
        # They are read by their headings.
        self.more = {
            column: (text, ROLES.get(field, Role.TEXT if field else Role.UNUSED))
            for column, (text, field) in enumerate(zip(headings, fields, strict=True))
            if text and column not in self.columns
        }
        self.day, self.place = grid.names(layout)
        self.sections = self._find_sections()
        # What a row says is used when there is an entry below it.
        self.said: dict[Role, int] = {}
        # Where there is an evening already, below the day that holds.
        self.late: set[str] = set()
        self.used: set[int] = set()

    def read(self) -> tuple[Table, Layout]:
        read = [entry for row in self.rows for entry in self._read_row(row)]
        entries = read if Role.PLACE in self.columns.values() else cut_lines(read)
        said = {
            row: role for row, role in self.sections.items() if row in self.used or role is not Role.PLACE
        }
        is_divided = {Role.DAY, Role.PLACE} & {*said.values()}
        kind = Kind.LIST if self.heading is None else Kind.SECTIONS if is_divided else Kind.TABLE
        name = None if self.layout.name in self.columns.values() else self.layout.name
        rows = {self.grid.key(row): role for row, role in said.items()}
        table = build_table(self.grid.table, entries, [text for text, _role in self.more.values()])
        return table, Layout(kind, self.columns, rows, name)

    def _find_sections(self) -> dict[int, Role]:
        has_day, has_place = (role in self.columns.values() for role in (Role.DAY, Role.PLACE))
        if self.heading is None:
            found = {row: role for row in self.rows if (role := self._look_at_line(row))}
        else:
            found = dict(find_sections(self.grid, self.rows[1:], has_day=has_day, has_place=has_place))
            above = (row for row in self.grid.numbers if row < self.heading)
            found |= {row: Role.DAY for row in above if is_day(self.grid.line(row), self.grid.days)}
            self.rows += found.keys() - {*self.rows}
        named = {row: self.grid.role_of(self.layout, row) for row in self.grid.numbers}
        read = {*self.rows}
        self.rows = [row for row in self.grid.numbers if row in read or named[row]]
        found |= {row: role for row, role in named.items() if role}
        found |= {} if self.heading is None else {self.heading: Role.HEADING}
        return {row: role for row, role in found.items() if role is not Role.TITLE}

    def _look_at_line(self, row: int) -> Role | None:
        """Return whether a row with one cell alone says the day, or the place, of the rows below it."""
        filled = self.grid.filled(row)
        if len(filled) != 1:
            times = (self.grid.text(row, n) for n, role in self.columns.items() if role is Role.TIME)
            # Cells that are merged with those above may hide the whole row.
            headings = (not is_time(each) and find_fields([each])[0] in _TIMES for each in times)
            return Role.UNUSED if not filled or any(headings) else None
        text = self.grid.text(row, filled[0])
        if is_day(text, self.grid.days):
            return Role.DAY
        day, rest = cut_day(text, self.grid.days)
        if is_time(text) or _has_time(self.grid, text):
            return Role.DAY if day and is_time(rest) else None
        # A sentence, or a time that is not understood.
        if len(text) > _LONGEST_PLACE or text[-1] in ".!?" or (self.grid.width == 1 and suggest_time(text)):
            return Role.UNUSED
        return Role.DAY if day else Role.UNUSED if text[-1] == ":" else Role.PLACE

    def _read_row(self, row: int) -> Iterator[Entry]:
        role = self.sections.get(row)
        if role is Role.HEADING:
            self.grid.mark_row(row, role)
        elif role in (Role.DAY, Role.PLACE):
            self.said[role] = row
            self.late = set() if role is Role.DAY else self.late
        elif role is None:
            yield from self._read_entries(row)

    def _read_entries(self, row: int) -> Iterator[Entry]:
        filled = {column: role for column, role in self.columns.items() if self.grid.text(row, column)}
        starts, ends = ([n for n, each in filled.items() if each is role] for role in (Role.TIME, Role.END))
        start, end = starts[:1], [*ends, *starts[1:]][:1]
        texts = {
            role: join.join(self.grid.text(row, n) for n, each in filled.items() if each is role)
            for role, join in _JOINS.items()
        }
        if not (start or texts[Role.TITLE]):
            return
        left = dict.fromkeys({*starts, *ends} - {*start, *end}, Role.UNUSED)
        roles = filled | left | {n: role for n, (_text, role) in self.more.items()}
        # Beside a time, or a day, of its own a title keeps its numbers.
        title = texts[Role.TITLE]
        day, rest = cut_day("" if start or texts[Role.DAY] else title, self.grid.days)
        own_day = texts[Role.DAY] or day
        for slot in [Slot(title)] if start or not title else divide(rest or title):
            for column, each in roles.items():
                self.grid.mark(row, column, each)
            times = next((self.grid.text(row, n) for n in start), slot.times)
            place = texts[Role.PLACE] or self._find(Role.PLACE) or self.place
            self.late |= {place} if not own_day and is_evening(times) else set()
            yield Entry(
                row,
                slot.title,
                own_day or self._find(Role.DAY) or self.day,
                times,
                next((self.grid.text(row, n) for n in end), ""),
                place,
                "\n".join(filter(None, (slot.text, texts[Role.TEXT]))),
                tuple(self.grid.text(row, column) for column in self.more),
                place in self.late and not own_day,
            )

    def _find(self, role: Role) -> str:
        """Return what a row above says."""
        if role not in self.said:
            return ""
        self.used.add(self.said[role])
        self.grid.mark_row(self.said[role], role)
        return self.grid.line(self.said[role], role)
