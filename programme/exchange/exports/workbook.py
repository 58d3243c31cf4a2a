"""Writes the rows of a sheet as a workbook (Office Open XML), block by block.

openpyxl writes the rest of it: it would write the rows to a file first, or keep them all in memory.
"""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from datetime import time
from typing import Any
from xml.sax.saxutils import escape

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel

from programme.exchange.exports.rows import Cell, Row
from programme.exchange.readers.sheet.columns import EXPORTED_COLUMNS
from programme.exchange.readers.sheet.tables import defuse_formula

# Of columns in a spreadsheet program; the others fit a date.
_WIDTHS = {
    "title": 40,
    "organizer": 25,
    "location": 22,
    "description_sv": 50,
    "description_en": 50,
    "intro_sv": 40,
    "intro_en": 40,
}
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_WRITTEN_AT = re.compile(rb"<dcterms:(created|modified)[^>]*>[^<]*</dcterms:\1>")
_PROPERTIES, _SHEET = "docProps/core.xml", "xl/worksheets/sheet1.xml"
_ROWS = re.compile(rb"<sheetData>.*</sheetData>", re.DOTALL)
_LETTERS = [get_column_letter(number) for number, _column in enumerate(EXPORTED_COLUMNS, 1)]
# The numbers of styles, in the order of their first use.
_HEADING, _DATE, _TIME = 1, 2, 3
# What a spreadsheet program would read as the escape of a character, such as `_x000D_`.
_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")


def write_workbook(chunks: Iterable[list[Row]], rows: int, title: str) -> Iterator[bytes]:
    """Yield the blocks of a workbook with one sheet: a heading and more, so many rows together."""
    blocks = _Blocks()
    with zipfile.ZipFile(blocks, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _build_package(rows, title).items():
            info = zipfile.ZipInfo(name, _LONG_AGO)
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w") as part:
                for piece in _fill(content, chunks) if name == _SHEET else [content]:
                    part.write(piece)
                    yield blocks.take()
    yield blocks.take()


class _Blocks(io.RawIOBase):
    """A file of which only the end is kept, until it is taken."""

    def __init__(self) -> None:
        super().__init__()
        self._kept = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self._kept += content
        return len(content)

    def take(self) -> bytes:
        taken = bytes(self._kept)
        self._kept.clear()
        return taken


def _build_package(rows: int, title: str) -> dict[str, bytes]:
    """Return the parts of a workbook, whose sheet is as large as if it had so many rows."""
    book = Workbook()
    sheet = book.active
    sheet.title = title
    for number, column in enumerate(EXPORTED_COLUMNS, 1):
        sheet.column_dimensions[get_column_letter(number)].width = _WIDTHS.get(column.field, 13)
    # Their styles are `_HEADING`, `_DATE` and `_TIME`.
    sheet["A1"].font = Font(bold=True)
    sheet["B1"].number_format, sheet["C1"].number_format = "yyyy-mm-dd", "hh:mm"
    sheet.cell(rows, len(EXPORTED_COLUMNS))
    sheet.freeze_panes = "C2"
    sheet.auto_filter.ref = sheet.dimensions
    stream = io.BytesIO()
    book.save(stream)
    with zipfile.ZipFile(stream) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return parts | {_PROPERTIES: _WRITTEN_AT.sub(b"", parts[_PROPERTIES])}


def _fill(sheet: bytes, chunks: Iterable[list[Row]]) -> Iterator[bytes]:
    """Yield a sheet with other rows than its own."""
    head, tail = _ROWS.split(sheet)
    yield head + b"<sheetData>"
    number = 0
    for chunk in chunks:
        text = ""
        for row in chunk:
            number += 1
            cells = (
                _format_cell(cell, f"{letter}{number}", is_heading=number == 1)
                for letter, cell in zip(_LETTERS, row, strict=True)
                if cell != ""
            )
            text += f'<row r="{number}">{"".join(cells)}</row>'
        yield text.encode()
    yield b"</sheetData>" + tail


def _format_cell(cell: Cell, place: str, *, is_heading: bool) -> str:
    if not isinstance(cell, str):
        return f'<c r="{place}" s="{_TIME if isinstance(cell, time) else _DATE}"><v>{to_excel(cell)}</v></c>'
    text = escape(_ESCAPE.sub("_x005F_", defuse_formula(cell)))
    style = f' s="{_HEADING}"' if is_heading else ""
    space = ' xml:space="preserve"' if text != text.strip() else ""
    return f'<c r="{place}"{style} t="inlineStr"><is><t{space}>{text}</t></is></c>'
