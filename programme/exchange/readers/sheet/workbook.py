"""Reads the first filled sheet of a workbook (Office Open XML) in one pass over its parts.

Not openpyxl's reader: it builds objects for every text and every cell, which takes ten times as long and
cannot be stopped, and needs another pass that counts them before.
"""

import io
import re
import zipfile
from collections.abc import Callable
from functools import cached_property, partial
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple
from xml.parsers import expat

from django.conf import settings
from django.utils.translation import gettext as _
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format
from openpyxl.utils import column_index_from_string
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel, from_ISO8601

from programme.exchange.readers.sheet.bombs import (
    CELL,
    FILLED,
    OWN_TEXT,
    ROW,
    SHARED_STRING,
    ElementCounter,
    parse_part,
    refuse_size,
)
from programme.exchange.readers.sheet.merged import Merged
from programme.exchange.values import UnreadableFileError

# From the first row of the sheet on, empty ones too.
Rows = list[list[Any]]
_DAMAGED = (zipfile.BadZipFile, expat.ExpatError, OSError, NotImplementedError, RuntimeError, EOFError)
# The part that every package has, and no other zip file.
_PACKAGE = "_rels/.rels"
_TEXT, _PHONETIC, _MERGED = "t", "rPh", "mergeCell"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")


class FilledSheet(NamedTuple):
    rows: Rows
    merged: Merged


def read_workbook(content: bytes, columns: int) -> FilledSheet:
    """Return the first sheet that has any value, with so many columns. Raises `UnreadableFileError`."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            refuse_size(archive, len(content))
            if _PACKAGE not in archive.namelist():
                raise UnreadableFileError(
                    _("it is a zip file, but no workbook: unpack it, and import its files one by one")
                )
            book = _Workbook(archive, columns)
            sheets = (book.read_sheet(name) for name in book.sheets)
            return next((sheet for sheet in sheets if sheet.rows), FilledSheet([], {}))
    except _DAMAGED:
        raise UnreadableFileError(_("it is cut off or damaged")) from None
    except (KeyError, ValueError, IndexError, OverflowError, StopIteration):
        raise UnreadableFileError(_("it is no workbook that can be read: save it again as XLSX")) from None


class _Workbook:
    def __init__(self, archive: zipfile.ZipFile, columns: int) -> None:
        self.archive = archive
        self.columns = columns
        # By kind: the first part that the package names, as its parts may have any name.
        roots = self._relations("", _PACKAGE)
        self.path = next(path for kind, path in roots.values() if kind == "officeDocument")
        folder, name = dirname(self.path), self.path.rpartition("/")[2]
        self.relations = self._relations(folder, join(folder, "_rels", f"{name}.rels"))
        self.sheets: list[str] = []
        self.epoch = CALENDAR_WINDOWS_1900
        self._parse(self.path, self._start_of_workbook)

    def _parse(
        self, path: str, start: Any, end: Any = lambda _name: None, text: Any = lambda _text: None
    ) -> None:
        parse_part(self.archive, path, start, end, text)

    def _relations(self, folder: str, path: str) -> dict[str, tuple[str, str]]:
        """Return the kind and the path of each related part by its identifier."""
        found = {}

        def start(name: str, attributes: dict[str, str]) -> None:
            if name == "Relationship" and attributes.get("TargetMode") != "External":
                target = attributes["Target"]
                whole = target.lstrip("/") if target.startswith("/") else normpath(join(folder, target))
                found[attributes["Id"]] = (attributes["Type"].rpartition("/")[2], whole)

        self._parse(path, start)
        return found

    def _start_of_workbook(self, name: str, attributes: dict[str, str]) -> None:
        if name == "workbookPr" and attributes.get("date1904") in ("1", "true"):
            self.epoch = CALENDAR_MAC_1904
        elif name == "sheet":
            key = next(value for each, value in attributes.items() if each.rpartition(":")[2] == "id")
            kind, path = self.relations.get(key, ("", ""))
            if kind == "worksheet":
                self.sheets.append(path)

    def _find(self, kind: str) -> str:
        return next((path for each, path in self.relations.values() if each == kind), "")

    @cached_property
    def texts(self) -> list[str]:
        path = self._find("sharedStrings")
        reader = _SharedStrings()
        if path in self.archive.namelist():
            self._parse(path, reader.start, reader.end, reader.text)
        return reader.found

    @cached_property
    def formats(self) -> list[str]:
        """The number format of each style of cells."""
        path = self._find("styles")
        own: dict[str, str] = {}
        used: list[str] = []
        inside: list[str] = []

        def start(name: str, attributes: dict[str, str]) -> None:
            inside.append(name)
            if name == "numFmt":
                own[attributes["numFmtId"]] = attributes["formatCode"]
            elif name == "xf" and inside[-2:-1] == ["cellXfs"]:
                used.append(attributes.get("numFmtId", "0"))

        if path in self.archive.namelist():
            self._parse(path, start, lambda _name: inside.pop() and None)
        return [own.get(key) or BUILTIN_FORMATS.get(int(key), "General") for key in used]

    @cached_property
    def dates(self) -> dict[str, Callable[[float], Any]]:
        """How numbers are read, by those styles that show them as a date, a time or a duration."""
        return {
            str(style): partial(from_excel, epoch=self.epoch, timedelta=is_timedelta_format(code))
            for style, code in enumerate(self.formats)
            if is_date_format(code)
        }

    def read_sheet(self, path: str) -> FilledSheet:
        reader = _SheetPart(self)
        self._parse(path, reader.start, reader.end, reader.text)
        return FilledSheet(reader.rows, reader.merged)


class _SharedStrings:
    """Collects the texts that cells share; the parts of formatted ones are joined."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.counter = ElementCounter()
        self.parts: list[str] = []
        self.reads = False
        self.phonetic = False

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        if name == SHARED_STRING:
            self.counter.count(name)
            self.parts = []
        elif name == _TEXT:
            self.reads = not self.phonetic
        elif name == _PHONETIC:
            self.phonetic = True

    def end(self, name: str) -> None:
        if name == _TEXT:
            self.reads = False
        elif name == SHARED_STRING:
            self.found.append(_unescape("".join(self.parts)))
        elif name == _PHONETIC:
            self.phonetic = False

    def text(self, text: str) -> None:
        if self.reads:
            self.parts.append(text)


class _SheetPart:
    """Collects the rows of a sheet up to the last with a value, and its merged cells."""

    def __init__(self, book: _Workbook) -> None:
        self.book = book
        self.rows: Rows = []
        self.merged: Merged = {}
        self.counter = ElementCounter()
        self.number = self.column = 0
        self.kind = self.style = ""
        self.parts: list[str] = []
        self.reads = self.phonetic = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == CELL:
            self.counter.count(name)
            self._start_cell(attributes)
        elif name in (FILLED, OWN_TEXT):
            self.counter.count(name)
            self.reads = name == FILLED
        elif name == _TEXT:
            self.reads = not self.phonetic
        elif name == ROW:
            self.counter.count(name)
            self.number, self.column = int(attributes.get("r") or self.number + 1), -1
            if self.number < 1:
                raise ValueError
        elif name == _PHONETIC:
            self.phonetic = True
        elif name == _MERGED:
            self._merge(attributes["ref"])

    def _start_cell(self, attributes: dict[str, str]) -> None:
        if place := attributes.get("r"):
            self.column = _column_of(place)
        else:
            self.column += 1
        self.kind, self.style = attributes.get("t", "n"), attributes.get("s", "0")
        self.parts = []

    def end(self, name: str) -> None:
        if name in (FILLED, _TEXT):
            self.reads = False
        elif name == CELL:
            if self.parts and self.column < self.book.columns:
                self._add("".join(self.parts))
        elif name == _PHONETIC:
            self.phonetic = False

    def text(self, text: str) -> None:
        if self.reads:
            self.parts.append(text)

    def _add(self, text: str) -> None:
        if self.number > settings.IMPORT_ROWS:
            message = _("it has more than %(most)s rows: divide it into several files")
            raise UnreadableFileError(message % {"most": settings.IMPORT_ROWS})
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

    def _merge(self, reference: str) -> None:
        first, _colon, last = reference.replace("$", "").partition(":")
        begin, end = (int(place.lstrip(_LETTERS)) for place in (first, last or first))
        if begin < end:
            self.merged.setdefault(begin, []).append((_column_of(first), end))


def _unescape(text: str) -> str:
    """Return a text with the characters that its escapes stand for, such as `_x000D_`."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def _column_of(place: str) -> int:
    return int(column_index_from_string(place.rstrip("0123456789").replace("$", ""))) - 1
