"""The cells of an upload's rows: as the preview shows them, and as an editor corrects them there."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from programme.backoffice.imports.uploads import OF_EXPORTS, list_fields
from programme.changes.difference import Difference
from programme.exchange.readers.sheet.columns import IDENTITY
from programme.exchange.readers.sheet.corrections import CellRow, SheetCells
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


class Cell(NamedTuple):
    """A cell: its text as it is read, that of the file, and what is wrong with it."""

    key: str
    label: str
    text: str
    file: str
    is_corrected: bool
    is_long: bool
    why: str = ""
    # So many other rows have the same text.
    others: int = 0

    @property
    def difference(self) -> Difference:
        return Difference(self.label, self.file, self.text)


def load_cells(preview: Mapping[str, Any]) -> SheetCells:
    return SheetCells.unpack(preview.get("cells", ""))


def list_cells(cells: SheetCells, place: int, field: str = "", why: str = "") -> list[Cell]:
    """Return the cells of a row, with what is wrong with one of them."""
    row = cells.rows[place - 1]
    columns = list_columns(cells, row)
    found = {each: _build(row, place, each, label) for each, label in columns.items()}
    if wrong := next((each for each in (field, *_ELSEWHERE.get(field, ())) if each in found), ""):
        found[wrong] = found[wrong]._replace(why=why, others=len(_find_same(cells, row, wrong)))
    return list(found.values())


def list_columns(cells: SheetCells, row: CellRow) -> dict[str, str]:
    """Return the fields that a row has cells for, with their headings, and their names if these repeat."""
    columns = cells.headings.get(row.sheet, ())
    # A sheet of this service knows its rows by these.
    hidden = OF_EXPORTS | ({IDENTITY} if "last_modified" in dict(columns) else set())
    headings, names = [heading for _field, heading in columns], dict(list_fields())
    return {
        field: heading if headings.count(heading) == 1 else f"{heading} ({names.get(field, field)})"
        for field, heading in columns
        if field not in hidden
    }


def _build(row: CellRow, place: int, field: str, label: str) -> Cell:
    text = row.text(field)
    is_long = field in PROSE or "\n" in text or "\r" in text or len(text) > _LONG
    return Cell(
        *(_write_key(row, place, field), label, text, row.texts.get(field, "")),
        *(field in row.corrected, is_long),
    )


def _write_key(row: CellRow, place: int, field: str) -> str:
    """Return what a cell is called, by which no other is corrected if the file was replaced meanwhile."""
    digest = hashlib.sha256(repr(sorted(row.texts.items())).encode()).hexdigest()[:8]
    return f"{place}-{digest}-{field}"


def list_corrected(cells: SheetCells) -> Iterator[tuple[CellRow, Cell]]:
    for place, row in enumerate(cells.rows, 1):
        for field, label in list_columns(cells, row).items() if row.corrected else ():
            if field in row.corrected:
                yield row, _build(row, place, field, label)


def keep_corrections(upload: Upload, sent: Mapping[str, str]) -> set[int]:
    """Store the cells that a form has corrected or taken back, and return the places of their rows."""
    cells = load_cells(upload.preview or {})
    rows = dict(enumerate(cells.rows, 1))
    typed = {name.removeprefix(_CELL): text for name, text in sent.items() if name.startswith(_CELL)}
    given: dict[str, str | None] = {**typed, sent.get("back", ""): None}
    for key, text in given.items():
        for place, field in _find_cells(cells, key, everywhere=f"also-{key}" in sent):
            rows[place] = _correct(rows[place], field, text)
    changed = {place for place, row in rows.items() if row is not cells.rows[place - 1]}
    if changed:
        kept = msgspec.structs.replace(cells, rows=tuple(rows.values())).corrections
        upload.options |= {"corrections": msgspec.to_builtins(kept)}
        upload.save(update_fields=["options"])
    return changed


def _find_cells(cells: SheetCells, key: str, *, everywhere: bool) -> Iterator[tuple[int, str]]:
    """Yield the place and the field of a cell, and with `everywhere` of those with the same text."""
    match = _KEY.fullmatch(key)
    place, field = (int(match[1]), match[2]) if match else (0, "")
    if not 0 < place <= len(cells.rows) or _write_key(cells.rows[place - 1], place, field) != key:
        return
    row = cells.rows[place - 1]
    if field in list_columns(cells, row):
        yield place, field
        for each in _find_same(cells, row, field) if everywhere else ():
            yield each, field


def _find_same(cells: SheetCells, row: CellRow, field: str) -> list[int]:
    """Return the places of the other rows that have the same text."""
    text = row.text(field)
    others = ((place, each) for place, each in enumerate(cells.rows, 1) if each is not row)
    return [place for place, each in others if text and each.text(field) == text]


def _correct(row: CellRow, field: str, text: str | None) -> CellRow:
    """Return a row with a text, of None that of the file; unchanged if it is the same text."""
    stated = row.texts.get(field, "")
    text = stated if text is None else clean_prose(text)
    if text == clean_prose(row.text(field)):
        return row
    corrected = {name: each for name, each in row.corrected.items() if name != field}
    corrected |= {field: text} if text not in (stated, clean_prose(stated)) else {}
    return msgspec.structs.replace(row, corrected=corrected)
