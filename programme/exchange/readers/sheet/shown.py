"""Shows the first rows of sheets as they are, and what they are taken for and why."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from programme.exchange.questions import Answers
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
        _show(table, layouts.get(table.name), by_name.get(table.name), names, defaults)
        for table in tables
        if table.rows
    ]


def _show(
    table: Table,
    unfolded: Unfolded | None,
    sheet: Sheet | None,
    names: Sequence[str],
    defaults: ImportDefaults,
) -> Shown:
    grid, answers = Grid(table, defaults.days), defaults.answers
    if unfolded is None:
        # The beginning is enough to show it.
        grid = Grid(replace(table, rows=table.rows[:_LOOKED_AT]), defaults.days)
    layout = unfolded.layout if unfolded else find_layout(grid, names, answers) or Layout()
    cells = (unfolded or read_by(grid, layout)).cells
    roles = {(each.row, each.column): each.role for each in cells}
    is_grid = layout.kind is Kind.GRID
    axes = f"{layout.down}-{layout.across}" if is_grid else TABLE
    return {
        "name": table.name,
        "layout": describe_layout(layout),
        "body": find_body(table.name, names, answers) and axes,
        "columns": list(_show_columns(grid, layout, sheet, answers, roles)),
        "rows": list(_show_rows(grid, layout, answers, roles)),
        "is_cut": len(table.rows) > SHOWN_ROWS,
        "unused": sum(each.role is Meaning.UNUSED for each in cells) if unfolded else 0,
    }


def _show_columns(
    grid: Grid,
    layout: Layout,
    sheet: Sheet | None,
    answers: Answers,
    roles: Mapping[tuple[int, int], Meaning],
) -> Iterator[Shown]:
    headings = list_headings(grid, layout)
    uses = find_columns(grid, layout, answers)
    asked = {each.key for each in sheet.questions} if sheet else set[str]()
    read = _find_fields(sheet) if sheet else {}
    for number, (heading, key) in enumerate(zip(headings, list_column_keys(headings), strict=True)):
        _place, own = split_heading(heading)
        use, fields = uses.get(number), read.get(key) or read.get(list_column_keys([own])[0]) or ()
        if use is not None:
            fields, why = use.fields, SAID
        elif number in grid.table.left_out[1]:
            why = HIDDEN
        else:
            why = CELLS if fields and key in asked else HEADING if fields else ""
            fields = fields or _find_usual(roles, number)
        said = "" if use is None else str(use)
        yield {"name": name_column(number), "heading": heading, "fields": fields, "why": why, "said": said}


def _find_fields(sheet: Sheet) -> dict[str, tuple[str, ...]]:
    """Return the fields of the columns of a table, by the columns' keys."""
    found: dict[str, tuple[str, ...]] = {}
    keys = list_column_keys(sheet.mapping.headings)
    for field, source in sheet.mapping.sources.items():
        for column in source.columns:
            found[keys[column]] = (*found.get(keys[column], ()), field)
    return found


def _find_usual(roles: Mapping[tuple[int, int], Meaning], column: int) -> tuple[str, ...]:
    """Return the field that most cells of a column are, where its heading does not say it."""
    counts = Counter(role for (_row, number), role in roles.items() if number == column and role in _FIELDS)
    return (_FIELDS[counts.most_common(1)[0][0]],) if counts else ()


def _show_rows(
    grid: Grid, layout: Layout, answers: Answers, roles: Mapping[tuple[int, int], Meaning]
) -> Iterator[Shown]:
    shown = grid.numbers[:SHOWN_ROWS]
    heading = find_heading(grid, layout)
    hidden = (row for row in grid.table.left_out[0] if not shown or row < shown[-1])
    for row in sorted([*shown, *hidden]):
        if row not in grid.rows:
            yield {"number": row, "role": HIDDEN}
            continue
        is_used = any(roles.get((row, n), Meaning.UNUSED) is not Meaning.UNUSED for n in grid.filled(row))
        key = grid.key(row)
        usual = Meaning.HEADING if row == heading else Meaning.TITLE if is_used else Meaning.UNUSED
        read = layout.rows.get(key, usual)
        cells, said = list(_show_cells(grid, row, shown, roles)), answers.get(build_row_key(key), "")
        yield {"number": row, "role": read.value, "said": said, "cells": cells}


def _show_cells(
    grid: Grid, row: int, shown: Sequence[int], roles: Mapping[tuple[int, int], Meaning]
) -> Iterator[Shown]:
    for column in range(grid.width):
        if not grid.is_first(row, column):
            continue
        last, right = grid.ends.get((row, column), (row, column))
        yield {
            "text": truncate(grid.text(row, column), _LONGEST_CELL),
            "role": roles.get((row, column), Meaning.UNUSED).value,
            "rows": sum(row <= number <= last for number in shown),
            "columns": min(right, grid.width - 1) - column + 1,
            "is_struck": (row, column) in grid.struck,
        }
