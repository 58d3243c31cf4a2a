"""Which of a sheet's columns fill which fields: by their headings, or as an editor has chosen."""

import ast
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec
from django.utils.translation import gettext as _

from programme.exchange.readers.sheet.columns import find_field, find_fields, fold_heading
from programme.exchange.readers.sheet.tables import Table, TableRow
from programme.exchange.values import UnreadableFileError

# A title of the conference, notes and the like may stand above the headings.
HEADINGS_WITHIN = 15
_LEAST_KNOWN = 2


class UnknownHeadingsError(UnreadableFileError):
    """No row of a sheet has headings that are known: somebody has to say what its columns are."""


class MissingColumnError(UnknownHeadingsError):
    """No column of a sheet says what every row needs."""


class Part(StrEnum):
    """Which part of a cell is taken."""

    WHOLE = "whole"
    BEFORE_COMMA = "before"
    AFTER_COMMA = "after"
    FIRST = "first"
    ALL = "all"


class Source(msgspec.Struct, frozen=True):
    """Where a field's text comes from: cells of these columns, or else a fixed text.

    They are joined, unless only the first of them that is not empty is taken.
    """

    columns: tuple[int, ...] = ()
    part: Part = Part.WHOLE
    join: str = " "
    fixed: str = ""
    first_filled: bool = False

    def text(self, cells: Sequence[str]) -> str:
        parts = [_part(cells[place], self.part) for place in self.columns if place < len(cells)]
        filled = list(filter(None, parts))
        return self.join.join(filled[:1] if self.first_filled else filled) or self.fixed


class Mapping(msgspec.Struct, frozen=True):
    """The headings of a sheet's columns, and the sources of the fields that it fills."""

    headings: tuple[str, ...]
    sources: dict[str, Source]

    @property
    def key(self) -> tuple[str, ...]:
        return fold_headings(self.headings)

    def heading_of(self, field: str) -> str:
        """Return how the columns of a field are headed, '' for a fixed text."""
        columns = self.sources[field].columns if field in self.sources else ()
        return " + ".join(self.headings[place] for place in columns if place < len(self.headings))


class Sheet(NamedTuple):
    """A table's rows below its headings, and how they are read."""

    mapping: Mapping
    rows: list[TableRow]
    # Whether an editor has said what the columns are.
    chosen: bool = False

    @property
    def unused(self) -> list[int]:
        """The columns that hold something, but fill no field; none where an editor has chosen so."""
        used = {place for source in self.mapping.sources.values() for place in source.columns}
        return [] if self.chosen else [place for place in self._filled if place not in used]

    @property
    def doubled(self) -> dict[int, str]:
        """Of these the columns that say the same as another one, by their headings; and what that is."""
        fields = {place: find_field(self.mapping.headings[place]) for place in self.unused}
        return {place: field for place, field in fields.items() if field in self.mapping.sources}

    @property
    def is_doubtful(self) -> bool:
        return len(self.unused) > len(self._filled) / 2

    @property
    def _filled(self) -> list[int]:
        """The columns with a heading that hold anything."""
        return [
            place
            for place, heading in enumerate(self.mapping.headings)
            if heading and any(place < len(row.cells) and row.cells[place] for row in self.rows)
        ]


def load_mapping(headings: Sequence[str], sources: dict[str, Any]) -> Mapping:
    """Return a mapping of what was saved of it."""
    return Mapping(tuple(headings), msgspec.convert(sources, dict[str, Source]))


def fold_headings(headings: Sequence[str]) -> tuple[str, ...]:
    """Return what two rows of the same headings have in common."""
    return tuple(map(fold_heading, headings))


def find_sheet(table: Table, saved: Sequence[Mapping] = ()) -> Sheet:
    """Return a table with its headings found: those of a saved mapping, else those that are known."""
    if not table.rows:
        raise UnreadableFileError(_("it is empty"))
    known = {mapping.key: mapping for mapping in saved}
    for place, row in enumerate(table.rows[:HEADINGS_WITHIN]):
        if mapping := known.get(fold_headings(row.cells)):
            return Sheet(mapping, list(table.rows[place + 1 :]), chosen=True)
    found = find_headings_row(table)
    mapping = map_known_headings(table.rows[found].cells) if found is not None else None
    if found is None or mapping is None or "title" not in mapping.sources:
        raise UnknownHeadingsError(
            _("none of its first rows has a heading “Title” (Titel): choose its columns on the import page")
        )
    return Sheet(mapping, list(table.rows[found + 1 :]))


def find_headings_row(table: Table) -> int | None:
    """Return which of a table's first rows holds the headings: the one with most that are known."""
    counts = [sum(map(bool, find_fields(row.cells))) for row in table.rows[:HEADINGS_WITHIN]]
    best = max(counts, default=0)
    return counts.index(best) if best >= _LEAST_KNOWN else None


def map_known_headings(headings: Sequence[str]) -> Mapping:
    """Return the mapping of headings that are known."""
    sources = {field: Source((place,)) for place, field in enumerate(find_fields(headings)) if field}
    return Mapping(tuple(headings), sources)


def _part(cell: str, part: Part) -> str:
    if part in (Part.FIRST, Part.ALL):
        items = _items(cell)
        return ", ".join(items if part == Part.ALL else items[:1])
    before, _comma, after = cell.partition(",")
    return {Part.BEFORE_COMMA: before.strip(), Part.AFTER_COMMA: after.strip()}.get(part, cell)


def _items(cell: str) -> list[str]:
    """Return the items of a list, as Python writes it or with line breaks, semicolons or bars between."""
    if cell.startswith("["):
        try:
            return [str(item).strip() for item in ast.literal_eval(cell)]
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            pass
    return [item.strip() for item in re.split(r"[\n;|]", cell) if item.strip()]
