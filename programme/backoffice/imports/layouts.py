"""Pointing at what the columns and rows of a sheet are, while the page shows what would be read."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from programme.api.instant import get_instant
from programme.backoffice.imports.columns import read_sheets
from programme.backoffice.imports.steps import build_defaults
from programme.backoffice.imports.uploads import read_again
from programme.backoffice.imports.views import find_upload
from programme.backoffice.rendering import render_page
from programme.changes.difference import format_span
from programme.exchange.readers.sheet import layouts
from programme.exchange.readers.sheet.layout import Grid, Kind, Layout, Role, Unfolded
from programme.exchange.readers.sheet.layouts import AXES, build_layout_key, encode_layout, find_stored
from programme.exchange.readers.sheet.reader import read_listed
from programme.exchange.readers.sheet.tables import Table
from programme.exchange.values import ImportDefaults, UnreadableFileError
from programme.exchange.workbook import YES, build_sheet_key

_ROWS, _COLUMNS, _OCCASIONS = 60, 16, 8
_COLUMN_ROLES = [
    (role.value, role.label)
    for role in (Role.TITLE, Role.DAY, Role.TIME, Role.END, Role.PLACE, Role.TEXT, Role.UNUSED)
]
_ROW_ROLES = [
    (Role.HEADING.value, gettext_lazy("headings")),
    (Role.DAY.value, gettext_lazy("a day for what is below")),
    (Role.PLACE.value, gettext_lazy("a place for what is below")),
    (Role.TITLE.value, gettext_lazy("an ordinary row")),
    (Role.UNUSED.value, Role.UNUSED.label),
]
_NAMES = [
    ("", gettext_lazy("nothing of the programme")),
    (Role.DAY.value, gettext_lazy("the day")),
    (Role.PLACE.value, gettext_lazy("the place")),
]
_TABLE = ""


def choose_layout(request: HttpRequest, pk: int) -> HttpResponse:
    upload = find_upload(request, pk)
    tables = [table for table in read_sheets(request, upload) if table.rows]
    if not tables:
        return redirect("admin:import_file", pk)
    defaults = build_defaults(upload, get_instant(request))
    name = request.POST.get("sheet", request.GET.get("sheet"))
    table = next((each for each in tables if each.name == name), tables[0])
    grid = Grid(table, defaults.days)
    found = layouts.recognize(grid)
    stored = find_stored(table.name, tables, defaults.answers)
    layout = stored if stored and not layouts.find_misfit(grid, stored) else found or Layout()
    if request.method == "POST":
        layout = _parse_layout(request, grid, layout)
    alike = [
        each.name for each in tables if each is not table and _fits(Grid(each, defaults.days), grid, layout)
    ]
    result = _read(table, layout, defaults)
    if "save" in request.POST and result["count"]:
        names = [table.name, *(each for each in alike if each in request.POST.getlist("also"))]
        given = {build_layout_key(each): encode_layout(_pin(grid, layout)) for each in names}
        given |= {build_sheet_key(each): YES for each in names if each}
        read_again(upload, given)
        return redirect("admin:import_file", pk)
    unfolded = layouts.read_by(grid, layout)
    context = {
        "upload": upload,
        "sheet": table.name,
        "sheets": [each.name for each in tables],
        "columns": list(_list_columns(grid, layout, unfolded)),
        "rows": list(_list_rows(grid, layout, unfolded)),
        "column_roles": _COLUMN_ROLES,
        "row_roles": _ROW_ROLES,
        "names": _NAMES,
        "name": layout.name or "",
        "bodies": list(_list_bodies()),
        "body": f"{layout.down}-{layout.across}" if layout.kind is Kind.GRID else _TABLE,
        "more_rows": len(grid.numbers) - _ROWS,
        "more_columns": grid.width - _COLUMNS,
        "alike": alike,
        # Ticked from the first time on that it is offered.
        "unticked": {*request.POST.getlist("offered")} - {*request.POST.getlist("also")},
        "seen": "" if found or stored else layouts.explain(table, defaults.days),
        "unused": sum(each.role is Role.UNUSED for each in unfolded.cells),
        "failed": "save" in request.POST,
        **result,
    }
    return render_page(request, "import/layout", _("How the sheet is laid out"), context)


def _parse_layout(request: HttpRequest, grid: Grid, before: Layout) -> Layout:
    """Return the layout as it is pointed at; of rows that are not shown, what it was."""

    def role_of(name: str) -> Role | None:
        value = request.POST.get(name, "")
        return Role(value) if value in set(Role) else None

    down, _dash, across = request.POST.get("body", "").partition("-")
    is_grid = {down, across} == {*AXES}
    columns = {number: role for number in range(_COLUMNS) if (role := role_of(f"column-{number}"))}
    shown = grid.numbers[:_ROWS]
    kept = {grid.key(row) for row in grid.numbers[_ROWS:]} - {grid.key(row) for row in shown}
    rows = {key: role for key, role in before.rows.items() if key in kept}
    rows |= {grid.key(row): role for row in shown if (role := role_of(f"row-{row}"))}
    if is_grid:
        return Layout(Kind.GRID, columns, rows, role_of("name"), Role(down), Role(across))
    return Layout(Kind.TABLE, columns, rows, role_of("name"))


def _pin(grid: Grid, layout: Layout) -> Layout:
    """Name the row of the headings, without which columns that were pointed at may be others."""
    heading = layouts.find_heading(grid, layout)
    if layout.kind is Kind.GRID or heading is None or not layout.columns:
        return layout
    return replace(layout, rows={grid.key(heading): Role.HEADING} | layout.rows)


def _fits(other: Grid, grid: Grid, layout: Layout) -> bool:
    return _find_shape(other) == _find_shape(grid) and not layouts.find_misfit(other, _pin(grid, layout))


def _find_shape(grid: Grid) -> tuple[Layout | None, str]:
    """Return how a sheet is laid out, whatever its name is, and the headings of a table."""
    found = layouts.recognize(grid)
    heading = layouts.find_heading(grid, Layout()) if found is None or found.kind is Kind.TABLE else None
    return found and replace(found, name=None), grid.key(heading) if heading else ""


def _read(table: Table, layout: Layout, defaults: ImportDefaults) -> dict[str, Any]:
    """Return what would be read of a sheet: the first occasions, how many there are, and what is wrong."""
    given = {build_layout_key(table.name): encode_layout(layout), build_sheet_key(table.name): YES}
    try:
        found = read_listed([table], replace(defaults, answers={**defaults.answers, **given}))
    except UnreadableFileError as reason:
        return {"count": 0, "error": str(reason)}
    occasions = sorted(
        ((each, event.title) for event in found.events for each in event.occasions),
        key=lambda each: (each[0].row, each[0].start),
    )
    shown = [
        (each.row, format_span(each.start, each.end), title, each.location)
        for each, title in occasions[:_OCCASIONS]
    ]
    refused = [f"{each.where}: {each.what}" for each in found.problems if each.left_out]
    counts = {"count": len(occasions), "more": len(occasions) - len(shown), "refused": len(refused)}
    return {**counts, "occasions": shown, "why": refused[:3]}


def _list_columns(grid: Grid, layout: Layout, unfolded: Unfolded) -> Iterator[dict[str, Any]]:
    for number in range(min(grid.width, _COLUMNS)):
        roles = Counter(
            each.role
            for each in unfolded.cells
            if each.column == number and each.role not in (Role.HEADING, Role.UNUSED)
        )
        usual = max(roles, key=lambda role: roles[role], default=Role.UNUSED)
        yield {
            "number": number,
            "name": layouts.name_column(number),
            "role": layout.columns.get(number, ""),
            "read_as": usual.label,
        }


def _list_rows(grid: Grid, layout: Layout, unfolded: Unfolded) -> Iterator[dict[str, Any]]:
    shown = grid.numbers[:_ROWS]
    roles = {(each.row, each.column): each.role for each in unfolded.cells}
    labels = dict(_ROW_ROLES)
    for row in shown:
        is_used = any(roles.get((row, column), Role.UNUSED) is not Role.UNUSED for column in grid.filled(row))
        read = unfolded.layout.rows.get(grid.key(row), Role.TITLE if is_used else Role.UNUSED)
        yield {
            "number": row,
            "role": grid.role_of(layout, row) or "",
            "read_as": labels[read],
            "cells": [
                _describe_cell(grid, shown, row, column, roles)
                for column in range(min(grid.width, _COLUMNS))
                if grid.is_first(row, column)
            ],
        }


def _describe_cell(
    grid: Grid, shown: Sequence[int], row: int, column: int, roles: dict[tuple[int, int], Role]
) -> dict[str, Any]:
    last, right = grid.ends.get((row, column), (row, column))
    return {
        "text": grid.text(row, column),
        "role": roles.get((row, column), Role.UNUSED),
        "rows": sum(row <= number <= last for number in shown),
        "columns": min(right, _COLUMNS - 1) - column + 1,
    }


def _list_bodies() -> Iterator[tuple[str, str]]:
    yield _TABLE, _("a table: one occasion in each row")
    for down in AXES:
        for across in AXES:
            if down is not across:
                names = {"down": AXES[down], "across": AXES[across]}
                label = _("a grid: %(down)s in the first column, %(across)s in the headings")
                yield f"{down}-{across}", label % names
