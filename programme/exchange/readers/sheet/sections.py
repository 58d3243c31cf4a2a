"""Reads tables whose day or place stands in rows between, above them, or in the sheet's name."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from programme.exchange.readers.sheet.columns import find_fields, fold_heading
from programme.exchange.readers.sheet.layout import HEADINGS, Grid, Kind, Layout, Role, is_day, is_time
from programme.exchange.readers.sheet.tables import Table, TableRow
from programme.exchange.text.when import split_moment

_DAYS, _PLACES = {"day", "festival_day"}, {"location", "room", "area"}
ROLES = {
    "title": Role.TITLE, "day": Role.DAY, "festival_day": Role.DAY, "weekday": Role.DAY, "start": Role.TIME,
    "end": Role.TIME, "end_day": Role.DAY, "duration": Role.TIME, "location": Role.PLACE, "room": Role.PLACE,
    "address": Role.PLACE, "area": Role.PLACE, "sub_area": Role.PLACE,
}  # fmt: skip
# A column that is pointed at takes the place of the one with this field.
_REPLACED = {
    Role.TITLE: "title", Role.DAY: "day", Role.TIME: "start", Role.END: "end", Role.PLACE: "location",
}  # fmt: skip
_JOINS = {Role.PLACE: ", ", Role.TEXT: "\n"}
# "Hauptbühne_Titel": a place, and what the column is there.
_OF_PLACE = re.compile(r"(.+?)\s*[_:|–—/]\s*([^_:|–—/]+)")


def find_places_in_headings(headings: Sequence[str]) -> dict[str, dict[int, str]]:
    """Return the columns of each place of headings such as `Pool_Titel`, `Pool_Typ`, with their own headings.

    All places have the same columns, and a title.
    """
    found: dict[str, dict[int, str]] = defaultdict(dict)
    for number, heading in enumerate(headings):
        if match := _OF_PLACE.fullmatch(heading):
            found[match[1]][number] = match[2]
    shapes = {tuple(map(fold_heading, each.values())) for each in found.values()}
    is_alike = len(found) > 1 and len(shapes) == 1 and len(next(iter(shapes))) > 1
    if not is_alike or "title" not in find_fields(list(next(iter(found.values())).values())):
        return {}
    # "Swedish title" and "Swedish text" are of no place.
    whole = (headings[number] for block in found.values() for number in block)
    known = {*find_fields([*whole])} | {field for name in found for field in find_fields([name])}
    return dict(found) if known <= {"", *_PLACES} else {}


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
    """Reads the rows of a table below its headings, if it has any, with the sections between them."""

    def __init__(self, grid: Grid, layout: Layout, heading: int | None) -> None:
        self.grid = grid
        self.layout = layout
        self.heading = heading
        own = () if heading is None else grid.rows[heading]
        self.repeated = [row for row in grid.numbers if own and grid.rows[row] == own]
        below = (row for row in grid.numbers if heading is None or row > heading)
        self.rows = [row for row in below if row not in self.repeated]
        self.joined: dict[int, list[int]] = {}
        self.headings = self._name_columns([*own, *[""] * (grid.width - len(own))])
        self.blocks = find_places_in_headings(self.headings)
        in_blocks = {*chain.from_iterable(self.blocks.values())}
        self.shared = [n for n in range(grid.width) if n not in in_blocks]
        # Of several blocks those of the first.
        self.columns = {n: self.headings[n] for n in self.shared} | next(iter(self.blocks.values()), {})
        cells = [[self._cell(row, n) for n in self.columns] for row in self.rows]
        self.fields = dict(zip(self.columns, find_fields([*self.columns.values()], cells), strict=True))
        day, place = grid.names(layout)
        has_day = bool(_DAYS & {*self.fields.values()}) or self._has_dates()
        has_place = bool(_PLACES & {*self.fields.values()} or self.blocks)
        self.sections = dict(find_sections(grid, self.rows, has_day=has_day, has_place=has_place))
        named = {row: role for row in grid.numbers if (role := grid.role_of(layout, row))}
        self.sections |= {row: role for row, role in named.items() if row in self.rows}
        above = [row for row in grid.numbers if heading is not None and row < heading]
        self.day = "" if has_day else self._find_above(above, Role.DAY) or day
        self.place = "" if has_place else self._find_above(above, Role.PLACE) or place
        said = {*self.sections.values()}
        self.has_days = bool(self.day) or Role.DAY in said
        self.has_places = bool(self.place or self.blocks) or Role.PLACE in said

    @property
    def is_plain(self) -> bool:
        """Whether it is read as it stands."""
        return not (self.has_days or self.has_places or self.layout.rows or self.layout.columns)

    def read(self) -> tuple[Table, Layout]:
        """Return the plain table, and its layout with all rows that say something."""
        added = [HEADINGS[Role.DAY]] * self.has_days + [HEADINGS[Role.PLACE]] * self.has_places
        number = self.rows[0] - 1 if self.heading is None and self.rows else self.heading or 0
        rows = [TableRow(number, (*self.columns.values(), *added)), *self._read_rows()]
        for row in self.repeated:
            self.grid.mark_row(row, Role.HEADING)
        is_divided = {Role.DAY, Role.PLACE} & {*self.sections.values()}
        kind = Kind.BLOCKS if self.blocks else Kind.SECTIONS if is_divided else Kind.TABLE
        kind = Kind.LIST if self.heading is None else kind
        day, place = self.grid.names(self.layout)
        name = Role.DAY if day and self.day == day else Role.PLACE if place and self.place == place else None
        said = (each for each in self.sections.items() if each[1] is not Role.TITLE)
        named: dict[str, Role] = {self.grid.key(row): role for row, role in said}
        if self.heading is not None:
            named[self.grid.key(self.heading)] = Role.HEADING
        return replace(self.grid.table, rows=tuple(rows), merged=()), Layout(
            kind, self.layout.columns, named, name
        )

    def _name_columns(self, headings: list[str]) -> list[str]:
        """Return the headings, where columns were pointed at those of what they are."""
        roles = dict(self.layout.columns)
        times = [n for n, role in roles.items() if role is Role.TIME]
        if Role.END not in roles.values():
            roles |= dict.fromkeys(times[1:2], Role.END)
        replaced = {field for role, field in _REPLACED.items() if role in roles.values()}
        cells = [self.grid.rows[row] for row in self.rows]
        for number, field in enumerate(find_fields(headings, cells) if roles else ()):
            headings[number] = "" if field in replaced else headings[number]
        first: dict[Role, int] = {}
        for number, role in sorted(roles.items()):
            if number < len(headings):
                self.joined.setdefault(first.setdefault(role, number), []).append(number)
                headings[number] = HEADINGS.get(role, "") if first[role] == number else ""
        return headings

    def _read_rows(self) -> Iterator[TableRow]:
        day, place = self.day, self.place
        for row in self.rows:
            role = self.sections.get(row, Role.TITLE)
            if role is Role.TITLE:
                yield from self._read_row(row, day, place)
                continue
            self.grid.mark_row(row, role)
            day = self.grid.line(row, role) if role is Role.DAY else day
            place = self.grid.line(row, role) if role is Role.PLACE else place

    def _read_row(self, row: int, day: str, place: str) -> Iterator[TableRow]:
        for name, block in self.blocks.items() or [("", dict[int, str]())]:
            columns = [*self.shared, *block]
            cells = [self._join(row, column) for column in columns]
            if not any(cells[len(self.shared) :] if block else cells):
                continue
            for column, field in zip(columns, self.fields.values(), strict=True):
                of_column = self.layout.columns.get(column)
                role = of_column or ROLES.get(field, Role.TEXT if field else Role.UNUSED)
                self.grid.mark(row, column, role)
            added = [day] * self.has_days + [name or place] * self.has_places
            struck = tuple(n for n, column in enumerate(columns) if (row, column) in self.grid.struck)
            yield TableRow(row, (*cells, *added), struck, shares_day=self.has_days)

    def _cell(self, row: int, column: int) -> str:
        cells = self.grid.rows[row]
        return cells[column] if column < len(cells) else ""

    def _join(self, row: int, column: int) -> str:
        """Return the text of a column, and of those that are the same by what was pointed at."""
        texts = filter(None, (self._cell(row, n) for n in self.joined.get(column, [column])))
        return _JOINS.get(self.layout.columns.get(column, Role.TITLE), " ").join(texts)

    # --- What stands elsewhere

    def _has_dates(self) -> bool:
        """Return whether most starts have their date."""
        starts = [n for n, field in self.fields.items() if field == "start"]
        rows = [row for row in self.rows if len(self.grid.filled(row)) > 1]
        texts = [text for n in starts for text in self.grid.column(n, rows)]
        return sum(bool(split_moment(text, self.grid.days)[0]) for text in texts) * 2 > len(texts)

    def _find_above(self, above: Sequence[int], wanted: Role) -> str:
        """Return the day, or the place, that a row above the headings says."""
        for row in reversed(above):
            role, text = self.grid.role_of(self.layout, row), self.grid.line(row, wanted)
            if role is None and len(self.grid.filled(row)) == 1:
                is_place = (
                    len(self.repeated) > 1 and row == above[-1] and Role.PLACE in self.sections.values()
                )
                is_said = is_day(text, self.grid.days)
                role = Role.DAY if is_said else Role.PLACE if is_place else None
            if role is wanted:
                self.grid.mark_row(row, role)
                return text
        return ""
