"""The layout of a sheet: what its columns, rows and name are, and the grid that shows every used cell."""

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import NamedTuple

import msgspec
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy

from feeds.names import fold
from programme.exchange.readers.sheet.layouts.cells import Role, cut_day, is_day
from programme.exchange.readers.sheet.tables import Table, TableRow

# The headings of what a layout is read to; those of a sheet's own columns stand before them.
HEADINGS = ("Titel", "Datum", "Start", "Slut", "Plats", "Beskrivning")
_LONGEST_KEY = 200
# Titles and places: `Jazz, Scenen`, `Saga, Röda Kvarn – med regissören`, `Jazz @ Scenen`, `Saga (Museet)`.
AFTER_COMMA = re.compile(r"(.+)(?:,| \|) ([^,|]{1,60}?)(?: [–—-] ([a-zåäö].*))?")
AT_PLACE = re.compile(r"(.+?)(?:,? \((?=[A-ZÅÄÖ])([^()]{1,60})\)|,? @ ?(\S.{0,59}))")
IN_BRACKETS = re.compile(r"(.+) \((?!\d)([^()]{1,60})\)")
# Before a line of a letter: points of a list, and the signs of what is quoted.
_BULLETS = re.compile(r"^(?:[>*•·‣▪●◦–—-]+\s*)+")


class Kind(TextChoices):
    """How a sheet is laid out."""

    TABLE = "table", gettext_lazy("a table")
    SECTIONS = "sections", gettext_lazy("a table with sections")
    BLOCKS = "blocks", gettext_lazy("tables side by side")
    GRID = "grid", gettext_lazy("a grid")
    LIST = "list", gettext_lazy("a table without headings")


class Layout(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a sheet is read, as it is recognized or as a person has said.

    `columns` are what the columns of a table are, if their headings do not say it. `rows` say what a row is,
    by its texts (`Grid.key`): those that no rule finds. Of a grid `down` is what its first column holds, and
    `across` what its heading row does. `name` is what the sheet's name is, if it counts.
    """

    kind: Kind = Kind.TABLE
    columns: dict[int, Role] = {}
    rows: dict[str, Role] = {}
    name: Role | None = None
    down: Role | None = None
    across: Role | None = None


class Entry(NamedTuple):
    """An occasion of a layout, with texts as they stand in the sheet, and the number of its row.

    `more` are the cells of columns that are read by their headings; `is_late` is that of the row.
    """

    row: int
    title: str
    day: str = ""
    start: str = ""
    end: str = ""
    place: str = ""
    text: str = ""
    more: tuple[str, ...] = ()
    is_late: bool = False

    @property
    def cells(self) -> tuple[str, ...]:
        """Its texts below `HEADINGS`."""
        return self.title, self.day, self.start, self.end, self.place, self.text


class Cell(NamedTuple):
    """A used cell by its row's number and its column, with its text and what it was read as."""

    row: int
    column: int
    text: str
    role: Role


class Unfolded(NamedTuple):
    """A sheet as a plain table, with its layout and what each used cell was read as.

    `rows` of the layout are all that say something for others, also those that a rule has found.
    """

    table: Table
    layout: Layout
    cells: tuple[Cell, ...] = ()


class Grid:
    """The cells of a sheet by row and column, where merged cells are one."""

    def __init__(self, table: Table, days: Collection[date] = ()) -> None:
        self.width = max((len(row.cells) for row in table.rows), default=0)
        self.table = table = _strip_bullets(table) if self.width == 1 else table
        self.days = days
        self.rows = {row.number: row.cells for row in table.rows}
        self.numbers = [row.number for row in table.rows]
        self.roles: dict[tuple[int, int], Role] = {}
        # Of each cell inside merged ones their first cell, and of that the last row and column.
        self.origins: dict[tuple[int, int], tuple[int, int]] = {}
        self.ends: dict[tuple[int, int], tuple[int, int]] = {}
        for first, left, last, right in table.merged:
            self.ends[first, left] = last, right
            for number in range(first, min(last, self.numbers[-1] if self.numbers else 0) + 1):
                for column in range(left, min(right, self.width) + 1):
                    self.origins[number, column] = first, left

    def text(self, row: int, column: int) -> str:
        """Return the text of a cell, of merged ones that of the first."""
        row, column = self.origins.get((row, column), (row, column))
        cells = self.rows.get(row, ())
        return cells[column] if column < len(cells) else ""

    def is_first(self, row: int, column: int) -> bool:
        return self.origins.get((row, column), (row, column)) == (row, column)

    def filled(self, row: int) -> list[int]:
        """Return the columns with a text of their own in a row."""
        return [n for n in range(self.width) if self.is_first(row, n) and self.text(row, n)]

    def column(self, column: int, rows: Sequence[int]) -> list[str]:
        return [text for row in rows if self.is_first(row, column) and (text := self.text(row, column))]

    def names(self, layout: Layout) -> tuple[str, str]:
        """Return the sheet's name as its day and as its place, '' for what it is not."""
        name = self.table.name
        return name if layout.name is Role.DAY else "", name if layout.name is Role.PLACE else ""

    def find_rows(self, layout: Layout, role: Role) -> list[int]:
        return [row for row in self.numbers if self.role_of(layout, row) is role]

    def role_of(self, layout: Layout, row: int) -> Role | None:
        """Return what a person has said that a row is."""
        return layout.rows.get(self.key(row)) if layout.rows else None

    def line(self, row: int, role: Role | None = None) -> str:
        """Return the texts of a row; of one that is a day, without what follows: “FREDAG – stora kvällen”."""
        text = " ".join(self.text(row, n) for n in self.filled(row))
        is_more = role is Role.DAY and not is_day(text, self.days)
        return (is_more and cut_day(text, self.days)[0]) or text

    def key(self, row: int) -> str:
        """Return what a row is found again by in the next version of the sheet: its texts."""
        return " · ".join(fold(self.text(row, n)) for n in self.filled(row))[:_LONGEST_KEY]

    def mark_row(self, row: int, role: Role) -> None:
        for column in self.filled(row):
            self.mark(row, column, role)

    def mark(self, row: int, column: int, role: Role) -> None:
        self.roles[self.origins.get((row, column), (row, column))] = role

    def list_cells(self) -> Iterator[Cell]:
        """Yield every used cell; what nothing was read from is unused."""
        for row in self.numbers:
            for column in self.filled(row):
                role = self.roles.get((row, column), Role.UNUSED)
                yield Cell(row, column, self.text(row, column), role)


def _strip_bullets(table: Table) -> Table:
    rows = [TableRow(row.number, tuple(_BULLETS.sub("", cell) for cell in row.cells)) for row in table.rows]
    kept = tuple(row for row in rows if any(row.cells))
    return table if kept == table.rows else msgspec.structs.replace(table, rows=kept)


def cut_places(entries: list[Entry], pattern: re.Pattern[str]) -> list[Entry]:
    """Return entries with the places, and the texts, that stand behind most titles of those without one."""
    parts = [None if each.place else pattern.fullmatch(each.title) for each in entries]
    if sum(map(bool, parts)) * 2 <= sum(not each.place for each in entries):
        return entries
    return [
        each._replace(
            title=part[1], place=part[2], text="\n".join(filter(None, (*part.groups()[2:], each.text)))
        )
        if part
        else each
        for each, part in zip(entries, parts, strict=True)
    ]


def cut_lines(entries: list[Entry]) -> list[Entry]:
    """Return the entries of lines with their places: in brackets, behind an @, or behind most last commas."""
    found = []
    for each in entries:
        part = None if each.place else AT_PLACE.fullmatch(each.title)
        found.append(each._replace(title=part[1], place=part[2] or part[3]) if part else each)
    return found if any(each.place for each in entries) else cut_places(found, AFTER_COMMA)


def build_table(table: Table, entries: Sequence[Entry], more: Sequence[str] = ()) -> Table:
    """Return entries as a plain table with the headings of a programme, and those of further columns.

    Beside these an empty one could hide theirs.
    """
    fixed = [n for n in range(len(HEADINGS)) if not more or any(each.cells[n] for each in entries)]
    rows = [
        TableRow(each.row, (*(each.cells[n] for n in fixed), *each.more), each.is_late) for each in entries
    ]
    first = min((each.row for each in entries), default=1)
    headings = TableRow(first - 1, (*(HEADINGS[n] for n in fixed), *more))
    return msgspec.structs.replace(table, rows=(headings, *rows), merged=())
