"""Refuses workbooks that would take far more memory or time than their size suggests."""

import io
import zipfile
from collections import Counter
from typing import Any
from xml.parsers import expat

from django.conf import settings
from django.utils.translation import gettext as _

from programme.exchange.values import UnreadableFileError

# How much larger than the file its unpacked content may be: ten times what spreadsheet programs reach.
_LARGEST_RATIO = 200
_BLOCK = 65_536
_PARSED = (".xml", ".rels")
# A filled cell has a value, or a text of its own.
_FILLED, _OWN_TEXT, _SHARED_STRING = "v", "is", "si"
# They cost time and memory when they are empty, too.
_ROW, _CELL, _IN_ROW = "row", "c", "c of the row"
# Spreadsheet programs may write all rows that a sheet can have, if they are formatted.
_ROWS_OF_SHEET, _CELLS_OF_ROW = 1_048_576, 16_384
# Many cells are only formatted, and the list of cells with formulas names each again.
_EMPTY_CELLS = 2


def refuse_bombs(content: bytes) -> None:
    """Raise `UnreadableFileError` for a workbook that is damaged, or above a limit of the settings."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _refuse_size(sum(entry.file_size for entry in archive.infolist()), len(content))
            parts = [entry for entry in archive.infolist() if entry.filename.endswith(_PARSED)]
            in_all: Counter[str] = Counter()
            for part in parts:
                with archive.open(part) as file:
                    _count_elements(file, in_all)
    except (zipfile.BadZipFile, expat.ExpatError, ValueError, OSError, NotImplementedError, RuntimeError):
        raise UnreadableFileError(_("it is cut off or damaged")) from None


def _refuse_size(unpacked: int, packed: int) -> None:
    """Compare the size that the archive declares; no more than that is ever unpacked."""
    if unpacked > min(settings.IMPORT_UNPACKED_MB * 1_000_000, _LARGEST_RATIO * packed):
        message = _(
            "it would be far too large unpacked: more than %(most)s MB, or than 200 times its own size"
        )
        raise UnreadableFileError(message % {"most": settings.IMPORT_UNPACKED_MB})


def _count_elements(file: Any, in_all: Counter[str]) -> None:
    """Count the elements of a part; rows and cells in `in_all`, which all parts share."""
    limits = {_FILLED: settings.IMPORT_CELLS, _OWN_TEXT: settings.IMPORT_CELLS}
    limits[_SHARED_STRING] = settings.IMPORT_SHARED_STRINGS
    limits |= {_ROW: _ROWS_OF_SHEET + settings.IMPORT_ROWS, _CELL: _EMPTY_CELLS * settings.IMPORT_CELLS}
    in_part: Counter[str] = Counter()

    def start(name: str, _attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        if local in limits:
            found = in_all if local in (_ROW, _CELL) else in_part
            found[local] += 1
            if local == _ROW:
                in_part[_IN_ROW] = 0
            elif local == _CELL and _IN_ROW in in_part:
                in_part[_IN_ROW] += 1
            # Each row is built as a whole.
            if found[local] > limits[local] or in_part[_IN_ROW] > _CELLS_OF_ROW:
                raise UnreadableFileError(_describe(local, limits[local]))

    def refuse_doctype(*_declared: Any) -> None:
        raise UnreadableFileError(_("it is no workbook that can be read: save it again as XLSX"))

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse_doctype
    while block := file.read(_BLOCK):
        parser.Parse(block)
    parser.Parse(b"", True)


def _describe(local: str, most: int) -> str:
    if local == _SHARED_STRING:
        message = _("it has more than %(most)s different texts: copy the rows you need into a new workbook")
    elif local in (_ROW, _CELL):
        message = _("its sheets reach too far: copy the rows and columns you need into a new workbook")
    else:
        message = _("it has more than %(most)s filled cells: delete the columns that are not needed")
    return message % {"most": most}
