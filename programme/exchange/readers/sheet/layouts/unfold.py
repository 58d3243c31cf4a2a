"""Recognizes how a sheet is laid out, and unfolds it to a plain table with a row for each occasion."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from programme.exchange.questions import Answers, Question
from programme.exchange.readers.sheet.columns import find_fields
from programme.exchange.readers.sheet.layouts.cells import Role, is_day
from programme.exchange.readers.sheet.layouts.grids import GridReader, describe, find_axes
from programme.exchange.readers.sheet.layouts.layout import Cell, Grid, Kind, Layout, Unfolded, build_table
from programme.exchange.readers.sheet.layouts.lists import ListReader, find_columns
from programme.exchange.readers.sheet.layouts.tables import TableReader
from programme.exchange.readers.sheet.mapping import HEADINGS_WITHIN, find_headings_row, fold_headings
from programme.exchange.readers.sheet.tables import Table
from programme.exchange.text.lines import truncate, truncate_names
from programme.exchange.values import ImportDefaults, SheetGrid

_STARTS = {"start", "day", "festival_day"}
_AXES = {
    Role.DAY: gettext_lazy("days"),
    Role.TIME: gettext_lazy("times"),
    Role.PLACE: gettext_lazy("places"),
}
# The key of the question, and its answers.
_SHOWN_ROWS, _SHOWN_COLUMNS, _LONGEST_CELL = 30, 12, 80
LAYOUT, YES, NO = "layout", "yes", "no"
_LONGEST_NAMES = 120


class Layouts(NamedTuple):
    """The sheets that were unfolded, by name, and the question whether that is right.

    Nothing is written until it is answered.
    """

    unfolded: dict[str, Unfolded]
    question: Question | None = None

    def of(self, sheets: Collection[str], answers: Answers) -> "Layouts":
        """Return those of some sheets: about others nothing is asked."""
        read = {name: each for name, each in self.unfolded.items() if name in sheets}
        return Layouts(read, _ask(read, answers)) if read else Layouts({}, self.refused)

    @property
    def refused(self) -> Question | None:
        return self.question if self.question and self.question.answer == NO else None

    def show(self) -> tuple[SheetGrid, ...]:
        """Return the first cells of each sheet with what they were read as."""
        return tuple(
            SheetGrid(name, describe_layout(each.layout), _arrange(each.cells))
            for name, each in self.unfolded.items()
        )


def _arrange(cells: Sequence[Cell]) -> dict[int, list[tuple[str, str]]]:
    shown = [each for each in cells if each.column < _SHOWN_COLUMNS]
    numbers = list(dict.fromkeys(each.row for each in shown))[:_SHOWN_ROWS]
    width = max((each.column + 1 for each in shown), default=0)
    rows = {number: [("", "")] * width for number in numbers}
    for each in shown:
        if each.row in rows:
            rows[each.row][each.column] = (truncate(each.text, _LONGEST_CELL), str(each.role.label))
    return rows


def unfold_tables(tables: Sequence[Table], defaults: ImportDefaults) -> tuple[list[Table], Layouts]:
    """Return the sheets of a file as plain tables, and how those were laid out that are none.

    Sheets whose columns were chosen are tables, and so are all if that was the answer.
    """
    known = {mapping.key for mapping in defaults.mappings}
    shapes = Counter(map(_find_shape, tables))
    found: dict[str, Unfolded] = {}
    for table in tables:
        is_known = any(fold_headings(row.cells) in known for row in table.rows[:HEADINGS_WITHIN])
        several = shapes[_find_shape(table)] > 1
        one = None if is_known else unfold(table, defaults.days, is_one_of_several=several)
        if one and one.table is not table:
            found[table.name] = one
    if not found:
        return list(tables), Layouts({})
    question = _ask(found, defaults.answers)
    if question.answer == NO:
        return list(tables), Layouts({}, question)
    plain = [found[table.name].table if table.name in found else table for table in tables]
    return plain, Layouts(found, question)


def _find_shape(table: Table) -> tuple[str, ...]:
    """Return what sheets that are laid out alike have in common: their headings, or else their name."""
    place = find_headings_row(table)
    return (table.name,) if place is None else fold_headings(table.rows[place].cells)


def _ask(found: Mapping[str, Unfolded], answers: Answers) -> Question:
    named: dict[str, list[str]] = defaultdict(list)
    for name, unfolded in found.items():
        named[describe_layout(unfolded.layout)].append(name)
    listed = "; ".join(
        f"{truncate_names(list(filter(None, names)), _LONGEST_NAMES)}: {layout}" if any(names) else layout
        for layout, names in named.items()
    )
    choices = {YES: _("Yes, read it so"), NO: _("No, read it as a table with headings")}
    text = _("The layout was recognized as %(layouts)s. Is that right?") % {"layouts": listed}
    return Question.ask(answers, LAYOUT, text, choices)


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
