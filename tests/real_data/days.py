"""Splits a sheet into a workbook with a sheet for each day, with the full dates in its rows."""

import csv
import io
from datetime import date, datetime
from typing import Any

from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

Cells = list[Any]
# What the sets and the shapes call the columns with the dates.
_DATES = ("Datum", "Dag", "Date", "Start date", "start", "Start")
_HEADINGS_WITHIN = 5


def split_into_days(content: bytes, ending: str) -> bytes:
    """Return a workbook whose sheets have the rows above the headings, too; undated rows stay with those above."""
    lines = _read_workbook(content) if ending == ".xlsx" else _read_csv(content)
    place, column = _find_dates(lines)
    days: dict[str, list[Cells]] = {}
    day = next(filter(None, (_name_day(line[column]) for line in lines[place + 1 :])))
    above = lines[place]
    for line in lines[place + 1 :]:
        cells = _repeat(line, above)
        day = _name_day(cells[column]) or day
        days.setdefault(day, []).append(cells)
        above = cells
    book = Workbook()
    book.remove(book.active)
    for name, rows in days.items():
        sheet = book.create_sheet(name)
        for row in [*lines[: place + 1], *rows]:
            sheet.append([_fit(cell) for cell in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _read_workbook(content: bytes) -> list[Cells]:
    return [list(row) for row in load_workbook(io.BytesIO(content)).active.iter_rows(values_only=True)]


def _read_csv(content: bytes) -> list[Cells]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252")
    first = text.partition("\n")[0]
    separator = max(";,\t", key=first.count)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))


def _find_dates(lines: list[Cells]) -> tuple[int, int]:
    """Return the row of the headings and the column of the dates."""
    found = [
        (place, line.index(name)) for name in _DATES for place, line in enumerate(lines[:_HEADINGS_WITHIN]) if name in line
    ]  # fmt: skip
    return found[0]


def _repeat(line: Cells, above: Cells) -> Cells:
    """Return a row with what it leaves out of its first cells, as those below an event's first row do."""
    filled = next((place for place, cell in enumerate(line) if cell not in ("", None)), 0)
    return [*above[:filled], *line[filled:]]


def _name_day(cell: Any) -> str:
    if isinstance(cell, date | datetime):
        return f"{cell:%Y-%m-%d}"
    text = str(cell or "").replace("/", "-").strip()
    return text[:10] if text[:4].isdecimal() else text[:31]


def _fit(cell: Any) -> Any:
    """Return a cell without the control characters that openpyxl refuses."""
    return ILLEGAL_CHARACTERS_RE.sub("", cell) if isinstance(cell, str) else cell
