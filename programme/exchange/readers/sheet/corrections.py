"""Values that editors have said for texts of cells: in all rows that have them, or in one row alone."""

import hashlib
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from feeds.names import fold
from programme.exchange.questions import Answers
from programme.exchange.readers.sheet.columns import IDENTITY
from programme.exchange.readers.sheet.rows import SheetRow
from programme.exchange.readers.sheet.said import VALUE, build_value_key
from programme.models.cleaning import clean_line

_IDS = ("event_id", IDENTITY)
_WHEN_AND_WHERE = ("day", "festival_day", "weekday", "start", "location", "room")
# What is said of a text to leave its cell empty.
EMPTY = " "


class CellRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cells of a row as the file has them, and what they were corrected to, by field.

    `title` is that of its event, which another row with its ID may have. The row is `alone` if no other has
    its IDs, or without IDs its title.
    """

    texts: dict[str, str]
    corrected: dict[str, str] = {}
    title: str = ""
    alone: bool = False
    sheet: str = ""

    def text(self, field: str) -> str:
        """Return a text as it is read."""
        return self.corrected.get(field, self.texts.get(field, ""))

    @property
    def name(self) -> str:
        """The title of its event, '' if there is none."""
        return clean_line(self.text("title") or self.title)

    @property
    def identity(self) -> tuple[str, ...]:
        """The IDs of the row, without any its title."""
        ids = tuple(self.texts.get(name, "") for name in _IDS)
        return ids if any(ids) else (fold(self.title),)

    def key(self, field: str) -> str:
        """Return the key of this row's cell: by its IDs or title, else its time and place too."""
        known_by = [*self.identity]
        if not (self.alone and any(known_by)):
            known_by += [self.texts.get(name, "") for name in _WHEN_AND_WHERE if name != field]
        digest = hashlib.sha256(repr(known_by).encode()).hexdigest()[:12]
        return build_value_key(field, self.texts.get(field, ""), digest)

    def list_keys(self, field: str) -> tuple[str, ...]:
        """Return the keys of a cell: its own, and unless it is empty that of its text in all rows."""
        text = self.texts.get(field, "")
        return (self.key(field), build_value_key(field, text)) if text else (self.key(field),)


class SheetCells(msgspec.Struct, frozen=True):
    """The rows of a file, and the fields of its columns with their headings."""

    rows: tuple[CellRow, ...] = ()
    headings: dict[str, tuple[tuple[str, str], ...]] = {}

    def list_keys(self, places: Collection[int]) -> set[str]:
        """Return the keys of what was said of some rows."""
        rows = (each for place, each in enumerate(self.rows, 1) if place in places)
        return {key for row in rows for field in row.corrected for key in row.list_keys(field)}

    def pack(self) -> str:
        """Return the cells as a short text: those of a large file are stored with its preview."""
        return b64encode(zlib.compress(msgspec.msgpack.encode(self), 1)).decode()

    @classmethod
    def unpack(cls, text: str) -> "SheetCells":
        return msgspec.msgpack.decode(zlib.decompress(b64decode(text)), type=cls) if text else cls()


def correct_rows(rows: Sequence[SheetRow], answers: Answers) -> tuple[list[SheetRow], tuple[CellRow, ...]]:
    """Return rows with the values that were said, and their cells in the same order."""
    said = {key: value for key, value in answers.items() if key.startswith(f"{VALUE}:") and value}
    fields = {field for texts in {row.sheet: row.texts for row in rows}.values() for field in texts}
    fields = {field for field in fields if any(key.startswith(f"{VALUE}:{field}:") for key in said)}
    cells = tuple(_correct(each, said, fields) for each in _list_cells(rows))
    corrected = [
        replace(
            row,
            texts=row.texts | each.corrected,
            place=place,
            shares_day=row.shares_day and "day" not in each.corrected,
            is_late=None if "day" in each.corrected else row.is_late,
        )
        for place, (row, each) in enumerate(zip(rows, cells, strict=True), 1)
    ]
    return corrected, cells


def _correct(cell: CellRow, said: Answers, fields: Collection[str]) -> CellRow:
    found = {
        field: next((said[key] for key in cell.list_keys(field) if key in said), None)
        for field in fields
        if field in cell.texts
    }
    corrected = {field: value.strip() for field, value in found.items() if value is not None}
    return replace(cell, corrected=corrected) if corrected else cell


def _list_cells(rows: Sequence[SheetRow]) -> Iterator[CellRow]:
    """Yield the cells of rows; one without a title has the one that its ID has elsewhere."""
    named = {row.text(_IDS[0]): title for row in rows if (title := row.text("title"))} | {"": ""}
    titles = [row.text("title") or named.get(row.text(_IDS[0]), "") for row in rows]
    cells = [CellRow(row.texts, {}, title, sheet=row.sheet) for row, title in zip(rows, titles, strict=True)]
    counts = Counter(each.identity for each in cells)
    yield from (replace(each, alone=counts[each.identity] == 1) for each in cells)
