"""Recognizes how a sheet is laid out, and unfolds it to a plain table with a row for each occasion."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feeds.names import fold
from programme.exchange.questions import Answers, Question
from programme.exchange.readers.sheet.columns import find_fields
from programme.exchange.readers.sheet.layouts.cells import Role, is_day
from programme.exchange.readers.sheet.layouts.grids import GridReader, describe, find_axes
from programme.exchange.readers.sheet.layouts.layout import Grid, Kind, Layout, Unfolded, build_table
from programme.exchange.readers.sheet.layouts.lists import ListReader, find_columns
from programme.exchange.readers.sheet.layouts.tables import TableReader
from programme.exchange.readers.sheet.mapping import HEADINGS_WITHIN, find_headings_row, fold_headings
from programme.exchange.readers.sheet.tables import Table
from programme.exchange.values import ImportDefaults

_STARTS = {"start", "day", "festival_day"}
_AXES = {
    Role.DAY: gettext_lazy("days"),
    Role.TIME: gettext_lazy("times"),
    Role.PLACE: gettext_lazy("places"),
}
# The answers about a layout.
YES, NO = "yes", "no"


class SheetLayout(NamedTuple):
    """How a sheet was unfolded, and the question whether that is right: nothing is written unanswered."""

    sheet: str
    unfolded: Unfolded
    question: Question


def unfold_tables(tables: Sequence[Table], defaults: ImportDefaults) -> tuple[list[Table], list[SheetLayout]]:
    """Return the sheets of a file as plain tables, and how those were laid out that are none.

    Sheets whose columns were chosen are tables; one whose layout was refused stays as it is.
    """
    known = {mapping.key for mapping in defaults.mappings}
    shapes = Counter(map(_find_shape, tables))
    plain, layouts = [], []
    for table in tables:
        is_known = any(fold_headings(row.cells) in known for row in table.rows[:HEADINGS_WITHIN])
        several = shapes[_find_shape(table)] > 1
        found = (
            Unfolded(table, Layout()) if is_known else unfold(table, defaults.days, is_one_of_several=several)
        )
        if found.table is not table:
            layout = SheetLayout(table.name, found, _ask(table.name, found.layout, defaults.answers))
            layouts.append(layout)
        is_refused = found.table is not table and layouts[-1].question.answer == NO
        plain.append(table if is_refused else found.table)
    return plain, layouts


def _find_shape(table: Table) -> tuple[str, ...]:
    """Return what sheets that are laid out alike have in common: their headings, or else their name."""
    place = find_headings_row(table)
    return (table.name,) if place is None else fold_headings(table.rows[place].cells)


def _ask(sheet: str, layout: Layout, answers: Answers) -> Question:
    text = _("%(sheet)s is read as %(layout)s. Is that right?") % {
        "sheet": f"“{sheet}”" if sheet else _("The sheet"),
        "layout": describe_layout(layout),
    }
    choices = {YES: _("Yes, read it so"), NO: _("No, it is a table with headings")}
    return Question.ask(answers, f"layout:{fold(sheet).replace('=', ' ')}", text, choices)


def describe_layout(layout: Layout) -> str:
    if layout.kind is Kind.GRID:
        down, across = (_AXES[each or Role.PLACE] for each in (layout.down, layout.across))
        return _("a grid of %(down)s and %(across)s") % {"down": down, "across": across}
    parts = [str(layout.kind.label)]
    if Role.DAY in layout.rows.values():
        parts.append(_("rows between say the day"))
    if Role.PLACE in layout.rows.values():
        parts.append(_("rows between say the place"))
    if layout.name:
        parts.append(_("its name is the day") if layout.name is Role.DAY else _("its name is the place"))
    return ", ".join(parts)


def unfold(table: Table, days: Collection[date] = (), *, is_one_of_several: bool = False) -> Unfolded:
    """Return a sheet as a plain table; one that is a table already, or cannot be read, as it is.

    The name of a sheet counts as its day if it is one, and as its place if the workbook has several alike.
    """
    grid = Grid(table, days)
    day = table.name if is_day(table.name, days) else ""
    place = table.name if is_one_of_several and not day else ""
    heading = find_headings_row(table)
    if heading is not None and _STARTS & _find_fields(table, heading):
        reader = TableReader(grid, table.rows[heading].number, day, place)
        plain, layout = reader.read() or (table, Layout())
        return Unfolded(plain, layout, tuple(grid.list_cells()))
    if axes := find_axes(grid):
        entries = list(GridReader(grid, axes, day, place).read())
        return Unfolded(build_table(table, entries), describe(axes), tuple(grid.list_cells()))
    if heading is None and (columns := find_columns(grid)):
        listed = ListReader(grid, columns, day, place)
        entries = list(listed.read())
        return Unfolded(build_table(table, entries), listed.layout, tuple(grid.list_cells()))
    return Unfolded(table, Layout())


def _find_fields(table: Table, heading: int) -> set[str]:
    rows = [row.cells for row in table.rows[heading + 1 :]]
    return set(find_fields(table.rows[heading].cells, rows))
