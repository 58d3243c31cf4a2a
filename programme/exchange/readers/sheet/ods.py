"""Reads the sheets of an OpenDocument spreadsheet (ODF 1.3, part 3, section 9) in one pass."""

import re
import zipfile
from datetime import date, datetime, time
from typing import Any

from django.conf import settings

from programme.exchange.readers.sheet.bombs import FILLED, ElementCounter, Ends, Starts, parse_part
from programme.exchange.readers.sheet.filled import FilledSheet, refuse_row

CONTENT, _MIME_TYPE = "content.xml", "mimetype"
_ODS = b"application/vnd.oasis.opendocument.spreadsheet"
_SPAN = re.compile(r"PT(\d+)H(\d+)M(\d+)")


def is_ods(archive: zipfile.ZipFile) -> bool:
    return _MIME_TYPE in archive.namelist() and archive.read(_MIME_TYPE)[: len(_ODS)] == _ODS


def read_ods(archive: zipfile.ZipFile, columns: int) -> list[FilledSheet]:
    """Return all sheets of a document in their order, with so many columns."""
    reader = _Content(columns)
    parse_part(archive, CONTENT, reader.starts, reader.ends, reader.text)
    return reader.sheets


class _Content:
    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.sheets: list[FilledSheet] = []
        self.hidden: set[str] = set()
        self.style = ""
        self.counter = ElementCounter()
        self.left_rows = settings.IMPORT_ROWS
        # What is read of the present row and its present cell.
        self.row: list[Any] = []
        self.number, self.column, self.times = 0, 0, 1
        self.cell: dict[str, str] = {}
        self.lines: list[str] = []
        self.starts: Starts = {
            "style": lambda given: setattr(self, "style", _value(given, "name")),
            "table-properties": self._read_style,
            "table": self._start_sheet,
            "table-row": self._start_row,
            "table-cell": self._start_cell,
            "covered-table-cell": self._start_cell,
            "p": lambda _given: self.lines.append(""),
            "line-break": lambda _given: self.text("\n"),
            "tab": lambda _given: self.text("\t"),
            "s": lambda given: self.text(" " * int(_value(given, "c") or 1)),
        }
        self.ends: Ends = {
            "table-row": self._end_row,
            "table-cell": self._end_cell,
            "covered-table-cell": self._end_cell,
            "annotation": self._end_note,
        }

    def text(self, text: str) -> None:
        if self.lines:
            self.lines[-1] += text

    def _read_style(self, given: dict[str, str]) -> None:
        if _value(given, "display") == "false":
            self.hidden.add(self.style)

    def _start_sheet(self, given: dict[str, str]) -> None:
        hidden = _value(given, "style-name") in self.hidden
        self.sheets.append(FilledSheet(_value(given, "name"), hidden, [], {}))
        self.number = 0

    def _start_row(self, given: dict[str, str]) -> None:
        self.row, self.column = [], 0
        self.times = int(_value(given, "number-rows-repeated") or 1)

    def _start_cell(self, given: dict[str, str]) -> None:
        self.cell, self.lines = given, []

    def _end_note(self) -> None:
        # It stands before the text of its cell.
        self.lines = []

    def _end_cell(self) -> None:
        times = int(_value(self.cell, "number-columns-repeated") or 1)
        value = self._read_value()
        if value != "" and self.column < self.columns:
            self.row.extend([None] * (self.column - len(self.row)))
            self.row.extend([value] * min(times, self.columns - self.column))
        self._merge()
        self.column += times
        self.lines = []

    def _read_value(self) -> Any:
        kind = _value(self.cell, "value-type")
        if kind in {"float", "currency", "percentage"}:
            return float(_value(self.cell, "value"))
        if kind == "date":
            stated = _value(self.cell, "date-value")
            return datetime.fromisoformat(stated) if "T" in stated else date.fromisoformat(stated)
        if kind == "time" and (match := _SPAN.match(_value(self.cell, "time-value"))):
            return time(int(match[1]) % 24, int(match[2]), int(match[3]))
        if kind == "boolean":
            return _value(self.cell, "boolean-value") == "true"
        return "\n".join(self.lines)

    def _merge(self) -> None:
        spanned = (_value(self.cell, f"number-{each}-spanned") for each in ("rows", "columns"))
        rows, columns = (int(each or 1) for each in spanned)
        if rows * columns > 1:
            ends = (self.column, self.column + columns - 1, self.number + rows)
            self.sheets[-1].merged.setdefault(self.number + 1, []).append(ends)

    def _end_row(self) -> None:
        """Add the row as often as it is repeated: empty ones only count."""
        rows, times = self.sheets[-1].rows, self.times
        self.number += times
        if not self.row:
            return
        for _filled in range(times * sum(each is not None for each in self.row)):
            self.counter.count(FILLED)
        if self.number > self.left_rows:
            refuse_row()
        rows.extend([] for _empty in range(self.number - times - len(rows)))
        rows.extend(list(self.row) for _row in range(times))


def _value(given: dict[str, str], name: str) -> str:
    """Return an attribute by its local name."""
    return next((value for each, value in given.items() if each.rpartition(":")[2] == name), "")
