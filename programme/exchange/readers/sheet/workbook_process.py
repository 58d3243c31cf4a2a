"""Reads the workbook on standard input and writes its sheets as JSON; it is run as a process of its own.

A few bytes can state billions of cells, and the reader cannot be stopped: they take the memory and the time
of this process, which are limited, and not the service's. So nothing of the service is imported.
"""

import io
import json
import resource
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from typing import Any

from defusedxml.ElementTree import iterparse
from python_calamine import CalamineSheet, SheetTypeEnum, SheetVisibleEnum, load_workbook

_MOST_BYTES, _MOST_SECONDS = 1_000_000_000, 60
_EXACT = 2**53
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
# A bool is an int, and a datetime a date: the narrower comes first.
_FORMATS: tuple[tuple[type, Callable[[Any], str]], ...] = (
    (str, str),
    (bool, lambda value: "ja" if value else "nej"),
    (datetime, lambda value: str(value.date() if value.time() == time() else value.replace(microsecond=0))),
    (date, date.isoformat),
    (time, lambda value: value.isoformat("seconds").removesuffix(":00")),
    (timedelta, lambda value: "{}:{:02}".format(*divmod(round(value.total_seconds() / 60), 60))),
    (float, lambda value: str(int(value) if value.is_integer() and abs(value) < _EXACT else value)),
)

# The first row and column, and the last row and column: rows are numbered from 1, columns from 0.
Merged = list[tuple[int, int, int, int]]


class ExceededError(Exception):
    """The name of a limit."""


def read_sheets(content: bytes, most_rows: int, most_cells: int, columns: int) -> Iterator[list[Any]]:
    """Yield each sheet: its name, whether it is hidden, its filled rows by number, and its merged cells."""
    book = load_workbook(io.BytesIO(content))
    for place, about in enumerate(book.sheets_metadata):
        if about.typ is SheetTypeEnum.WorkSheet:
            sheet, rows = book.get_sheet_by_index(place), []
            for number, cells in list_rows(sheet, columns):
                most_cells -= sum(map(bool, cells))
                if number > most_rows or most_cells < 0:
                    raise ExceededError("rows" if number > most_rows else "cells")
                rows.append((number, cells))
            most_rows -= rows[-1][0] if rows else 0
            merged = list_merged(sheet, content, place)
            yield [about.name, about.visible is not SheetVisibleEnum.Visible, rows, merged]


def list_rows(sheet: CalamineSheet, columns: int) -> Iterator[tuple[int, list[str]]]:
    if sheet.start:
        before = [""] * sheet.start[1]
        for number, row in enumerate(sheet.iter_rows(), 1):
            cells = [format_value(value) for value in [*before, *row][:columns]]
            if any(cells):
                yield number, cells


def format_value(value: object) -> str:
    """Return a value as a person would type it."""
    return next((write(value) for kind, write in _FORMATS if isinstance(value, kind)), str(value))


def list_merged(sheet: CalamineSheet, content: bytes, place: int) -> Merged:
    if (merged := sheet.merged_cell_ranges) is None:
        return find_merged(content)[place]
    return [(top + 1, left, last + 1, right) for (top, left), (last, right) in merged]


def find_merged(content: bytes) -> list[Merged]:
    """Return the merged cells of each sheet of an OpenDocument spreadsheet, which calamine leaves out."""
    found: list[Merged] = []
    merged, row = Merged(), 1
    with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open("content.xml") as file:
        for _end, element in iterparse(file):
            if element.tag == f"{_TABLE}table":
                found.append(merged)
                merged, row = Merged(), 1
            elif element.tag == f"{_TABLE}table-row":
                merged += _list_spans(element, row)
                row += _number(element, "rows-repeated")
                element.clear()
    return found


def _list_spans(cells: Iterable[Any], row: int) -> Iterator[tuple[int, int, int, int]]:
    column = 0
    for cell in cells:
        rows, columns = _number(cell, "rows-spanned"), _number(cell, "columns-spanned")
        if rows * columns > 1:
            yield row, column, row + rows - 1, column + columns - 1
        column += _number(cell, "columns-repeated")


def _number(element: Any, name: str) -> int:
    return int(element.get(f"{_TABLE}number-{name}", 1))


def main() -> None:
    for kind, most in ((resource.RLIMIT_AS, _MOST_BYTES), (resource.RLIMIT_CPU, _MOST_SECONDS)):
        _soft, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    answer: object = "unreadable"
    # What fails in Rust is no `Exception`.
    with suppress(BaseException):
        answer = read_workbook(sys.stdin.buffer.read(), *map(int, sys.argv[1:]))
    json.dump(answer, sys.stdout)


def read_workbook(content: bytes, *limits: int) -> object:
    """Return the sheets, or what they have too much of."""
    try:
        return list(read_sheets(content, *limits))
    except ExceededError as limit:
        return str(limit)
    except MemoryError:
        return "memory"


if __name__ == "__main__":
    main()
