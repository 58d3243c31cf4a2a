"""Reads the workbook on standard input and writes its sheets as JSON; it is run as a process of its own.

A few bytes can state billions of cells, and the reader cannot be stopped: they take the memory and the time
of this process, which are limited, and not the service's. So nothing of the service is imported.
"""

import io
import json
import re
import resource
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from itertools import count
from posixpath import join
from typing import Any, NamedTuple

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

# Styles that strike text through, and what hides rows and columns: most workbooks have neither.
_HIDES = re.compile(rb"""\bhidden\s*=\s*["'](?:1|true)""")
_LINE_THROUGH = re.compile(r"text-line-through-style': '(?!none)")
_MOST_SPANNED = 20_000


class Marks(NamedTuple):
    """What a sheet says of its cells beside their values: rows are numbered from 1, columns from 0.

    `merged` are the first row and column, and the last row and column.
    """

    merged: list[tuple[int, int, int, int]]
    rows: set[int]
    columns: set[int]
    struck: list[tuple[int, int]]


class ExceededError(Exception):
    """The name of a limit."""


def read_sheets(content: bytes, most_rows: int, most_cells: int, columns: int) -> Iterator[list[Any]]:
    """Yield each sheet: its name, whether it is hidden, its filled rows by number, and its marks."""
    book = load_workbook(io.BytesIO(content))
    marks = find_marks(content)
    for place, about in enumerate(book.sheets_metadata):
        if about.typ is SheetTypeEnum.WorkSheet:
            sheet, rows = book.get_sheet_by_index(place), []
            for number, cells in list_rows(sheet, columns):
                most_cells -= sum(map(bool, cells))
                if number > most_rows or most_cells < 0:
                    raise ExceededError("rows" if number > most_rows else "cells")
                rows.append((number, cells))
            most_rows -= rows[-1][0] if rows else 0
            found = marks[place] if place < len(marks) else Marks([], set(), set(), [])
            merged = found.merged if sheet.merged_cell_ranges is None else list_merged(sheet)
            hidden = [sorted(found.rows), sorted(found.columns)]
            is_hidden = about.visible is not SheetVisibleEnum.Visible
            yield [about.name, is_hidden, rows, merged, *hidden, found.struck]


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


def list_merged(sheet: CalamineSheet) -> list[tuple[int, int, int, int]]:
    return [(top + 1, left, last + 1, right) for (top, left), (last, right) in sheet.merged_cell_ranges or ()]


# --- What calamine leaves out


def find_marks(content: bytes) -> list[Marks]:
    """Return the marks of each sheet, none of an old workbook."""
    if not content.startswith(b"PK"):
        return []
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = {*archive.namelist()}
        if "content.xml" in names:
            return list(find_in_document(archive))
        styles = find_struck(archive) if "xl/styles.xml" in names else set()
        return [
            find_in_sheet(archive, path, styles) if path in names else Marks([], set(), set(), [])
            for path in list_paths(archive)
        ]


def list_paths(archive: zipfile.ZipFile) -> list[str]:
    """Return the files of the sheets of a workbook, in their order."""
    relations = {
        each.get("Id"): each.get("Target") for _name, each in iterate(archive, "xl/_rels/workbook.xml.rels")
    }
    keys = [
        relations.get(next((value for key, value in each.items() if key.endswith("}id")), ""), "")
        for name, each in iterate(archive, "xl/workbook.xml")
        if name == "sheet"
    ]
    return [join("/xl", target or "")[1:] for target in keys]


def iterate(archive: zipfile.ZipFile, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the elements of a part, each with its name, when they end."""
    with archive.open(path) as file:
        for _end, element in iterparse(file):
            yield element.tag.rpartition("}")[2], element


def find_struck(archive: zipfile.ZipFile) -> set[str]:
    """Return the numbers of the styles of cells whose text is struck through."""
    fonts, styles, is_struck = list[bool](), set[str](), False
    for name, element in iterate(archive, "xl/styles.xml"):
        if name == "strike":
            is_struck = element.get("val", "1") not in {"0", "false"}
        elif name == "font":
            fonts.append(is_struck)
            is_struck = False
        elif name == "cellXfs":
            numbers = (int(each.get("fontId", 0)) for each in element)
            styles = {str(n) for n, font in enumerate(numbers) if font < len(fonts) and fonts[font]}
    return styles


def find_in_sheet(archive: zipfile.ZipFile, path: str, styles: set[str]) -> Marks:
    marks = Marks([], set(), set(), [])
    if not (styles or _HIDES.search(archive.read(path))):
        return marks
    number = 0
    for name, element in iterate(archive, path):
        if name == "col" and hides(element):
            last = min(int(element.get("max", 0)), _MOST_SPANNED)
            marks.columns.update(range(int(element.get("min", 1)) - 1, last))
        elif name == "row":
            number = int(element.get("r", number + 1))
            marks.rows.update([number] if hides(element) else ())
            marks.struck.extend((number, n) for n, cell in list_cells(element) if cell.get("s") in styles)
            element.clear()
    return marks


def hides(element: Any) -> bool:
    return element.get("hidden") in {"1", "true"}


def list_cells(row: Any) -> Iterator[tuple[int, Any]]:
    """Yield the cells of a row with their columns, which the first of them may state."""
    places = count()
    for cell in row:
        letters = cell.get("r", "").rstrip("0123456789")
        column = next(places)
        if letters:
            column = sum((ord(each) - 64) * 26**n for n, each in enumerate(reversed(letters))) - 1
            places = count(column + 1)
        yield column, cell


def find_in_document(archive: zipfile.ZipFile) -> Iterator[Marks]:
    """Yield the marks of each sheet of an OpenDocument spreadsheet."""
    styles, marks, row, column = set[str | None](), Marks([], set(), set(), []), 1, 0
    for name, element in iterate(archive, "content.xml"):
        if name == "style" and any(_LINE_THROUGH.search(str(each.attrib)) for each in element):
            styles.update(value for key, value in element.items() if key.endswith("}name"))
        elif name == "table-column":
            first, column = column, column + _number(element, "columns-repeated")
            marks.columns.update(range(first, min(column, _MOST_SPANNED)) if is_collapsed(element) else ())
        elif name == "table-row":
            first, row = row, row + _number(element, "rows-repeated")
            marks.rows.update(range(first, min(row, _MOST_SPANNED)) if is_collapsed(element) else ())
            for n, cell in _list_repeated(element):
                rows, columns = _number(cell, "rows-spanned"), _number(cell, "columns-spanned")
                if rows * columns > 1:
                    marks.merged.append((first, n, first + rows - 1, n + columns - 1))
                if cell.get(f"{_TABLE}style-name") in styles:
                    marks.struck.append((first, n))
            element.clear()
        elif element.tag == f"{_TABLE}table":
            yield marks
            marks, row, column = Marks([], set(), set(), []), 1, 0


def is_collapsed(element: Any) -> bool:
    return element.get(f"{_TABLE}visibility") in {"collapse", "filter"}


def _list_repeated(cells: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """Yield cells, each of which may stand for several, with their first columns."""
    column = 0
    for cell in cells:
        yield column, cell
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
