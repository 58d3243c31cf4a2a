"""Finds what the cells of a sheet say of a date, and names dates and rows in words."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from django.utils.translation import ngettext

from feeds import wording
from programme.exchange.questions import Question
from programme.exchange.text.times import LOOKED_AT, list_cell_times
from programme.exchange.text.when import SLASHED, build_date, find_weekday, read_point, split_weekday
from programme.exchange.workbook import WorkbookSheet, locate_row
from programme.models.dates import editor_language

_MONTHS = 12

MonthDay = tuple[int, int]


class Order(StrEnum):
    """Which comes first where a date is written 9/12/2026."""

    DAY = "day"
    MONTH = "month"


class SlashedDate(msgspec.Struct, frozen=True):
    """A date as `9/12/2026` has it."""

    first: int
    second: int
    year: int

    def __str__(self) -> str:
        return f"{self.first}/{self.second}/{self.year}"

    @property
    def stated(self) -> Order | None:
        """The only order in which it is a date; None if both are, or neither."""
        found = [order for order in Order if self.read(order)]
        return found[0] if len(found) == 1 else None

    @property
    def is_open(self) -> bool:
        return self.first != self.second and max(self.first, self.second) <= _MONTHS

    def read(self, order: Order) -> date | None:
        day, month = (self.first, self.second) if order is Order.DAY else (self.second, self.first)
        return build_date(self.year, month, day)


# A date that leaves something open: its order, its year, or all but its weekday (Monday is 0).
OpenDate = SlashedDate | MonthDay | int


class DateCell(msgspec.Struct, frozen=True):
    """What a cell says of a date: a whole one or an open one, and what follows it."""

    weekday: int | None = None
    open: OpenDate | None = None
    whole: date | None = None
    rest: str = ""


class Settled(NamedTuple):
    """How open dates of one kind are read, the question about them, and what the report says of them."""

    dates: Mapping[Any, date] = {}
    question: Question | None = None
    remark: str = ""


class DateText(msgspec.Struct, frozen=True):
    """A cell of a row by its field; the weekday may stand in a column of its own."""

    row: int
    field: str
    text: str
    cell: DateCell
    weekday: int | None


@lru_cache(maxsize=4096)
def parse_cell(text: str) -> DateCell | None:
    """Return what a cell says of a date, which a time may follow; None for any other."""
    words, line = split_weekday(text) if len(text) <= LOOKED_AT else ([], "")
    weekday = find_weekday(words[0], may_be_short=True) if words else None
    if not line:
        return DateCell(weekday, weekday) if len(words) == 1 else None
    point = None if list_cell_times(line) else read_point(line)
    day, rest = point and point.find(), line[len(point.text) :].strip(" ,") if point else ""
    if point is None or day is None or (rest and not list_cell_times(rest)):
        return None
    if point.year is None:
        return DateCell(weekday, (day.month, day.day), rest=rest)
    if SLASHED.fullmatch(point.text):
        first, second, _year = map(int, point.text.split("/"))
        return DateCell(weekday, SlashedDate(first, second, point.year), rest=rest)
    return DateCell(weekday, whole=day, rest=rest)


def read_weekday(text: str) -> int | None:
    """Return the number of a weekday that stands alone, Monday's is 0."""
    cell = parse_cell(text)
    return cell.open if cell and isinstance(cell.open, int) else None


_MOST_ROWS = 15


def format_date(day: date) -> str:
    return wording.format_date(day, editor_language())


def format_weekday(weekday: int) -> str:
    return wording.WORDS[editor_language()].days_short[weekday]


def format_full_date(day: date) -> str:
    return wording.format_full_date(day, editor_language())


def format_span(days: Collection[date]) -> str:
    first, last = min(days), max(days)
    return format_date(first) if first == last else f"{format_date(first)} – {format_date(last)}"


def list_years(days: Iterable[date]) -> str:
    """Return `2026`, or `2026–2027` of days in both."""
    years = sorted({day.year for day in days})
    return "–".join(map(str, dict.fromkeys((years[0], years[-1]))))


def format_rows(numbers: Iterable[int], sheets: Sequence[WorkbookSheet] = ()) -> str:
    """Return `rows 3, 5–9, 12`, the first of them if there are many, after the name of a sheet of several."""
    by_sheet: dict[str, set[int]] = {}
    for sheet, row in (locate_row(sheets, number) for number in sorted(numbers)):
        by_sheet.setdefault(sheet, set()).add(row)
    return "; ".join(
        f"{sheet}, {_format_rows(rows)}" if sheet else _format_rows(rows) for sheet, rows in by_sheet.items()
    )


def _format_rows(numbers: Collection[int]) -> str:
    # Numbers that follow on each other are as far from their places.
    runs = groupby(enumerate(sorted(numbers)), lambda each: each[1] - each[0])
    spans = [[number for _place, number in run] for _apart, run in runs]
    named = ["–".join(map(str, dict.fromkeys((run[0], run[-1])))) for run in spans]
    listed = ", ".join([*named[:_MOST_ROWS], *(["…"] if len(named) > _MOST_ROWS else [])])
    return ngettext("row %(rows)s", "rows %(rows)s", len(numbers)) % {"rows": listed}
