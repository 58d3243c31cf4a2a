"""Reads CSV files, and sheets of workbooks, as rows of text."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any, NoReturn

import msgspec
from django.conf import settings
from django.utils.translation import gettext as _

from feeds.formulas import restore_formula
from programme.exchange.readers.sheet.bombs import FILLED, describe_limit
from programme.exchange.readers.sheet.columns import find_fields
from programme.exchange.readers.sheet.filled import Merged, refuse_row
from programme.exchange.text.lines import decode_text
from programme.exchange.time_limit import check_time
from programme.exchange.values import UnreadableFileError

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(_DAY.pattern + r" \d{2}:\d{2}:\d{2}")
_MIDNIGHT = " 00:00:00"


def complete_midnights(rows: list[list[str]]) -> None:
    """Add the time to dates in columns in which more dates have a time than have none."""
    moments = Counter(_find_columns(rows, _MOMENT))
    if not moments:
        return
    days = Counter(_find_columns(rows, _DAY))
    for place in (place for place, number in moments.items() if 0 < days[place] < number):
        for row in rows:
            if place < len(row) and _DAY.fullmatch(row[place]):
                row[place] += _MIDNIGHT


def _find_columns(rows: list[list[str]], pattern: re.Pattern[str]) -> Iterator[int]:
    return (place for row in rows for place, text in enumerate(row) if pattern.fullmatch(text))


def fill_merged(rows: Iterable[list[str]], merged: Merged) -> Iterator[list[str]]:
    """Yield rows with the text of merged cells in each row that has any other."""
    open_cells: dict[int, tuple[str, int]] = {}
    for number, row in enumerate(rows, 1):
        if any(row):
            for column, (text, last) in open_cells.items():
                if number <= last and column < len(row):
                    row[column] = row[column] or text
        for column, _last_column, last in merged.get(number, ()):
            if column < len(row) and number < last:
                open_cells[column] = (row[column], last)
        yield row


MOST_COLUMNS = 200
_ZIP = b"PK\x03\x04"
_COMPOUND = bytes.fromhex("d0cf11e0a1b11ae1")
_SEPARATORS, _SEARCHED, _LONGEST_START = ";,\t", 10, 100_000


class TableRow(msgspec.Struct, frozen=True):
    """A row of a sheet: its number as the spreadsheet program shows it, and its cells as text.

    `is_late` if it follows on one in the evening, below a day that is stated for both.
    """

    number: int
    cells: tuple[str, ...]
    is_late: bool = False


class Table(msgspec.Struct, frozen=True):
    """The filled rows of a sheet, in order; a sheet of a workbook has a name.

    `merged` are the cells that are merged: the first row and column, the last row and column.
    """

    rows: tuple[TableRow, ...]
    name: str = ""
    hidden: bool = False
    merged: tuple[tuple[int, int, int, int], ...] = ()


def is_csv(content: bytes, ending: str) -> bool:
    return ending in (".csv", ".tsv", ".txt") and not is_xlsx(content, ending)


def is_xls(content: bytes, ending: str) -> bool:
    """Return whether a file is a workbook of Excel before 2007, or one with a password."""
    return content.startswith(_COMPOUND) or (ending == ".xls" and not is_xlsx(content, ending))


def refuse_xls(_content: bytes, _given: Any) -> NoReturn:
    raise UnreadableFileError(
        _("it is an old Excel file (.xls) or has a password: save it as a new one (.xlsx) without a password")
    )


def is_xlsx(content: bytes, _ending: str) -> bool:
    """Return whether a content may be a workbook: a zip file."""
    return content.startswith(_ZIP)


def read_tables(content: bytes) -> list[Table]:
    """Return the sheets of a workbook, also empty ones, or the rows of a CSV file."""
    if is_xlsx(content, ""):
        return _read_workbook(content)
    return [Table(_build_rows(_csv_rows(content)))]


def _build_rows(rows: Iterable[Sequence[str]]) -> tuple[TableRow, ...]:
    found = []
    for number, cells in enumerate(rows, 1):
        check_time()
        text = tuple(restore_formula(cell) for cell in _trim(cells))
        # Spreadsheet programs leave empty rows down to the last possible one.
        if text and number > settings.IMPORT_ROWS:
            refuse_row()
        if text:
            found.append(TableRow(number, text))
    return tuple(found)


def _trim(cells: Iterable[str]) -> list[str]:
    trimmed = [cell.strip() for cell in cells][:MOST_COLUMNS]
    while trimmed and not trimmed[-1]:
        trimmed.pop()
    return trimmed


# --- CSV ------------------------------------------------------------------------------------


def _csv_rows(content: bytes) -> Iterator[list[str]]:
    text = decode_text(content)
    if "\x00" in text:
        raise UnreadableFileError(_("it is no text: save it as CSV or XLSX"))
    hint, _break, rest = text.partition("\n")
    if hint.strip().lower().startswith("sep=") and len(hint.strip()) in (4, 5):
        yield []  # Excel's own hint is a row of the file.
        yield from _rows_of(rest, hint.strip()[4:] or "\t")
    else:
        yield from _rows_of(text, detect_separator(text))


def _rows_of(text: str, separator: str) -> Iterator[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    number, line, before, cells = 0, 0, 0, 0
    try:
        for row in reader:
            number, before, line = number + 1, line, reader.line_num
            cells += len(row) - row.count("")
            if cells > settings.IMPORT_CELLS:
                raise UnreadableFileError(describe_limit(FILLED, settings.IMPORT_CELLS))
            yield row
    except csv.Error:
        message = _("row %(row)s: a cell is far too long; is a quotation mark opened and not closed?")
        raise UnreadableFileError(message % {"row": number + 1}) from None
    if _is_open(text, separator, before):
        message = _("row %(row)s: a quotation mark is opened and not closed")
        raise UnreadableFileError(message % {"row": number})


def _is_open(text: str, separator: str, before: int) -> bool:
    """Return whether the last row, which begins after so many lines, has no closing quotation mark."""
    lines = list(io.StringIO(text, newline=""))[before:]
    try:
        list(csv.reader(lines, delimiter=separator, strict=True))
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False


def detect_separator(text: str) -> str:
    """Return the separator that divides a file's first divided row into the most cells.

    Commas with a blank divide headings, and not what people write: `Lör 12/9 18-20 Jazz, Stora scenen`.
    """
    # Shorter than the longest cell that the reader takes.
    rows = csv.reader(io.StringIO(text[:_LONGEST_START], newline=""), delimiter="\0")
    for [line] in islice(filter(None, rows), _SEARCHED):
        is_headings = not re.search(r"\d", line) and any(find_fields(line.split(", ")))
        plain = line if is_headings else line.replace(", ", " ")
        cells = {each: len(next(csv.reader([plain], delimiter=each), [])) for each in _SEPARATORS}
        if max(cells.values()) > 1:
            return max(_SEPARATORS, key=lambda each: cells[each])
    return _SEPARATORS[0]


# --- XLSX -----------------------------------------------------------------------------------


def _read_workbook(content: bytes) -> list[Table]:
    # They take time that the service need not wait for.
    from programme.exchange.readers.sheet.workbook import read_workbook  # noqa: PLC0415

    return [
        Table(
            *(_build_rows(_format_rows(each.rows, each.merged)), each.name, each.hidden),
            tuple(
                (row, left, last, right) for row, cells in each.merged.items() for left, right, last in cells
            ),
        )
        for each in read_workbook(content, MOST_COLUMNS)
    ]


def _format_rows(values: list[list[Any]], merged: Merged) -> Iterator[list[str]]:
    width = max(map(len, values), default=0)
    rows = [["" if value is None else format_value(value) for value in row] for row in values]
    for row in filter(None, rows):
        row.extend([""] * (width - len(row)))
    complete_midnights(rows)
    yield from fill_merged(rows, merged)


def format_value(value: Any) -> str:
    """Return a workbook's value as a person would type it."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        value = int(value)
    return next((write(value) for kind, write in _FORMATS if isinstance(value, kind)), str(value))


_EXACT = 2**53
# A bool is an int, and a datetime a date: the narrower comes first.
_FORMATS: tuple[tuple[type, Callable[[Any], str]], ...] = (
    (type(None), lambda _none: ""),
    (bool, lambda value: "ja" if value else "nej"),
    (datetime, lambda value: str(value.date() if value.time() == time() else value.replace(microsecond=0))),
    (date, date.isoformat),
    (time, lambda value: value.isoformat("seconds").removesuffix(":00")),
    (timedelta, lambda value: "{}:{:02}".format(*divmod(round(value.total_seconds() / 60), 60))),
)
