"""Reads tables that lack what stands in rows between, beside them, above them, or in the sheet's name."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise, repeat

import msgspec

from programme.exchange.readers.sheet.columns import find_fields, fold_heading
from programme.exchange.readers.sheet.layouts.cells import Role, is_day, is_evening, is_time
from programme.exchange.readers.sheet.layouts.layout import HEADINGS, Grid, Kind, Layout
from programme.exchange.readers.sheet.tables import Table, TableRow
from programme.exchange.text.when import split_moment

_DAYS, _PLACES = {"day", "festival_day"}, {"location", "room", "area"}
ROLES = {
    "title": Role.TITLE, "day": Role.DAY, "festival_day": Role.DAY, "weekday": Role.DAY, "start": Role.TIME,
    "end": Role.TIME, "end_day": Role.DAY, "duration": Role.TIME, "location": Role.PLACE, "room": Role.PLACE,
    "address": Role.PLACE, "area": Role.PLACE, "sub_area": Role.PLACE,
}  # fmt: skip
# The columns that are added for what stands elsewhere.
_DAY, _PLACE = HEADINGS[1], HEADINGS[4]


def find_blocks(headings: Sequence[str]) -> list[range]:
    """Return the columns of each table of those that stand side by side; one for any other sheet."""
    keys = [fold_heading(each) for each in headings]
    first = next((key for key in keys if key), "")
    begins = [place for place, key in enumerate(keys) if key and key == first]
    ends = [*begins[1:], len(keys)]
    blocks = [range(begin, end) for begin, end in zip(begins, ends, strict=True)]
    shapes = {tuple(filter(None, (keys[n] for n in block))) for block in blocks}
    # A table has more than one column.
    is_repeated = len(blocks) > 1 and len(shapes) == 1 and len(next(iter(shapes))) > 1
    return blocks if is_repeated else [range(len(keys))]


def find_sections(
    grid: Grid, rows: Sequence[int], *, has_day: bool, has_place: bool
) -> Iterator[tuple[int, Role]]:
    """Yield the rows with one cell alone that say the day, or the place, of the rows below them."""
    alone = [row for row in rows if len(grid.filled(row)) == 1]
    days = [row for row in alone if is_day(grid.line(row), grid.days)]
    if not has_day:
        yield from ((row, Role.DAY) for row in days)
    others = [row for row in alone if row not in days and not is_time(grid.line(row))]
    is_few = len(others) <= len(rows) - len(alone)
    if not has_place and is_few and all(_begins(grid, rows, row) for row in others):
        yield from ((row, Role.PLACE) for row in others)


def _begins(grid: Grid, rows: Sequence[int], row: int) -> bool:
    """Return whether a row with a text alone is the first of some with times."""
    following = rows[rows.index(row) + 1 :][:2]
    return any(any(is_time(grid.text(each, n)) for n in grid.filled(each)) for each in following)


class TableReader:
    """Reads the rows of a table below its headings, with the sections between them."""

    def __init__(self, grid: Grid, layout: Layout, heading: int) -> None:
        self.grid = grid
        self.layout = layout
        self.heading = heading
        day, place = grid.names(layout)
        self.headings = grid.rows[heading]
        self.blocks = find_blocks(self.headings)
        self.repeated = [row for row in grid.numbers if grid.rows[row] == self.headings]
        self.rows = [row for row in grid.numbers if row > heading and row not in self.repeated]
        first = [self.headings[n] for n in self.blocks[0]]
        self.fields = find_fields(first, [self._cells(row, self.blocks[0]) for row in self.rows])
        has_day, has_place = bool(_DAYS & {*self.fields}), bool(_PLACES & {*self.fields})
        self.day = "" if has_day or self._has_dates() else day
        self.place = "" if has_place else place
        rows = self.rows if len(self.blocks) == 1 else ()
        self.sections = dict(find_sections(grid, rows, has_day=has_day, has_place=has_place))
        self.sections |= {row: role for row in self.rows if (role := grid.role_of(layout, row))}
        # The rows between that each of several blocks has by itself.
        self.inside = {
            (row, block.start): role
            for block in self.blocks
            if len(self.blocks) > 1
            for row, role in self._find_inside(block)
        }
        self.added = [
            name
            for name, role, fixed in ((_DAY, Role.DAY, self.day), (_PLACE, Role.PLACE, self.place))
            if fixed
            or role in (*self.sections.values(), *self.inside.values())
            or any(self._find_title(block, role) for block in self.blocks)
        ]

    @property
    def is_plain(self) -> bool:
        """Whether it is read as it stands."""
        return not self.added and len(self.blocks) == 1 and not self.layout.rows

    def read(self) -> tuple[Table, Layout]:
        """Return the plain table, and its layout with all rows that say something."""
        headings = tuple(self.headings[n] for n in self.blocks[0])
        rows = [TableRow(self.heading, (*headings, *self.added))]
        for block in self.blocks:
            rows += self._read_block(block)
        for row in self.repeated:
            self.grid.mark_row(row, Role.HEADING)
        is_divided = {Role.DAY, Role.PLACE} & {*self.sections.values()}
        kind = Kind.BLOCKS if len(self.blocks) > 1 else Kind.SECTIONS if is_divided else Kind.TABLE
        name = Role.DAY if self.day else Role.PLACE if self.place else None
        table = msgspec.structs.replace(self.grid.table, rows=tuple(rows), merged=())
        named = {self.grid.key(row): role for row, role in self.sections.items()}
        return table, Layout(kind, rows=named | {self.grid.key(self.heading): Role.HEADING}, name=name)

    def _read_block(self, block: range) -> Iterator[TableRow]:
        titles = {role: self._find_title(block, role) for role in (Role.DAY, Role.PLACE)}
        current = {Role.DAY: titles[Role.DAY] or self.day, Role.PLACE: titles[Role.PLACE] or self.place}
        starts, places = (
            [n for n, field in enumerate(self.fields) if field in fields] for fields in ({"start"}, _PLACES)
        )
        late: set[str] = set()
        for row in self.rows:
            role = self.sections.get(row) or self.inside.get((row, block.start), Role.TITLE)
            cells = self._cells(row, block)
            late = set() if role is Role.DAY else late
            if role is not Role.TITLE and len(self.blocks) == 1:
                current[role] = self.grid.line(row, role)
                self.grid.mark_row(row, role)
            elif role is not Role.TITLE:
                current[role] = " ".join(filter(None, cells)) or current.get(role, "")
                for column in block:
                    self.grid.mark(row, column, role)
            elif any(cells):
                self._mark(row, block)
                more = {_DAY: current[Role.DAY], _PLACE: current[Role.PLACE]}
                place = " ".join([current[Role.PLACE], *(cells[n] for n in places)])
                late |= {place} if _DAY in self.added and any(is_evening(cells[n]) for n in starts) else set()
                yield TableRow(row, (*cells, *(more[name] for name in self.added)), place in late)

    def _cells(self, row: int, block: range) -> tuple[str, ...]:
        cells = self.grid.rows[row]
        own = (cells[n] if n < len(cells) else "" for n in block)
        return tuple(islice(chain(own, repeat("")), len(self.blocks[0])))

    def _mark(self, row: int, block: range) -> None:
        for place, column in enumerate(block):
            field = self.fields[place] if place < len(self.fields) else ""
            self.grid.mark(row, column, ROLES.get(field, Role.TEXT if field else Role.UNUSED))

    # --- What stands elsewhere

    def _has_dates(self) -> bool:
        starts = [n for n, field in enumerate(self.fields) if field == "start"]
        # A place alone in a row, such as “Hall 3”, is none.
        rows = [row for row in self.rows if len(self.grid.filled(row)) > 1]
        texts = [self._cells(row, self.blocks[0])[n] for row in rows for n in starts]
        return sum(bool(split_moment(text, self.grid.days)[0]) for text in texts) * 2 > len(texts)

    def _find_inside(self, block: range) -> Iterator[tuple[int, Role]]:
        """Yield the rows of a block with one text alone above one with a time: a day, or a place."""
        rows = [(row, texts) for row in self.rows if (texts := [*filter(None, self._cells(row, block))])]
        for (row, texts), (_row, following) in pairwise(rows):
            if len(texts) == 1 and not is_time(texts[0]) and any(map(is_time, following)):
                role, known = (Role.DAY, _DAYS) if is_day(texts[0], self.grid.days) else (Role.PLACE, _PLACES)
                if not known & {*self.fields}:
                    yield row, role

    def _find_title(self, block: range, role: Role) -> str:
        """Return the day, or the place, above the headings of a block."""
        above = [row for row in self.grid.numbers if row < self.heading]
        for row in reversed(above):
            if named := self.grid.role_of(self.layout, row):
                if named is role:
                    self.grid.mark_row(row, role)
                    return self.grid.line(row, role)
                continue
            for column in self.grid.filled(row):
                text = self.grid.text(row, column)
                is_role = is_day(text, self.grid.days) == (role is Role.DAY)
                is_above_block = len(self.blocks) > 1 and len(self.grid.filled(row)) > 1
                # As the others, which are above the same headings.
                is_section = (
                    Role.PLACE in self.sections.values() and len(self.repeated) > 1 and row == above[-1]
                )
                if column in block and is_role and (role is Role.DAY or is_above_block or is_section):
                    if role is Role.DAY and (_DAYS & {*self.fields} or self._has_dates()):
                        continue
                    self.grid.mark(row, column, role)
                    return text
        return ""
