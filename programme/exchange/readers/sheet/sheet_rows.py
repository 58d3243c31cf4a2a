"""Builds the rows of the sheets that are read, each with the columns of its own sheet."""

from collections.abc import Sequence
from itertools import chain

import msgspec
from django.utils.translation import gettext as _

from programme.exchange.readers.sheet.columns import IDENTITY
from programme.exchange.readers.sheet.grouping import assign_ids
from programme.exchange.readers.sheet.mapping import Mapping, Sheet
from programme.exchange.readers.sheet.rows import SheetRow, build_row
from programme.exchange.time_limit import check_time
from programme.exchange.values import Problem
from programme.exchange.workbook import WorkbookSheet, locate_row, name_row


class SheetRows:
    """The rows of a file: `listed` are all of its sheets, `sheets` those that are read."""

    def __init__(self, listed: Sequence[WorkbookSheet], sheets: Sequence[Sheet], language: str) -> None:
        self.listed = listed
        self.sheets = sheets
        # By the names of the sheets of the file.
        self.mappings = {
            name: sheet.mapping.in_language(language) for sheet in sheets for name in sheet.parts
        }

    @property
    def fields(self) -> set[str]:
        return set().union(*(mapping.sources for mapping in self.mappings.values()))

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """The headings that are read, with their fields; those of several sheets once."""
        return tuple(dict.fromkeys(chain.from_iterable(each.columns for each in self.mappings.values())))

    @property
    def have_identities(self) -> bool:
        """Whether all sheets have the columns by which this service knows its own."""
        return all({"last_modified", IDENTITY} <= each.sources.keys() for each in self.mappings.values())

    def find_mapping(self, number: int) -> Mapping:
        """Return the mapping of a row, by its number."""
        if len(self.mappings) == 1:
            return next(iter(self.mappings.values()))
        return self.mappings[locate_row(self.listed, number)[0]]

    def find_heading(self, field: str) -> str:
        headings = (each.heading_of(field) for each in self.mappings.values())
        return next(filter(None, headings), "")

    def name_cell(self, row: SheetRow, field: str) -> str:
        where = name_row(self.listed, row.number)
        if heading := self.find_mapping(row.number).heading_of(field):
            return _("%(row)s, %(column)s") % {"row": where, "column": heading}
        return where

    def build(self) -> tuple[list[SheetRow], list[Problem]]:
        """Return the rows in the order of the file; those repeated below the same headings once."""
        rows: list[SheetRow] = []
        repeated: list[Problem] = []
        for sheet in self.sheets:
            seen: dict[tuple[str, ...], int] = {}
            for number, cells in ((each.number, each.cells) for each in sheet.rows):
                check_time()
                if cells in seen:
                    repeated.append(self._describe_repeated(number, seen[cells]))
                    continue
                row = self._build_row(number, cells)
                # A row without a title continues the event above, and may well be repeated for two events.
                if row.text("title"):
                    seen[cells] = number
                rows.append(row)
        return sorted(rows, key=lambda row: row.number), repeated

    def build_with_ids(self, rows: Sequence[SheetRow], answer: str) -> list[SheetRow]:
        """Return rows with their IDs as answered."""
        self.mappings = {name: assign_ids(each, answer) for name, each in self.mappings.items()}
        cells = {each.number: each.cells for sheet in self.sheets for each in sheet.rows}
        return [self._build_row(row.number, cells[row.number]) for row in rows]

    def _build_row(self, number: int, cells: tuple[str, ...]) -> SheetRow:
        row = build_row(number, cells, self.find_mapping(number))
        sheet, _number = locate_row(self.listed, number)
        return msgspec.structs.replace(row, sheet=sheet) if sheet else row

    def _describe_repeated(self, number: int, first: int) -> Problem:
        what = _("the same as %(row)s, word for word; taken once") % {"row": name_row(self.listed, first)}
        return Problem(name_row(self.listed, number), what, number)
