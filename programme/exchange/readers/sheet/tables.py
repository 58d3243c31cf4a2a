"""Reads CSV files, and sheets of workbooks, as rows of text."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import itemgetter

import msgspec
from django.conf import settings
from django.utils.translation import gettext as _

from feeds.columns import restore_formula
from programme.exchange.readers.sheet.columns import find_fields
from programme.exchange.readers.sheet.said import Uses
from programme.exchange.readers.sheet.workbook import COMPOUND, ZIP, FilledSheet, read_workbook, refuse
from programme.exchange.text.lines import decode_text
from programme.exchange.time_limit import check_time
from programme.exchange.values import UnreadableFileError, group_by

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


def fill_merged(rows: dict[int, list[str]], merged: Iterable[tuple[int, int, int, int]]) -> None:
    """Write the text of merged cells into each of their rows that has any other."""
    for first, column, last, _last_column in merged:
        check_time()
        cells = rows.get(first, [])
        if column < len(cells):
            for row in filter(None, map(rows.get, range(first + 1, min(last, max(rows)) + 1))):
                row.extend([""] * (column + 1 - len(row)))
                row[column] = row[column] or cells[column]


MOST_COLUMNS = 200
_SEPARATORS, _SEARCHED, _LONGEST_START = ";,\t", 10, 100_000


class TableRow(msgspec.Struct, frozen=True):
    """A row of a sheet: its number as the spreadsheet program shows it, and its cells as text.

    `struck` are the columns whose text is struck through. A row `shares_day` with others if the day stands
    above them, or is the sheet's name.
    """

    number: int
    cells: tuple[str, ...]
    struck: tuple[int, ...] = ()
    shares_day: bool = False
    is_late: bool | None = None


class Table(msgspec.Struct, frozen=True):
    """The filled rows of a sheet, in order; a sheet of a workbook has a name.

    `merged` are the cells that are merged: the first row and column, the last row and column. `left_out` are
    the filled rows and columns that are hidden in the file, and not here. `heading` is the place of the
    headings, if it is known, and `uses` are what editors have said of the columns.
    """

    rows: tuple[TableRow, ...]
    name: str = ""
    hidden: bool = False
    merged: tuple[tuple[int, int, int, int], ...] = ()
    left_out: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    heading: int | None = None
    uses: Uses = ()


def is_csv(content: bytes, ending: str) -> bool:
    return ending in (".csv", ".tsv", ".txt") and not is_workbook(content, ending)


def is_workbook(content: bytes, ending: str) -> bool:
    """Return whether a content may be a workbook: a zip file, or a file of Excel before 2007."""
    return content.startswith((ZIP, COMPOUND)) or ending == ".xls"


def read_tables(content: bytes) -> list[Table]:
    """Return the sheets of a workbook, also empty ones, or the rows of a CSV file."""
    # Other programs name text .xls, which is read, and web pages, which are refused.
    if content.startswith((ZIP, COMPOUND, b"<")):
        return list(_read_workbook(content))
    return [Table(_build_rows(enumerate(_csv_rows(content), 1)))]


def _read_workbook(content: bytes) -> Iterator[Table]:
    for sheet in read_workbook(content, MOST_COLUMNS):
        rows = dict(sheet.rows)
        left_out = _leave_out_hidden(rows, sheet)
        complete_midnights([*rows.values()])
        fill_merged(rows, sheet.merged)
        struck = group_by(sheet.struck, itemgetter(0))
        columns = {row: tuple(column for _row, column in cells) for row, cells in struck.items()}
        yield Table(_build_rows(rows.items(), columns), sheet.name, sheet.hidden, sheet.merged, left_out)


def _leave_out_hidden(
    rows: dict[int, list[str]], sheet: FilledSheet
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Empty the rows and columns that are hidden, and return those that were filled."""
    hidden = tuple(row for row in sheet.hidden_rows if rows.pop(row, None))
    columns = [n for n in sheet.hidden_columns if any(n < len(cells) and cells[n] for cells in rows.values())]
    for cells in rows.values():
        for column in columns:
            cells[column : column + 1] = [""] if column < len(cells) else []
    return hidden, tuple(columns)


def _build_rows(
    rows: Iterable[tuple[int, Sequence[str]]], struck: Mapping[int, tuple[int, ...]] | None = None
) -> tuple[TableRow, ...]:
    found = []
    for number, cells in rows:
        check_time()
        text = tuple(restore_formula(cell) for cell in _trim(cells))
        # Spreadsheet programs leave empty rows down to the last possible one.
        if text and number > settings.IMPORT_ROWS:
            raise refuse("rows")
        if text:
            found.append(TableRow(number, text, (struck or {}).get(number, ())))
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
                raise refuse("cells")
            yield row
    except csv.Error:
        message = _("row %(row)s: a cell is far too long; is a quotation mark opened and not closed?")
        raise UnreadableFileError(message, row=number + 1) from None
    if _is_open(text, separator, before):
        raise UnreadableFileError(_("row %(row)s: a quotation mark is opened and not closed"), row=number)


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
