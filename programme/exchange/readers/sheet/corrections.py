"""Corrections of cells: each holds for its row in every version of a file that has the same text there."""

import zlib
from base64 import b64decode, b64encode
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

import msgspec
from django.utils.translation import ngettext
from msgspec.structs import replace

from feeds.names import fold
from programme.exchange.readers.sheet.columns import IDENTITY
from programme.exchange.readers.sheet.rows import SheetRow
from programme.models.cleaning import clean_line

_IDS = ("event_id", IDENTITY)
_WHEN_AND_WHERE = ("day", "festival_day", "weekday", "start", "location", "room")
# What tells rows apart: their identity, and their time and place unless they are the only ones with it.
Identity = tuple[str, ...]
Key = tuple[Identity, Identity | None]


class CellRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cells of a row as the file has them, and what they were corrected to, by field.

    `title` is that of its event, which another row with its ID may have. The row is `alone` if no other has
    its IDs, or without IDs its title. `number` and `sheet` are where it is: another version may have it
    elsewhere.
    """

    texts: dict[str, str]
    corrected: dict[str, str] = {}
    title: str = ""
    alone: bool = False
    number: int = 0
    sheet: str = ""

    def text(self, field: str) -> str:
        """Return a text as it is read."""
        return self.corrected.get(field, self.texts.get(field, ""))

    @property
    def name(self) -> str:
        """The title of its event, '' if there is none."""
        return clean_line(self.text("title") or self.title)

    def find_outdated(self, stated: "CellRow") -> list[str]:
        """Return the corrected fields of which the file states something else by now."""
        return [
            field
            for field, text in self.corrected.items()
            if stated.texts.get(field, "") not in (self.texts.get(field, ""), text)
        ]


class SheetCells(msgspec.Struct, frozen=True):
    """The rows of a file, the fields of its columns with their headings, and corrections without a row."""

    rows: tuple[CellRow, ...] = ()
    headings: dict[str, tuple[tuple[str, str], ...]] = {}
    missing: tuple[CellRow, ...] = ()

    @property
    def corrections(self) -> list[CellRow]:
        """The corrections as they are kept for the next version."""
        corrected = (each for each in self.rows if each.corrected)
        return [*self.missing, *(replace(each, number=0, sheet="") for each in corrected)]

    def pack(self) -> str:
        """Return the cells as a short text: those of a large file are stored with its preview."""
        return b64encode(zlib.compress(msgspec.msgpack.encode(self), 1)).decode()

    @classmethod
    def unpack(cls, text: str) -> "SheetCells":
        return msgspec.msgpack.decode(zlib.decompress(b64decode(text)), type=cls) if text else cls()


class CorrectedRows(msgspec.Struct, frozen=True):
    """Rows with what was corrected in them, their cells in the same order, and what no longer holds.

    `outdated` are rows and fields of which the file itself has another text by now; `missing` are corrections
    of rows that it does not have.
    """

    rows: list[SheetRow]
    cells: tuple[CellRow, ...]
    missing: tuple[CellRow, ...]
    outdated: tuple[tuple[SheetRow, str], ...]

    @property
    def remark(self) -> str:
        message = ngettext(
            "%(count)d row that was corrected here is not in this file",
            "%(count)d rows that were corrected here are not in this file",
            len(self.missing),
        )
        return message % {"count": len(self.missing)}


def correct_rows(rows: Sequence[SheetRow], corrections: Sequence[CellRow]) -> CorrectedRows:
    """Apply corrections to the rows of any version of a file, whatever their order."""
    cells = _list_cells(rows)
    found = _match(cells, corrections)
    outdated = [
        (rows[n], field) for n, c in sorted(found.items()) for field in corrections[c].find_outdated(cells[n])
    ]
    for place, number in found.items():
        cells[place] = _correct(cells[place], corrections[number])
    used = set(found.values())
    missing = tuple(each for number, each in enumerate(corrections) if number not in used)
    corrected = [
        replace(
            row,
            texts=row.texts | {name: text for name, text in each.corrected.items() if name in row.texts},
            place=place,
            shares_day=row.shares_day and "day" not in each.corrected,
            is_late=None if "day" in each.corrected else row.is_late,
        )
        for place, (row, each) in enumerate(zip(rows, cells, strict=True), 1)
    ]
    return CorrectedRows(corrected, tuple(cells), missing, tuple(outdated))


def _list_cells(rows: Sequence[SheetRow]) -> list[CellRow]:
    titles = list(_find_titles(rows))
    identities = [_identify(row.texts, title) for row, title in zip(rows, titles, strict=True)]
    counts = Counter(identities)
    return [
        CellRow(row.texts, {}, title, counts[identity] == 1, row.number, row.sheet)
        for row, title, identity in zip(rows, titles, identities, strict=True)
    ]


def _find_titles(rows: Sequence[SheetRow]) -> Iterator[str]:
    """Yield the title of each row, without its own the one that its ID has elsewhere."""
    named = {row.text(_IDS[0]): title for row in rows if (title := row.text("title"))} | {"": ""}
    yield from (row.text("title") or named.get(row.text(_IDS[0]), "") for row in rows)


def _identify(texts: dict[str, str], title: str) -> Identity:
    """Return the IDs of a row, without any its title."""
    ids = (texts.get(_IDS[0], ""), texts.get(_IDS[1], ""))
    return ids if any(ids) else (fold(title),)


def _match(cells: Sequence[CellRow], corrections: Sequence[CellRow]) -> dict[int, int]:
    """Return the corrections of rows, by their places: of several, those with most in common."""
    indexes = {apart: _index(cells, apart) for apart in {frozenset(each.corrected) for each in corrections}}
    pairs = []
    for number, each in enumerate(corrections):
        places = indexes[frozenset(each.corrected)]
        for place in {place for key in _list_keys(each) for place in places.get(key, ())}:
            cell = cells[place]
            common = len(each.texts.items() & cell.texts.items())
            pairs.append((-common, _sort_key(each), _sort_key(cell), place, number))
    found: dict[int, int] = {}
    used: set[int] = set()
    for *_order, place, number in sorted(pairs):
        if place not in found and number not in used:
            found[place] = number
            used.add(number)
    return found


def _index(cells: Sequence[CellRow], apart: Collection[str]) -> dict[Key, list[int]]:
    """Return the places of rows by what tells them apart, other than some fields."""
    places: dict[Key, list[int]] = defaultdict(list)
    for place, each in enumerate(cells):
        identity = _identify(each.texts, each.title)
        places[identity, _state(each, apart)].append(place)
        if each.alone:
            places[identity, None].append(place)
    return places


def _list_keys(correction: CellRow) -> set[Key]:
    state = _state(correction, correction.corrected)
    identities = {
        _identify(correction.texts, correction.title),
        (fold(correction.title),),
        (fold(correction.text("title")),),
    }
    keys: set[Key] = {(each, state) for each in identities}
    # Of a row that had another title, or none, time and place have to be the same.
    if correction.alone and "title" not in correction.corrected:
        keys |= {(each, None) for each in identities}
    return keys


def _state(cell: CellRow, apart: Collection[str]) -> Identity:
    return tuple(cell.texts.get(field, "") for field in _WHEN_AND_WHERE if field not in apart)


def _sort_key(cell: CellRow) -> list[tuple[str, str]]:
    return sorted(cell.texts.items())


def _correct(cell: CellRow, correction: CellRow) -> CellRow:
    return replace(
        cell,
        corrected={
            field: text
            for field, text in correction.corrected.items()
            if cell.texts.get(field, "") == correction.texts.get(field, "")
        },
    )
