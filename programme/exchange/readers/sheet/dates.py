"""Settles what the dates of a sheet leave open: their year, and whether day or month comes first."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

import msgspec

from programme.exchange.questions import Question, find_unanswered
from programme.exchange.readers.sheet.date_cells import DateText, find_slashed, parse_cell
from programme.exchange.readers.sheet.date_order import DateOrder, settle_order
from programme.exchange.readers.sheet.date_words import format_rows
from programme.exchange.readers.sheet.weekdays import parse_weekday
from programme.exchange.readers.sheet.years import KnownDates, Years, settle_years
from programme.exchange.values import ImportDefaults
from programme.exchange.workbook import WorkbookSheet

# Fields that hold a date; those of the start may have their weekday in a column of its own.
DATED = ("day", "festival_day", "start", "end_day", "end")
_OF_START = ("day", "festival_day", "start")
WEEKDAY = "weekday"


class SheetDates(msgspec.Struct, frozen=True):
    """How the dates of a file are read."""

    order: DateOrder = DateOrder()
    years: Years = Years()
    sheets: Sequence[WorkbookSheet] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.years.remark, self.order.remark)))

    @property
    def are_settled(self) -> bool:
        return not find_unanswered(self.questions)

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(each for each in (self.order.question, self.years.question) if each)

    def name_rows(self, numbers: Iterable[int]) -> str:
        return format_rows(numbers, self.sheets)

    def complete(self, text: str) -> str:
        """Return a text with its dates written as 2026-09-12; what remains open stays as it is."""
        cell = parse_cell(text) if text else None
        if cell is None:
            return text
        if cell.slashed:
            return self._write_slashed(cell.text)
        if cell.month_day:
            day = self.years.dates.get(cell.month_day)
            return f"{day}{cell.rest}" if day else text
        return cell.text

    def find(self, each: DateText) -> date | None:
        cell = each.cell
        if cell.slashed:
            return self.order.read(cell.slashed)
        return self.years.dates.get(cell.month_day) if cell.month_day else cell.whole

    def is_open(self, text: str) -> bool:
        """Return whether a text has a date that may be two, in a file that has both orders."""
        return self.order.order is None and any(slashed.is_open for slashed, _match in find_slashed(text))

    def _write_slashed(self, text: str) -> str:
        for slashed, match in reversed(list(find_slashed(text))):
            if day := self.order.read(slashed):
                text = f"{text[: match.start()]}{day}{text[match.end() :]}"
        return text


def list_date_texts(rows: Iterable[tuple[int, Mapping[str, str]]]) -> list[DateText]:
    """Return the cells with dates of rows, each of which has a number and texts by fields."""
    found = []
    for number, texts in rows:
        beside = parse_weekday(texts.get(WEEKDAY, ""))
        for field in DATED:
            if (text := texts.get(field)) and (cell := parse_cell(text)):
                weekday = beside if cell.weekday is None and field in _OF_START else cell.weekday
                found.append(DateText(number, field, text, cell, weekday))
    return found


def settle_dates(
    texts: list[DateText], defaults: ImportDefaults, sheets: Sequence[WorkbookSheet] = ()
) -> SheetDates:
    order = settle_order(texts, defaults, sheets)
    stated = [day for each in texts if (day := SheetDates(order).find(each))]
    known = KnownDates(stated, defaults.days, defaults.today)
    return SheetDates(order, settle_years(texts, known, defaults.answers), sheets)
