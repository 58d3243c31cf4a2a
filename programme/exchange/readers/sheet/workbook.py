"""Reads the sheets of workbooks of Excel, old ones too, and of OpenDocument, in a process of its own."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
from django.conf import settings
from django.utils.translation import gettext_lazy

from programme.exchange.values import UnreadableFileError

# How much larger than the file its unpacked content may be: ten times what spreadsheet programs reach.
_LARGEST_RATIO = 200
_PROCESS = Path(__file__).with_name("workbook_process.py")
# One of the parts that every workbook has, and no other zip file.
_PARTS = {"_rels/.rels", "content.xml"}
ZIP, COMPOUND = b"PK\x03\x04", bytes.fromhex("d0cf11e0a1b11ae1")
# By what the process answers instead of sheets, and what a zip file looks like.
_REFUSALS = {
    "rows": gettext_lazy("it has more than %(most)s rows: divide it into several files"),
    "cells": gettext_lazy("it has more than %(most)s filled cells: delete the columns that are not needed"),
    "memory": gettext_lazy(
        "it would be far too large unpacked: more than %(most)s MB, or than 200 times its own size"
    ),
    "unreadable": gettext_lazy("it is no spreadsheet that can be read: save it again as XLSX"),
    "locked": gettext_lazy(
        "it is an old Excel file (.xls) or has a password: save it as a new one (.xlsx) without a password"
    ),
    "other": gettext_lazy("it is a zip file, but no spreadsheet: unpack it, and import its files one by one"),
    "damaged": gettext_lazy("it is cut off or damaged"),
}
_LIMITS = {"rows": "IMPORT_ROWS", "cells": "IMPORT_CELLS", "memory": "IMPORT_UNPACKED_MB"}


class FilledSheet(msgspec.Struct, array_like=True):
    """The filled rows of a sheet with their numbers, and its marks as a `Table` has them."""

    name: str
    hidden: bool
    rows: list[tuple[int, list[str]]]
    merged: tuple[tuple[int, int, int, int], ...]
    hidden_rows: list[int]
    hidden_columns: list[int]
    struck: list[tuple[int, int]]


def read_workbook(content: bytes, columns: int) -> list[FilledSheet]:
    """Return all sheets in their order, with so many columns. Raises `UnreadableFileError`."""
    if content.startswith(ZIP):
        _refuse_archive(content)
    limits = (settings.IMPORT_ROWS, settings.IMPORT_CELLS, columns)
    command = [sys.executable, "-P", str(_PROCESS), *map(str, limits)]
    done = subprocess.run(command, input=content, stdout=subprocess.PIPE, check=False)  # noqa: S603
    if done.returncode > 0:
        raise subprocess.CalledProcessError(done.returncode, command)
    # A signal has ended it where it needed too much.
    found = msgspec.json.decode(done.stdout or b'"memory"', type=list[FilledSheet] | str)
    if isinstance(found, str):
        raise refuse("locked" if found == "unreadable" and not content.startswith(ZIP) else found)
    return found


def _refuse_archive(content: bytes) -> None:
    """Compare the size that a zip file declares, before any of it is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
            is_other = _PARTS.isdisjoint(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError):
        raise refuse("damaged") from None
    if unpacked > min(settings.IMPORT_UNPACKED_MB * 1_000_000, _LARGEST_RATIO * len(content)):
        raise refuse("memory")
    if is_other:
        raise refuse("other")


def refuse(reason: str) -> UnreadableFileError:
    return UnreadableFileError(_REFUSALS[reason] % {"most": getattr(settings, _LIMITS.get(reason, ""), "")})
