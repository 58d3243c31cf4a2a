"""Reads lists without headings: which column is the time, the title, the place, is seen by their cells."""

from collections.abc import Iterator
from statistics import mean

from programme.exchange.readers.sheet.layouts.cells import Role, Slot, divide, is_day, is_time, look_at_all
from programme.exchange.readers.sheet.layouts.layout import Entry, Grid, Kind, Layout
from programme.exchange.text.when import split_days

_LEAST_ENTRIES, _LONGEST_TITLE, _LONGEST_PLACE = 3, 80, 60


def find_columns(grid: Grid) -> dict[int, Role]:
    """Return what the columns of a list are; nothing where no column has titles, or nothing has times."""
    rows = [row for row in grid.numbers if len(grid.filled(row)) > 1 or grid.width == 1]
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
    has_times = Role.TIME in found.values() or sum(bool(_divides(text)) for text in texts[title]) * 2 > len(
        texts[title]
    )
    return found if has_times and len(texts[title]) >= _LEAST_ENTRIES else {}


def _divides(text: str) -> bool:
    return any(slot.times for slot in divide(text))


class ListReader:
    """Reads the entries of a list; a row with a day alone, or a place, holds for those below it."""

    def __init__(self, grid: Grid, columns: dict[int, Role], day: str = "", place: str = "") -> None:
        self.grid = grid
        self.columns = columns
        self.day, self.place = day, place
        self.sections: dict[int, Role] = {}

    @property
    def layout(self) -> Layout:
        return Layout(Kind.LIST, rows=self.sections)

    def read(self) -> Iterator[Entry]:
        for row in self.grid.numbers:
            filled = self.grid.filled(row)
            if len(filled) == 1 and self._read_section(row, filled[0]):
                continue
            yield from self._read_row(row)

    def _read_section(self, row: int, column: int) -> bool:
        text = self.grid.text(row, column)
        if is_day(text, self.grid.days):
            self.day, self.sections[row] = text, Role.DAY
        elif not is_time(text) and not _divides(text):
            self.place, self.sections[row] = text, Role.PLACE
        else:
            return False
        self.grid.mark(row, column, self.sections[row])
        return True

    def _read_row(self, row: int) -> Iterator[Entry]:
        texts = {role: self._find(row, role) for role in (Role.DAY, Role.PLACE, Role.TEXT)}
        times = [self.grid.text(row, n) for n, role in self.columns.items() if role is Role.TIME]
        times = [*filter(None, times), "", ""]
        for column, role in self.columns.items():
            self.grid.mark(row, column, role)
        title = self._find(row, Role.TITLE)
        # Beside a time of its own a title keeps its numbers.
        for slot in [Slot(title)] if times[0] else divide(title):
            day, rest = split_days(slot.title) if not texts[Role.DAY] else ((), "")
            yield Entry(
                row,
                rest if day else slot.title,
                texts[Role.DAY] or (day[0] if day else self.day),
                times[0] or slot.times,
                times[1],
                texts[Role.PLACE] or self.place,
                "\n".join(filter(None, (slot.text, texts[Role.TEXT]))),
            )

    def _find(self, row: int, role: Role) -> str:
        found = (self.grid.text(row, n) for n, each in self.columns.items() if each is role)
        return next(filter(None, found), "")
