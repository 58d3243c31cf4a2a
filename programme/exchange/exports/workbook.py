"""Writes the rows of a sheet as a workbook (Office Open XML)."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, time
from itertools import chain
from tempfile import TemporaryFile
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from feeds.columns import EXPORTED_COLUMNS, defuse_formula
from programme.exchange.exports.rows import Cell, Row

# Of columns in a spreadsheet program; the others fit a date.
_WIDTHS = {"title": 40, "organizer": 25, "location": 22, "last_modified": 17}
_WIDTHS |= {"intro_sv": 40, "intro_en": 40, "description_sv": 50, "description_en": 50}
_BY_HEADING = {name: _WIDTHS.get(each.field, 13) for each in EXPORTED_COLUMNS for name in (each.sv, each.en)}
# What a spreadsheet program would read as the escape of a character, such as `_x000D_`.
_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_BLOCK = 65_536


def write_workbook(chunks: Iterable[list[Row]], title: str) -> Iterator[bytes]:
    """Yield the blocks of a workbook with one sheet, which is on disk until it is whole.

    The first row is the heading.
    """
    book = Workbook(write_only=True)
    sheet = book.create_sheet(title)
    rows = chain.from_iterable(chunks)
    heading = next(rows)
    letters = [get_column_letter(number) for number, _cell in enumerate(heading, 1)]
    for letter, cell in zip(letters, heading, strict=True):
        sheet.column_dimensions[letter].width = _BY_HEADING[str(cell)]
    sheet.freeze_panes = "C2"
    number = 0
    for number, row in enumerate(chain([heading], rows), 1):
        sheet.append([_build_cell(sheet, cell, is_heading=number == 1) for cell in row])
    sheet.auto_filter.ref = f"A1:{letters[-1]}{number}"
    with TemporaryFile() as file:
        book.save(file)
        file.seek(0)
        while block := file.read(_BLOCK):
            yield block


def _build_cell(sheet: Any, value: Cell, *, is_heading: bool) -> Any:
    if value == "":
        return None
    if not isinstance(value, str):
        cell = WriteOnlyCell(sheet, value)
        if isinstance(value, time | datetime):
            cell.number_format = "hh:mm" if isinstance(value, time) else "yyyy-mm-dd hh:mm"
        return cell
    cell = WriteOnlyCell(sheet, _ESCAPE.sub("_x005F_", defuse_formula(value)))
    # Never an error, as which `#N/A` would be read.
    cell.data_type = "s"
    if is_heading:
        cell.font = Font(bold=True)
    return cell
