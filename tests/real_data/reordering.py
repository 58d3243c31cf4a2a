"""Writes a file again in another order, which says the same."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from xml.etree import ElementTree as ET

from openpyxl import load_workbook

_COMPONENT = re.compile(r"BEGIN:VEVENT\r?\n.*?END:VEVENT\r?\n?", re.DOTALL)
Part = TypeVar("Part")


def _shuffle(parts: list[Part]) -> list[Part]:
    return Random(24).sample(parts, len(parts))  # noqa: S311 - the same each time


def reorder(path: Path) -> bytes | None:
    """Return the file's content in another order; None for a kind of file whose order says something."""
    write = _WRITERS.get(path.suffix)
    return write(path.read_bytes()) if write else None


def _reorder_csv(content: bytes) -> bytes:
    head, *rows = _read_csv(content)
    file = io.StringIO(newline="")
    csv.writer(file).writerows([head, *_reorder_rows(rows)])
    return file.getvalue().encode()


def _read_csv(content: bytes) -> list[list[str]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252")
    first = text.partition("\n")[0]
    separator = max(";,\t", key=first.count)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))


def _reorder_workbook(content: bytes) -> bytes:
    """Keep the two first rows, a title and the headings."""
    book, file = load_workbook(io.BytesIO(content)), io.BytesIO()
    sheet = book.active
    rows = [list(row) for row in sheet.iter_rows(min_row=3, values_only=True)]
    for number, row in enumerate(_reorder_rows(rows), 3):
        for column, value in enumerate(row, 1):
            sheet.cell(number, column).value = value
    book.save(file)
    return file.getvalue()


def _reorder_rows(rows: list[list[Any]]) -> Iterator[list[Any]]:
    """Yield the rows, each with those below it that continue it."""
    parts: list[list[list[Any]]] = []
    for row in rows:
        if parts and row[0] in ("", None):
            parts[-1].append(row)
        else:
            parts.append([row])
    for part in _shuffle(parts):
        yield from part


def _reorder_json(content: bytes) -> bytes:
    def reordered(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: reordered(each) for name, each in value.items()}
        if not isinstance(value, list):
            return value
        found = [reordered(each) for each in value]
        is_programme = all(isinstance(each, dict) and "title" in each for each in found)
        return _shuffle(found) if is_programme else found

    return json.dumps(reordered(json.loads(content))).encode()


def _reorder_xml(content: bytes) -> bytes:
    tree = ET.fromstring(content)
    for room in tree.iter("room"):
        if events := room.findall("event"):
            room[:] = _shuffle(events)
    return ET.tostring(tree, encoding="utf-8")


def _reorder_calendar(content: bytes) -> bytes:
    text = content.decode()
    components = iter(_shuffle(_COMPONENT.findall(text)))
    return _COMPONENT.sub(lambda _match: next(components), text).encode()


_WRITERS: dict[str, Callable[[bytes], bytes]] = {
    ".csv": _reorder_csv,
    ".xlsx": _reorder_workbook,
    ".json": _reorder_json,
    ".xml": _reorder_xml,
    ".frab": _reorder_xml,
    ".ics": _reorder_calendar,
}
