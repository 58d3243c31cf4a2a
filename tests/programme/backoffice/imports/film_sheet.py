"""A workbook as the office of a film festival keeps it: titles above the headings, merged cells, times as typed."""

import datetime as dt
import io
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font

HEADINGS = (
    "Visningsnr",
    "Filmtitel",
    "Biograf",
    "Salong",
    "Datum",
    "Tid",
    "Speltid (min)",
    "Regi",
    "Åldersgräns",
    "Handling",
    "Biljett",
)
FANNY = "Det är jul i staden, och barnen Ekdahl har ett hus fullt av släkt som alla vill ha en roll."
SEALS = "En kort film om hur sälarna i skärgården lever med havet och vad som är på väg att hända dem."
FRIDAY, SATURDAY = dt.date(2026, 9, 11), dt.date(2026, 9, 12)

# Below a film's first showing its cells are merged, and so empty.
ROWS: tuple[tuple[Any, ...], ...] = (
    (101, "Fanny och Alexander", "Biograf Röda Kvarn", "Salong 1", FRIDAY, 18.3, 188, "Ingmar Bergman", 11, FANNY, "120 kr"),
    (102, None, None, "Salong 2", SATURDAY, "13.00", None, None, None, None, None),
    (103, "Sälarnas ö", "Folkets Bio", "Stora", FRIDAY, 21.05, "52", "Eva Lind", "Btl", SEALS, "Fri entré"),
    (104, None, None, "Lilla", SATURDAY, dt.time(9, 30), None, None, None, None, None),
    (105, "Nattfilmen", "Biograf Röda Kvarn", "Salong 1", SATURDAY, 23.3, 95, "Okänd", 15, None, "120 kr"),
)  # fmt: skip


def build_film_sheet() -> bytes:
    book = Workbook()
    sheet = book.active
    sheet.title = "Schema"
    for row in (["Filmdagarna i Åsunda 2026"], ["Version 3, ändrad av Karin"], [], HEADINGS, *ROWS):
        sheet.append(row)
    sheet.merge_cells("A1:K1")
    sheet["A1"].font = Font(bold=True, size=18)
    sheet["A1"].alignment = Alignment(horizontal="center")
    for first in (5, 7):
        for column in "BCGHIJK":
            sheet.merge_cells(f"{column}{first}:{column}{first + 1}")
    for number in range(5, 5 + len(ROWS)):
        sheet[f"E{number}"].number_format = "ddd d mmm"
        sheet[f"F{number}"].number_format = "0.00"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()
