"""Recognizes how a sheet is laid out, and reads it by that, or as a person has said, as a plain table."""

from collections.abc import Collection
from datetime import date

from django.utils.translation import gettext as _

from programme.exchange.readers.sheet.columns import find_fields
from programme.exchange.readers.sheet.layouts.cells import Role, is_day, is_time, look_at_all
from programme.exchange.readers.sheet.layouts.grids import GridReader, find_axes
from programme.exchange.readers.sheet.layouts.layout import (
    IN_BRACKETS,
    Grid,
    Kind,
    Layout,
    Unfolded,
    build_table,
    cut_places,
)
from programme.exchange.readers.sheet.layouts.lists import ListReader, find_columns
from programme.exchange.readers.sheet.layouts.tables import TableReader
from programme.exchange.readers.sheet.mapping import HEADINGS_WITHIN, find_headings_row
from programme.exchange.readers.sheet.tables import Table
from programme.exchange.text.lines import truncate
from programme.exchange.text.when import split_days

_STARTS = {"start", "day", "festival_day"}
_LONGEST_TEXT = 60


def recognize(grid: Grid, *, is_one_of_several: bool = False) -> Layout | None:
    """Return the layout of a sheet, None if it is none that is known.

    The name of a sheet counts as its day if it is one, and as its place if the workbook has several alike.
    """
    place = Role.PLACE if is_one_of_several else None
    name = Role.DAY if is_day(grid.table.name, grid.days) else place
    if is_on_its_side(grid.table):
        return None
    heading = find_heading(grid, Layout())
    if heading is not None:
        rows = [cells for row, cells in grid.rows.items() if row > heading]
        if _STARTS & {*find_fields(grid.rows[heading], rows)}:
            return Layout(name=name)
    if axes := find_axes(grid, Layout()):
        return Layout(Kind.GRID, name=name, down=axes.down, across=axes.across)
    if heading is None and (columns := find_columns(grid)):
        return Layout(Kind.LIST, columns, name=name)
    return None


def is_on_its_side(table: Table) -> bool:
    """Return whether the headings stand in the first column."""
    fields = find_fields([row.cells[0] for row in table.rows[:HEADINGS_WITHIN]])
    return "title" in fields and not _STARTS.isdisjoint(fields) and find_headings_row(table) is None


def find_heading(grid: Grid, layout: Layout) -> int | None:
    """Return the row of a table's headings: the one that was named, else the one that is known."""
    if named := grid.find_rows(layout, Role.HEADING):
        return named[0]
    place = find_headings_row(grid.table)
    row = None if place is None else grid.numbers[place]
    return None if row is None or grid.role_of(layout, row) else row


def read_by(grid: Grid, layout: Layout, *, keep: bool = False) -> Unfolded:
    """Return a sheet as a plain table by its layout; unchanged where nothing can be read by it.

    One that is a table already can be kept, without looking at its cells.
    """
    table, heading, found = grid.table, find_heading(grid, layout), layout
    if layout.kind is Kind.GRID:
        if axes := find_axes(grid, layout):
            reader = GridReader(grid, axes, layout)
            entries = list(reader.read())
            has_places = any(each.place for each in entries)
            table = build_table(table, entries if has_places else cut_places(entries, IN_BRACKETS))
            found = Layout(Kind.GRID, layout.columns, reader.found, layout.name, axes.down, axes.across)
    elif layout.columns:
        table, found = ListReader(grid, layout, heading).read()
    elif heading is not None:
        listed = TableReader(grid, layout, heading)
        if keep and listed.is_plain:
            return Unfolded(table, Layout())
        table, found = listed.read()
    return Unfolded(table, found, tuple(grid.list_cells()))


def find_misfit(grid: Grid, layout: Layout) -> str:
    """Return why a sheet cannot be read by a layout that was chosen for an earlier one; '' if it can be."""
    named = next((key for key, role in layout.rows.items() if role is Role.HEADING), "")
    if named and not grid.find_rows(layout, Role.HEADING):
        return _("the row of headings “%(row)s” is no longer in it") % {"row": truncate(named, _LONGEST_TEXT)}
    if layout.kind is Kind.GRID:
        return "" if find_axes(grid, layout) else _("it is no such grid any more")
    # Below the same headings the columns are the same.
    for column, role in ({} if named else layout.columns).items():
        texts = grid.column(column, grid.numbers)
        if not _fits(role, texts, grid.days):
            names = {"column": name_column(column), "role": role.label}
            return _("column %(column)s does not look like “%(role)s” any more") % names
    return ""


def _fits(role: Role, texts: list[str], days: Collection[date]) -> bool:
    if role is Role.TIME:
        return any(map(is_time, texts))
    if role is Role.DAY:
        return any(split_days(text, days)[0] for text in texts)
    return role is not Role.TITLE or look_at_all(texts, days) not in (Role.TIME, Role.DAY)


def explain(table: Table) -> str:
    """Return what to do with a sheet that cannot be read."""
    if is_on_its_side(table):
        return _(
            "its headings stand in the first column, and each event in a column of its own. Turn it: copy "
            "it, and choose “Paste special”, “Transpose” in Excel"
        )
    return _(
        "the layout was not recognized. One row for each occasion, with day, time, title and place, would "
        "do; or say on the import page what is what"
    )


def name_column(number: int) -> str:
    """Return what a spreadsheet program calls a column."""
    from openpyxl.utils import get_column_letter  # noqa: PLC0415 - it takes time to load

    return str(get_column_letter(number + 1))
