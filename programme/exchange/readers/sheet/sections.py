"""Reads tables whose day or place stands in rows between, above them, or in the sheet's name."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from programme.exchange.readers.sheet.columns import find_fields, fold_heading, name_field
from programme.exchange.readers.sheet.layout import Grid, Kind, Layout, Meaning, find_role, is_day, is_time
from programme.exchange.readers.sheet.said import list_fields
from programme.exchange.readers.sheet.tables import Table, TableRow
from programme.exchange.text.when import split_moment
from programme.exchange.values import group_by

_LEAST_BLOCKS = 2
_DAYS, _PLACES = {"day", "festival_day"}, {"location", "room", "area"}
# The headings of columns that are added.
_DAY, _PLACE = "Datum", "Plats"
# "Hauptbühne_Titel": a place, and what the column is there.
_OF_PLACE = re.compile(r"(.+?)\s*[_:|–—/]\s*([^_:|–—/]+)")


def split_heading(heading: str) -> tuple[str, str]:
    """Return the place in a heading, '' without any, and the rest."""
    match = _OF_PLACE.fullmatch(heading)
    return (match[1], match[2]) if match else ("", heading)


def find_places_in_headings(headings: Sequence[str]) -> dict[str, dict[int, str]]:
    """Return the columns of each place of headings such as `Pool_Titel`, `Pool_Typ`, with their own headings.

    All places have the same columns, and a title.
    """
    found: dict[str, dict[int, str]] = defaultdict(dict)
    for number, heading in enumerate(headings):
        place, rest = split_heading(heading)
        if place:
            found[place][number] = rest
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
) -> Iterator[tuple[int, Meaning]]:
    """Yield the rows with one cell alone that say the day, or the place, of the rows below them."""
    alone = [row for row in rows if len(grid.filled(row)) == 1]
    days = [row for row in alone if is_day(grid.line(row), grid.days)]
    if not has_day:
        yield from ((row, Meaning.DAY) for row in days)
    others = [row for row in alone if row not in days and not is_time(grid.line(row))]
    is_few = len(others) <= len(rows) - len(alone)
    if not has_place and is_few and all(_begins(grid, rows, row) for row in others):
        yield from ((row, Meaning.PLACE) for row in others)


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
        above = [row for row in grid.numbers if heading is not None and row < heading]
        self.headings = [*own, *[""] * (grid.width - len(own))]
        self.blocks = self._find_blocks(above[-1:]) or [*find_places_in_headings(self.headings).items()]
        in_blocks = {*chain.from_iterable(block for _name, block in self.blocks)}
        self.shared = [n for n in range(grid.width) if n not in in_blocks]
        # Of several blocks those of the first.
        self.columns = {n: self.headings[n] for n in self.shared} | dict(
            self.blocks[0][1] if self.blocks else {}
        )
        for number, use in layout.columns.items():
            if use.fields and not self.columns.get(number, use):
                self.columns[number] = name_field(use.fields[0])
        self.uses = [layout.columns.get(n) for n in self.columns]
        cells = [[self._cell(row, n) for n in self.columns] for row in self.rows]
        fields = find_fields([*self.columns.values()], cells, list_fields(self.uses))
        self.fields = dict(zip(self.columns, fields, strict=True))
        day, place = grid.names(layout)
        known = {*self.fields.values(), *chain.from_iterable(use.fields for use in self.uses if use)}
        has_day = bool(_DAYS & known) or self._has_dates()
        has_place = bool(_PLACES & known or self.blocks)
        self.sections = dict(find_sections(grid, self.rows, has_day=has_day, has_place=has_place))
        named = {row: role for row in grid.numbers if (role := grid.role_of(layout, row))}
        self.sections |= {row: role for row, role in named.items() if row in self.rows}
        self.day = "" if has_day else self._find_above(above, Meaning.DAY) or day
        self.place = "" if has_place else self._find_above(above, Meaning.PLACE) or place
        said = {*self.sections.values()}
        self.has_days = bool(self.day) or Meaning.DAY in said
        self.has_places = bool(self.place or self.blocks) or Meaning.PLACE in said

    @property
    def is_plain(self) -> bool:
        """Whether it is read as it stands."""
        return not (self.has_days or self.has_places or self.layout.rows or self.layout.columns)

    def read(self) -> tuple[Table, Layout]:
        """Return the plain table, and its layout with all rows that say something."""
        added = [_DAY] * self.has_days + [_PLACE] * self.has_places
        number = self.rows[0] - 1 if self.heading is None and self.rows else self.heading or 0
        rows = [TableRow(number, (*self.columns.values(), *added)), *self._read_rows()]
        for row in self.repeated:
            self.grid.mark_row(row, Meaning.HEADING)
        is_divided = {Meaning.DAY, Meaning.PLACE} & {*self.sections.values()}
        kind = Kind.BLOCKS if self.blocks else Kind.SECTIONS if is_divided else Kind.TABLE
        kind = Kind.LIST if self.heading is None else kind
        used: dict[Meaning | None, str] = {Meaning.DAY: self.day, Meaning.PLACE: self.place}
        name = self.grid.table.name
        is_named = bool(name) and used.get(self.layout.name) == name
        said = (each for each in self.sections.items() if each[1] is not Meaning.TITLE)
        named: dict[str, Meaning] = {self.grid.key(row): role for row, role in said}
        if self.heading is not None:
            named[self.grid.key(self.heading)] = Meaning.HEADING
        table = replace(self.grid.table, rows=tuple(rows), merged=(), heading=0, uses=tuple(self.uses))
        return table, Layout(kind, self.layout.columns, named, self.layout.name if is_named else None)

    def _find_blocks(self, above: Sequence[int]) -> list[tuple[str, dict[int, str]]]:
        """Return the columns of each place, if several are said to be the title: what repeats as often."""
        columns = group_by(sorted(self.layout.columns), lambda n: self.layout.columns[n].fields)
        titles = next((found for fields, found in columns.items() if "title" in fields), [])
        if len(titles) < _LEAST_BLOCKS:
            return []
        repeated = [found for fields, found in columns.items() if fields and len(found) == len(titles)]
        blocks = [sorted(found[place] for found in repeated) for place in range(len(titles))]
        return [
            (self._name_block(title, block[0], above), {n: split_heading(self.headings[n])[1] for n in block})
            for title, block in zip(titles, blocks, strict=True)
        ]

    def _name_block(self, title: int, first: int, above: Sequence[int]) -> str:
        """Return the place of some columns: from their heading, or above it."""
        names = (self.grid.text(row, n) for row in above for n in range(first, title + 1))
        return split_heading(self.headings[title])[0] or next(filter(None, names), self.headings[title])

    def _read_rows(self) -> Iterator[TableRow]:
        day, place = self.day, self.place
        for row in self.rows:
            role = self.sections.get(row, Meaning.TITLE)
            if role is Meaning.TITLE:
                yield from self._read_row(row, day, place)
                continue
            self.grid.mark_row(row, role)
            day = self.grid.line(row, role) if role is Meaning.DAY else day
            place = self.grid.line(row, role) if role is Meaning.PLACE else place

    def _read_row(self, row: int, day: str, place: str) -> Iterator[TableRow]:
        for name, block in self.blocks or [("", dict[int, str]())]:
            columns = [*self.shared, *block]
            cells = [self._cell(row, column) for column in columns]
            if not any(cells[len(self.shared) :] if block else cells):
                continue
            for column, field in zip(columns, self.fields.values(), strict=True):
                self.grid.mark(row, column, find_role(field))
            added = [day] * self.has_days + [name or place] * self.has_places
            struck = tuple(n for n, column in enumerate(columns) if (row, column) in self.grid.struck)
            yield TableRow(row, (*cells, *added), struck, shares_day=self.has_days)

    def _cell(self, row: int, column: int) -> str:
        cells = self.grid.rows[row]
        return cells[column] if column < len(cells) else ""

    # --- What stands elsewhere

    def _has_dates(self) -> bool:
        """Return whether most starts have their date."""
        starts = [n for n, field in self.fields.items() if field == "start"]
        rows = [row for row in self.rows if len(self.grid.filled(row)) > 1]
        texts = [text for n in starts for text in self.grid.column(n, rows)]
        return sum(bool(split_moment(text, self.grid.days)[0]) for text in texts) * 2 > len(texts)

    def _find_above(self, above: Sequence[int], wanted: Meaning) -> str:
        """Return the day, or the place, that a row above the headings says."""
        for row in reversed(above):
            role, text = self.grid.role_of(self.layout, row), self.grid.line(row, wanted)
            if role is None and len(self.grid.filled(row)) == 1:
                is_place = (
                    len(self.repeated) > 1 and row == above[-1] and Meaning.PLACE in self.sections.values()
                )
                is_said = is_day(text, self.grid.days)
                role = Meaning.DAY if is_said else Meaning.PLACE if is_place else None
            if role is wanted:
                self.grid.mark_row(row, role)
                return text
        return ""
