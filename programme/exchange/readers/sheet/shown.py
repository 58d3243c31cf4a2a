"""Shows the first rows of sheets as they are, and what they are taken for and why."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from programme.exchange.readers.sheet.layout import Grid, Kind, Layout, Meaning, Unfolded
from programme.exchange.readers.sheet.layouts import (
    TABLE,
    describe_layout,
    find_columns,
    find_heading,
    find_layout,
    list_headings,
    read_by,
)
from programme.exchange.readers.sheet.mapping import Sheet
from programme.exchange.readers.sheet.said import build_row_key, find_body, list_column_keys, name_column
from programme.exchange.readers.sheet.sections import split_heading
from programme.exchange.readers.sheet.tables import Table
from programme.exchange.text.lines import truncate
from programme.exchange.values import ImportDefaults

# As JSON values: it is stored with the preview.
Shown = dict[str, Any]
SHOWN_ROWS, _LONGEST_CELL = 20, 80
# So many rows of a plain table are looked at to show it.
_LOOKED_AT = 60
# Why a column is taken for something.
SAID, HEADING, CELLS, HIDDEN = "said", "heading", "cells", "hidden"
# The fields that the cells of layouts are.
_FIELDS = {Meaning.TITLE: "title", Meaning.DAY: "day", Meaning.TIME: "start", Meaning.PLACE: "location"}


def show_sheets(
    tables: Sequence[Table],
    layouts: Mapping[str, Unfolded],
    sheets: Sequence[Sheet],
    defaults: ImportDefaults,
) -> list[Shown]:
    """Return the filled sheets of a file; `sheets` are those that are tables by now, read or not."""
    by_name = {name: sheet for sheet in sheets for name in sheet.parts}
    names = [table.name for table in tables]
    return [
        _ShownSheet(table, layouts.get(table.name), names, defaults).show(by_name.get(table.name))
        for table in tables
        if table.rows
    ]


class _ShownSheet:
    def __init__(
        self, table: Table, unfolded: Unfolded | None, names: Sequence[str], defaults: ImportDefaults
    ) -> None:
        self.table, self.answers = table, defaults.answers
        # The beginning of a plain table is enough to show it.
        looked_at = table if unfolded else replace(table, rows=table.rows[:_LOOKED_AT])
        self.grid = Grid(looked_at, defaults.days)
        self.layout = unfolded.layout if unfolded else find_layout(self.grid, names, self.answers) or Layout()
        cells = (unfolded or read_by(self.grid, self.layout)).cells
        self.roles = {(each.row, each.column): each.role for each in cells}
        self.unused = sum(each.role is Meaning.UNUSED for each in cells) if unfolded else 0
        axes = f"{self.layout.down}-{self.layout.across}" if self.layout.kind is Kind.GRID else TABLE
        self.body = find_body(table.name, names, self.answers) and axes
        # The rows that are shown.
        self.numbers = self.grid.numbers[:SHOWN_ROWS]

    def show(self, sheet: Sheet | None) -> Shown:
        return {
            "name": self.table.name,
            "layout": describe_layout(self.layout),
            "body": self.body,
            "columns": list(self._show_columns(sheet)),
            "rows": list(self._show_rows()),
            "is_cut": len(self.table.rows) > SHOWN_ROWS,
            "unused": self.unused,
        }

    def _show_columns(self, sheet: Sheet | None) -> Iterator[Shown]:
        headings = list_headings(self.grid, self.layout)
        uses = find_columns(self.grid, self.layout, self.answers)
        asked = {each.key for each in sheet.questions} if sheet else set[str]()
        read = _find_fields(sheet) if sheet else {}
        for number, (heading, key) in enumerate(zip(headings, list_column_keys(headings), strict=True)):
            _place, own = split_heading(heading)
            use, fields = uses.get(number), read.get(key) or read.get(list_column_keys([own])[0]) or ()
            if use is not None:
                fields, why = use.fields, SAID
            elif number in self.table.left_out[1]:
                why = HIDDEN
            else:
                why = CELLS if fields and key in asked else HEADING if fields else ""
                fields = fields or self._find_usual(number)
            said = "" if use is None else str(use)
            yield {
                "name": name_column(number),
                "heading": heading,
                "fields": fields,
                "why": why,
                "said": said,
            }

    def _find_usual(self, column: int) -> tuple[str, ...]:
        """Return the field that most cells of a column are, where its heading does not say it."""
        roles = (role for (_row, number), role in self.roles.items() if number == column)
        counts = Counter(role for role in roles if role in _FIELDS)
        return (_FIELDS[counts.most_common(1)[0][0]],) if counts else ()

    def _role(self, row: int, column: int) -> Meaning:
        return self.roles.get((row, column), Meaning.UNUSED)

    def _show_rows(self) -> Iterator[Shown]:
        heading = find_heading(self.grid, self.layout)
        hidden = (row for row in self.table.left_out[0] if not self.numbers or row < self.numbers[-1])
        for row in sorted([*self.numbers, *hidden]):
            if row not in self.grid.rows:
                yield {"number": row, "role": HIDDEN}
                continue
            is_used = any(self._role(row, n) is not Meaning.UNUSED for n in self.grid.filled(row))
            key = self.grid.key(row)
            usual = Meaning.HEADING if row == heading else Meaning.TITLE if is_used else Meaning.UNUSED
            role, said = self.layout.rows.get(key, usual).value, self.answers.get(build_row_key(key), "")
            yield {"number": row, "role": role, "said": said, "cells": list(self._show_cells(row))}

    def _show_cells(self, row: int) -> Iterator[Shown]:
        grid = self.grid
        for column in (n for n in range(grid.width) if grid.is_first(row, n)):
            last, right = grid.ends.get((row, column), (row, column))
            yield {
                "text": truncate(grid.text(row, column), _LONGEST_CELL),
                "role": self._role(row, column).value,
                "rows": sum(row <= number <= last for number in self.numbers),
                "columns": min(right, grid.width - 1) - column + 1,
                "is_struck": (row, column) in grid.struck,
            }


def _find_fields(sheet: Sheet) -> dict[str, tuple[str, ...]]:
    """Return the fields of the columns of a table, by the columns' keys."""
    found: dict[str, tuple[str, ...]] = {}
    keys = list_column_keys(sheet.mapping.headings)
    for field, source in sheet.mapping.sources.items():
        for column in source.columns:
            found[keys[column]] = (*found.get(keys[column], ()), field)
    return found
