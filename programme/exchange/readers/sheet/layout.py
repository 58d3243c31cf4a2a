"""The layout of a sheet: what its columns, rows and name are, and the cells that it is found by."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

import msgspec
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy

from feeds.names import fold
from programme.exchange.readers.sheet.said import Use
from programme.exchange.readers.sheet.tables import Table
from programme.exchange.text.times import list_times
from programme.exchange.text.when import find_weekday, split_days

_LONGEST_KEY = 200


class Meaning(TextChoices):
    """What a used cell of a sheet is, or what the cells of a column or a row are."""

    DAY = "day", gettext_lazy("day")
    TIME = "time", gettext_lazy("time")
    PLACE = "place", gettext_lazy("place")
    TITLE = "title", gettext_lazy("title")
    TEXT = "text", gettext_lazy("text")
    HEADING = "heading", gettext_lazy("heading")
    UNUSED = "unused", gettext_lazy("not used")


class Kind(TextChoices):
    """How a sheet is laid out."""

    TABLE = "table", gettext_lazy("a table")
    SECTIONS = "sections", gettext_lazy("a table with sections")
    BLOCKS = "blocks", gettext_lazy("a table with columns for each place")
    GRID = "grid", gettext_lazy("a grid")
    LIST = "list", gettext_lazy("a table without headings")


class Layout(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a sheet is read, as it is recognized or as a person has said.

    `columns` are what the columns are, if their headings do not say it. `rows` say what a row is,
    by its texts (`Grid.key`): those that no rule finds. Of a grid `down` is what its first column holds, and
    `across` what its heading row does. `name` is what the sheet's name is, if it counts.
    """

    kind: Kind = Kind.TABLE
    columns: dict[int, Use] = {}
    rows: dict[str, Meaning] = {}
    name: Meaning | None = None
    down: Meaning | None = None
    across: Meaning | None = None

    def leaves(self, column: int) -> bool:
        """Return whether nothing is read of a column."""
        return column in self.columns and not self.columns[column].fields


# What the cells of a field are; those of others are texts.
MEANINGS = {
    "title": Meaning.TITLE,
    **dict.fromkeys(("day", "festival_day", "weekday", "end_day"), Meaning.DAY),
    **dict.fromkeys(("start", "end", "duration"), Meaning.TIME),
    **dict.fromkeys(("location", "room", "address", "area", "sub_area"), Meaning.PLACE),
}


def find_role(field: str) -> Meaning:
    return MEANINGS.get(field, Meaning.TEXT if field else Meaning.UNUSED)


class Cell(NamedTuple):
    """A used cell by its row's number and its column, with its text and what it was read as."""

    row: int
    column: int
    text: str
    role: Meaning


class Unfolded(NamedTuple):
    """A sheet as a plain table, with its layout and what each used cell was read as.

    `rows` of the layout are all that say something for others, also those that a rule has found.
    """

    table: Table
    layout: Layout
    cells: tuple[Cell, ...] = ()


# --- Cells by themselves


def is_time(text: str) -> bool:
    return bool(list_times(text))


def is_day(text: str, days: Collection[date] = ()) -> bool:
    """Return whether a text is a day, or days, and nothing else: 12.10–13.10 are times, 45000 is a sum."""
    if is_time(text):
        return False
    found, rest = split_days(text, days)
    is_sum = text.isdecimal() and found[:1] not in [(str(day),) for day in days]
    return bool(found) and not rest and not is_sum


def look(text: str, days: Collection[date] = ()) -> Meaning:
    """Return what a text is by itself: a day, a time, or a text of any kind."""
    return Meaning.TIME if is_time(text) else Meaning.DAY if is_day(text, days) else Meaning.TEXT


def look_at_all(texts: Iterable[str], days: Collection[date] = ()) -> Meaning | None:
    """Return what more than half of some cells are, None if they are different or empty."""
    counts = Counter(look(text, days) for text in texts if text)
    usual = [role for role, count in counts.items() if count * 2 > counts.total()]
    return usual[0] if usual else None


class Grid:
    """The cells of a sheet by row and column, where merged cells are one."""

    def __init__(self, table: Table, days: Collection[date] = ()) -> None:
        self.width = max((len(row.cells) for row in table.rows), default=0)
        self.table = table
        self.days = days
        self.rows = {row.number: row.cells for row in table.rows}
        self.struck = {(row.number, column) for row in table.rows for column in row.struck}
        self.numbers = [row.number for row in table.rows]
        self.roles: dict[tuple[int, int], Meaning] = {}
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
        return name if layout.name is Meaning.DAY else "", name if layout.name is Meaning.PLACE else ""

    def find_rows(self, layout: Layout, role: Meaning) -> list[int]:
        return [row for row in self.numbers if self.role_of(layout, row) is role]

    def role_of(self, layout: Layout, row: int) -> Meaning | None:
        """Return what a person has said that a row is."""
        return layout.rows.get(self.key(row)) if layout.rows else None

    def line(self, row: int, role: Meaning | None = None) -> str:
        """Return the texts of a row; of one that is a day, this alone: “FREDAG – stora kvällen”."""
        text = " ".join(self.text(row, n) for n in self.filled(row))
        if role is not Meaning.DAY or is_day(text, self.days):
            return text
        words = text.split(" ")
        starts = (" ".join(words[:size]).strip(" ,:–-") for size in range(len(words) - 1, 0, -1))
        return next((each for each in starts if is_day(each, self.days)), self._find_end(words) or text)

    def _find_end(self, words: Sequence[str]) -> str:
        """Return the weekday with its date that ends a title, unless the sheet's name is another day."""
        named = (
            (n, day) for n, word in enumerate(words) if (day := find_weekday(word.strip(","))) is not None
        )
        first, weekday = next(named, (0, None))
        text, name = " ".join(words[first:]), self.table.name
        is_date = len(split_days(text, self.days)[0]) == 1 and any(map(str.isdigit, text))
        is_other = is_day(name, self.days) and find_weekday(name) != weekday
        return text if is_date and is_day(text, self.days) and not is_other else ""

    def key(self, row: int) -> str:
        """Return what a row is found again by in the next version of the sheet: its texts."""
        return " · ".join(fold(self.text(row, n)) for n in self.filled(row))[:_LONGEST_KEY]

    def mark_row(self, row: int, role: Meaning) -> None:
        for column in self.filled(row):
            self.mark(row, column, role)

    def mark(self, row: int, column: int, role: Meaning) -> None:
        self.roles[self.origins.get((row, column), (row, column))] = role

    def list_cells(self) -> Iterator[Cell]:
        """Yield every used cell; what nothing was read from is unused."""
        for row in self.numbers:
            for column in self.filled(row):
                role = self.roles.get((row, column), Meaning.UNUSED)
                yield Cell(row, column, self.text(row, column), role)
