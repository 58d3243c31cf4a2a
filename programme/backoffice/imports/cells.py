"""The cells of an upload's rows: as the preview shows them, and as an editor corrects them there."""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from programme.backoffice.imports.uploads import OF_EXPORTS, list_fields
from programme.changes.difference import Difference
from programme.exchange.readers.sheet.columns import IDENTITY, are_exported
from programme.exchange.readers.sheet.corrections import EMPTY, CellRow, SheetCells
from programme.exchange.readers.sheet.values import PROSE
from programme.models import Upload
from programme.models.cleaning import clean_prose

# Where a row says something that it has no column for.
_ELSEWHERE = {
    "day": ("festival_day", "weekday", "start"),
    "start": ("day", "festival_day"),
    "end": ("duration", "start"),
    "duration": ("end", "start"),
}
_CELL = "cell-"
_KEY = re.compile(r"(\d{1,6})-[0-9a-f]{8}-(\w+)")
_LONG = 60


class ShownCell(NamedTuple):
    """A cell: its text as it is read, that of the file, and what is wrong with it."""

    key: str
    label: str
    text: str
    file: str
    is_corrected: bool
    is_long: bool
    why: str = ""
    # So many other rows have the same text, and whether none of them can be read.
    others: int = 0
    is_for_all: bool = False

    @property
    def difference(self) -> Difference:
        return Difference(self.label, self.file, self.text)


def load_cells(preview: Mapping[str, Any]) -> SheetCells:
    return SheetCells.unpack(preview.get("cells", ""))


def list_cells(
    cells: SheetCells, place: int, unread: Collection[int], field: str = "", why: str = ""
) -> list[ShownCell]:
    """Return the cells of a row, with what is wrong with one; `unread` are rows that cannot be read."""
    row = cells.rows[place - 1]
    columns = list_columns(cells, row)
    found = {each: _build(row, place, each, label) for each, label in columns.items()}
    if wrong := next((each for each in (field, *_ELSEWHERE.get(field, ())) if each in found), ""):
        same = _find_same(cells, row, wrong)
        found[wrong] = found[wrong]._replace(why=why, others=len(same), is_for_all={*same} <= {*unread})
    return list(found.values())


def list_columns(cells: SheetCells, row: CellRow) -> dict[str, str]:
    """Return the fields that a row has cells for, with their headings, and their names if these repeat."""
    columns = cells.headings.get(row.sheet, ())
    # A sheet of this service knows its rows by these.
    hidden = OF_EXPORTS | ({IDENTITY} if are_exported(dict(columns)) else set())
    headings, names = [heading for _field, heading in columns], dict(list_fields())
    return {
        field: heading if headings.count(heading) == 1 else f"{heading} ({names.get(field, field)})"
        for field, heading in columns
        if field not in hidden
    }


def _build(row: CellRow, place: int, field: str, label: str) -> ShownCell:
    text = row.text(field)
    is_long = field in PROSE or "\n" in text or "\r" in text or len(text) > _LONG
    return ShownCell(
        *(_write_key(row, place, field), label, text, row.texts.get(field, "")),
        *(field in row.corrected, is_long),
    )


def _write_key(row: CellRow, place: int, field: str) -> str:
    """Return what a cell is called, by which no other is corrected if the file was replaced meanwhile."""
    digest = hashlib.sha256(repr(sorted(row.texts.items())).encode()).hexdigest()[:8]
    return f"{place}-{digest}-{field}"


def list_corrected(cells: SheetCells) -> Iterator[tuple[CellRow, ShownCell]]:
    """Yield each value that was said once, with the first row that has it, and how many others do."""
    found: dict[tuple[str, str, str], tuple[CellRow, ShownCell]] = {}
    for place, row in enumerate(cells.rows, 1):
        for field, label in list_columns(cells, row).items() if row.corrected else ():
            if field in row.corrected:
                cell = _build(row, place, field, label)
                first, shown = found.setdefault((field, cell.file, cell.text), (row, cell))
                shown = shown._replace(others=shown.others + (first is not row))
                found[field, cell.file, cell.text] = first, shown
    yield from found.values()


def keep_corrections(upload: Upload, sent: Mapping[str, str]) -> set[int]:
    """Store what a form says of cells, or takes back, and return the places of the rows that this changes."""
    cells = load_cells(upload.preview or {})
    typed = {name.removeprefix(_CELL): text for name, text in sent.items() if name.startswith(_CELL)}
    given: dict[str, str | None] = {**typed, sent.get("back", ""): None}
    said: dict[str, str] = {}
    changed: set[int] = set()
    for key, text in given.items():
        for place, field in _find_cell(cells, key):
            row = cells.rows[place - 1]
            stated, value = row.texts.get(field, ""), None if text is None else clean_prose(text)
            own, *general = row.list_keys(field)
            if value == clean_prose(row.text(field)):
                continue
            if value is None or value in (stated, clean_prose(stated)):
                said |= dict.fromkeys((own, *general), "")
            elif f"also-{key}" in sent and general:
                said |= {own: "", general[0]: value or EMPTY}
                changed |= {*_find_same(cells, row, field)}
            else:
                said[own] = value or EMPTY
            changed.add(place)
    if said:
        upload.options |= {"answers": upload.options.get("answers", {}) | said}
        upload.save(update_fields=["options"])
    return changed


def _find_cell(cells: SheetCells, key: str) -> Iterator[tuple[int, str]]:
    """Yield the place and the field of a cell, if there is one."""
    match = _KEY.fullmatch(key)
    place, field = (int(match[1]), match[2]) if match else (0, "")
    if 0 < place <= len(cells.rows) and _write_key(cells.rows[place - 1], place, field) == key:
        row = cells.rows[place - 1]
        yield from [(place, field)] if field in list_columns(cells, row) else []


def _find_same(cells: SheetCells, row: CellRow, field: str) -> list[int]:
    """Return the places of the other rows that have the same text in the file."""
    text = row.texts.get(field, "")
    others = ((place, each) for place, each in enumerate(cells.rows, 1) if each is not row)
    return [place for place, each in others if text and each.texts.get(field, "") == text]
