"""Reads the sheets of a workbook (Office Open XML, and OpenDocument) in one pass over its parts.

Not openpyxl's reader: it builds objects for every text and every cell, which takes ten times as long and
cannot be stopped, and needs another pass that counts them before.
"""

import io
import re
import zipfile
from collections.abc import Callable
from functools import cached_property, lru_cache, partial
from posixpath import dirname, join, normpath
from typing import Any
from xml.parsers import expat

from django.conf import settings
from django.utils.translation import gettext as _
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format
from openpyxl.utils import column_index_from_string
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel, from_ISO8601

from programme.exchange.readers.sheet.bombs import (
    FILLED,
    OWN_TEXT,
    SHARED_STRING,
    ElementCounter,
    Ends,
    Starts,
    parse_part,
    refuse_size,
)
from programme.exchange.readers.sheet.filled import FilledSheet, Merged, Rows, refuse_row
from programme.exchange.readers.sheet.ods import is_ods, read_ods
from programme.exchange.values import UnreadableFileError

_DAMAGED = (zipfile.BadZipFile, expat.ExpatError, OSError, NotImplementedError, RuntimeError, EOFError)
# The part that every package has, and no other zip file.
_PACKAGE = "_rels/.rels"
_TEXT, _ROW, _CELL, _MERGED = "t", "row", "c", "mergeCell"
_HIDDEN = {"hidden", "veryHidden"}
_LETTERS, _DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")


def read_workbook(content: bytes, columns: int) -> list[FilledSheet]:
    """Return all sheets in their order, with so many columns. Raises `UnreadableFileError`."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            refuse_size(archive, len(content))
            if is_ods(archive):
                return read_ods(archive, columns)
            if _PACKAGE not in archive.namelist():
                raise UnreadableFileError(
                    _("it is a zip file, but no spreadsheet: unpack it, and import its files one by one")
                )
            book = _Workbook(archive, columns)
            return [book.read_sheet(*part) for part in book.sheets]
    except _DAMAGED:
        raise UnreadableFileError(_("it is cut off or damaged")) from None
    except (KeyError, ValueError, IndexError, OverflowError, StopIteration):
        raise UnreadableFileError(_("it is no spreadsheet that can be read: save it again as XLSX")) from None


class _Workbook:
    def __init__(self, archive: zipfile.ZipFile, columns: int) -> None:
        self.archive = archive
        self.columns = columns
        # By kind: the first part that the package names, as its parts may have any name.
        roots = self._relations("", _PACKAGE)
        self.path = next(path for kind, path in roots.values() if kind == "officeDocument")
        folder, name = dirname(self.path), self.path.rpartition("/")[2]
        self.relations = self._relations(folder, join(folder, "_rels", f"{name}.rels"))
        # Their names, paths and states.
        self.sheets: list[tuple[str, str, str]] = []
        # The limits hold for all sheets together.
        self.counter = ElementCounter()
        self.left_rows = settings.IMPORT_ROWS
        self.epoch = CALENDAR_WINDOWS_1900
        starts: Starts = {"workbookPr": self._read_epoch, "sheet": self._add_sheet}
        parse_part(archive, self.path, starts, {}, lambda _text: None)

    def _parse_kind(self, kind: str, starts: Starts, ends: Ends, text: Callable[[str], None]) -> None:
        """Parse the part of a kind, if the workbook has one."""
        path = next((path for each, path in self.relations.values() if each == kind), "")
        if path in self.archive.namelist():
            parse_part(self.archive, path, starts, ends, text)

    def _relations(self, folder: str, path: str) -> dict[str, tuple[str, str]]:
        """Return the kind and the path of each related part by its identifier."""
        found = {}

        def add(attributes: dict[str, str]) -> None:
            if attributes.get("TargetMode") != "External":
                target = attributes["Target"]
                whole = target.lstrip("/") if target.startswith("/") else normpath(join(folder, target))
                found[attributes["Id"]] = (attributes["Type"].rpartition("/")[2], whole)

        parse_part(self.archive, path, {"Relationship": add}, {}, lambda _text: None)
        return found

    def _read_epoch(self, attributes: dict[str, str]) -> None:
        if attributes.get("date1904") in ("1", "true"):
            self.epoch = CALENDAR_MAC_1904

    def _add_sheet(self, attributes: dict[str, str]) -> None:
        key = next(value for each, value in attributes.items() if each.rpartition(":")[2] == "id")
        kind, path = self.relations.get(key, ("", ""))
        if kind == "worksheet":
            self.sheets.append((attributes.get("name", ""), path, attributes.get("state", "")))

    @cached_property
    def texts(self) -> list[str]:
        reader = _SharedStrings(self.counter)
        self._parse_kind("sharedStrings", reader.starts, reader.ends, reader.text)
        return reader.found

    @cached_property
    def formats(self) -> list[str]:
        """The number format of each style of cells."""
        own: dict[str, str] = {}
        used: list[str] = []
        # Those of named styles and of cells, of which the latter count.
        listed: list[str] = []
        starts: Starts = {
            "numFmt": lambda attributes: own.update({attributes["numFmtId"]: attributes["formatCode"]}),
            "cellXfs": lambda _attributes: listed.clear(),
            "xf": lambda attributes: listed.append(attributes.get("numFmtId", "0")),
        }
        self._parse_kind("styles", starts, {"cellXfs": lambda: used.extend(listed)}, lambda _text: None)
        return [own.get(key) or BUILTIN_FORMATS.get(int(key), "General") for key in used]

    @cached_property
    def dates(self) -> dict[str, Callable[[float], Any]]:
        """How numbers are read, by those styles that show them as a date, a time or a duration."""
        return {
            str(style): partial(from_excel, epoch=self.epoch, timedelta=is_timedelta_format(code))
            for style, code in enumerate(self.formats)
            if is_date_format(code)
        }

    def read_sheet(self, name: str, path: str, state: str) -> FilledSheet:
        reader = _SheetPart(self)
        parse_part(self.archive, path, reader.starts, reader.ends, reader.text)
        self.left_rows -= len(reader.rows)
        return FilledSheet(name, state in _HIDDEN, reader.rows, reader.merged)


class _Texts:
    """Collects the text inside elements that hold any."""

    def __init__(self, counter: ElementCounter) -> None:
        self.counter = counter
        self.parts: list[str] = []
        self.reads = False
        self.starts: dict[str, Callable[[dict[str, str]], None]] = {_TEXT: self._start_text}
        self.ends: dict[str, Callable[[], object]] = {_TEXT: self._stop}

    def text(self, text: str) -> None:
        if self.reads:
            self.parts.append(text)

    def _start_text(self, _attributes: dict[str, str]) -> None:
        self.reads = True

    def _stop(self) -> None:
        self.reads = False


class _SharedStrings(_Texts):
    """Collects the texts that cells share; the parts of formatted ones are joined."""

    def __init__(self, counter: ElementCounter) -> None:
        super().__init__(counter)
        self.found: list[str] = []
        self.starts[SHARED_STRING] = self._start
        self.ends[SHARED_STRING] = self._end

    def _start(self, _attributes: dict[str, str]) -> None:
        self.counter.count(SHARED_STRING)
        self.parts = []

    def _end(self) -> None:
        self.found.append(_unescape("".join(self.parts)))


class _SheetPart(_Texts):
    """Collects the rows of a sheet up to the last with a value, and its merged cells."""

    def __init__(self, book: _Workbook) -> None:
        super().__init__(book.counter)
        self.book = book
        self.rows: Rows = []
        self.merged: Merged = {}
        self.number = self.column = 0
        self.kind = self.style = ""
        self.starts |= {
            _CELL: self._start_cell,
            FILLED: self._start_value,
            OWN_TEXT: lambda _attributes: self.counter.count(OWN_TEXT),
            _ROW: self._start_row,
            _MERGED: self._merge,
        }
        self.ends |= {_CELL: self._end_cell, FILLED: self._stop}

    def _start_row(self, attributes: dict[str, str]) -> None:
        self.number, self.column = int(attributes.get("r") or self.number + 1), -1
        if self.number < 1:
            raise ValueError

    def _start_cell(self, attributes: dict[str, str]) -> None:
        if place := attributes.get("r"):
            self.column = _column_of(place.rstrip(_DIGITS))
        else:
            self.column += 1
        self.kind, self.style = attributes.get("t", "n"), attributes.get("s", "0")
        self.parts = []

    def _start_value(self, _attributes: dict[str, str]) -> None:
        self.counter.count(FILLED)
        self.reads = True

    def _end_cell(self) -> None:
        if self.parts and self.column < self.book.columns:
            self._add("".join(self.parts))

    def _add(self, text: str) -> None:
        if self.number > self.book.left_rows:
            refuse_row()
        while len(self.rows) < self.number:
            self.rows.append([])
        row = self.rows[self.number - 1]
        row.extend([None] * (self.column + 1 - len(row)))
        row[self.column] = self._value(text)

    def _value(self, text: str) -> Any:
        if self.kind == "s":
            return self.book.texts[int(text)]
        if self.kind == "b":
            return bool(int(text))
        if self.kind == "d":
            return from_ISO8601(text)
        if self.kind != "n":
            return _unescape(text)
        number = float(text) if set(text) & set(".eE") else int(text)
        return self._date(number) if self.style in self.book.dates else number

    def _date(self, number: float) -> Any:
        try:
            return self.book.dates[self.style](number)
        except (OverflowError, ValueError):
            return "#VALUE!"

    def _merge(self, attributes: dict[str, str]) -> None:
        first, _colon, last = attributes["ref"].replace("$", "").partition(":")
        begin, end = (int(place.lstrip(_LETTERS)) for place in (first, last or first))
        left, right = (_column_of(place.rstrip(_DIGITS)) for place in (first, last or first))
        self.merged.setdefault(begin, []).append((left, right, end))


def _unescape(text: str) -> str:
    """Return a text with the characters that its escapes stand for, such as `_x000D_`."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


@lru_cache(maxsize=1024)
def _column_of(letters: str) -> int:
    return int(column_index_from_string(letters.replace("$", ""))) - 1
