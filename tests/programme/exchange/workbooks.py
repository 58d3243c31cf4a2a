"""Workbooks of several sheets as festival offices keep them."""

import datetime as dt
import io
from collections.abc import Iterable
from typing import Any

from openpyxl import Workbook

Rows = list[list[Any]]
HEADINGS = ["Titel", "Område", "Plats", "Datum", "Start", "Slut"]
DAYS = [
    "Fredag", "Lördag", "Söndag", "Måndag", "Tisdag", "Onsdag", "Torsdag", "Fredag 2", "Lördag 2", "Söndag 2", "Måndag 2",
]  # fmt: skip
SCENES: Rows = [
    ["Festivalens scener"],
    ["Namn", "Adress", "Kapacitet"],
    ["Stora scenen", "Parkvägen 1", 800],
    ["Lilla scenen", "Parkvägen 2", 120],
    ["Caféet", "Torget 3", 40],
]
NOTES: Rows = [["Att göra"], ["Ring Karin om ljudet"], ["Affischen ska vara klar"]]


def write_workbook(sheets: dict[str, Rows], *hidden: str) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        sheet.sheet_state = "hidden" if name in hidden else "visible"
        for row in rows:
            sheet.append(row)
    return save(book)


def build_book(*rows: list[Any], merged: Iterable[str] = (), hidden: Iterable[int | str] = ()) -> Workbook:
    """Return a workbook with one sheet, in which some cells are merged, and some rows or columns hidden."""
    book = Workbook()
    for row in rows:
        book.active.append(row)
    for cells in merged:
        book.active.merge_cells(cells)
    for each in hidden:
        of_rows = isinstance(each, int)
        (book.active.row_dimensions if of_rows else book.active.column_dimensions)[each].hidden = True
    return book


def save(book: Workbook) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def build_day(number: int) -> Rows:
    """Return the sheet of a day: a title, an empty row, headings, and two occasions."""
    day = dt.date(2026, 9, 11) + dt.timedelta(days=number)
    return [
        [f"Stadsfesten, dag {number + 1}"],
        [],
        HEADINGS,
        ["Öppet hus", "Parken", "Stora scenen", day, dt.time(10), dt.time(17)],
        [f"Konsert {number + 1}", "Parken", "Lilla scenen", day, dt.time(20), dt.time(21, 30)],
    ]


def build_office_workbook(days: int = 11) -> bytes:
    """Return a workbook with a sheet for each day, places, notes, an empty sheet and a hidden one."""
    sheets = {name: build_day(number) for number, name in enumerate(DAYS[:days])}
    more = {"Scener": SCENES, "Anteckningar": NOTES, "Blad1": [], "Gamla": build_day(-365)}
    return write_workbook(sheets | more, "Gamla")
