"""Recognizes how sheets are laid out, and reads them by that, or as a person has said, as plain tables."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feeds.names import fold
from programme.exchange.questions import Answers, Choice, Question
from programme.exchange.readers.sheet.columns import find_fields, fold_heading
from programme.exchange.readers.sheet.grids import GridReader, find_axes
from programme.exchange.readers.sheet.layout import (
    Cell,
    Grid,
    Kind,
    Layout,
    Role,
    Unfolded,
    is_day,
    is_time,
    look,
    look_at_all,
)
from programme.exchange.readers.sheet.mapping import (
    HEADINGS_WITHIN,
    Mapping,
    UnknownLayoutError,
    find_headings_row,
    find_saved,
    fold_headings,
)
from programme.exchange.readers.sheet.sections import TableReader, find_sections
from programme.exchange.readers.sheet.tables import Table
from programme.exchange.text.lines import truncate
from programme.exchange.text.times import suggest_time
from programme.exchange.text.when import split_days
from programme.exchange.values import ImportDefaults, SheetGrid
from programme.exchange.workbook import NO, YES, build_sheet_key

AXES = {Role.TIME: gettext_lazy("times"), Role.PLACE: gettext_lazy("places")}
_SHOWN_ROWS, _SHOWN_COLUMNS, _LONGEST_CELL, _LONGEST_TEXT = 60, 16, 80, 60
# With it the keys of the layouts that were chosen begin.
LAYOUT = "layout"
# What sheets are called that nobody has named, and those that are named for what they hold.
_NO_PLACE = re.compile(r"(?:blad|sheet|tabelle|program(?:me)?|schema|schedule)[ _-]*\d*", re.IGNORECASE)
_STARTS = {"start", "day", "festival_day"}
# So many cells make a row of headings, and so many rows a list.
_LEAST = 2


def recognize(grid: Grid, *, is_one_of_several: bool = False) -> Layout | None:
    """Return the layout of a sheet, None if it is none that is known.

    The name of a sheet counts as its day if it is one, and as its place if the workbook has several alike.
    """
    place = Role.PLACE if is_one_of_several else None
    name = Role.DAY if is_day(grid.table.name, grid.days) else place
    if is_on_its_side(grid.table) or is_side_by_side(grid.table):
        return None
    heading = find_heading(grid, Layout())
    if heading is not None:
        rows = [cells for row, cells in grid.rows.items() if row > heading]
        fields = {*find_fields(grid.rows[heading], rows)}
        if "title" in fields and _STARTS & fields:
            return Layout(name=name)
    if (axes := find_axes(grid, Layout())) and not find_rows_of_days(grid):
        # Below an unknown word the first column may be one of a table.
        corner = grid.text(axes.heading, axes.first)
        if not corner or is_day(corner, grid.days) or find_fields([corner])[0]:
            return Layout(Kind.GRID, name=name, down=axes.down, across=axes.across)
    if heading is not None:
        return Layout(name=name) if _STARTS & fields else None
    columns = {} if find_unknown_headings(grid) is not None else _find_columns(grid, name)
    return Layout(Kind.LIST, columns, name=name) if columns else None


def _find_columns(grid: Grid, name: Role | None) -> dict[int, Role]:
    """Return the columns of the times and titles below rows with days, and with places if there are more.

    Without headings nothing says what a third column is: there a row above says the place.
    """
    sections = dict(find_sections(grid, grid.numbers, has_day=name is Role.DAY, has_place=False))
    rows = [row for row in grid.numbers if row not in sections and len(grid.filled(row)) > 1]
    kinds = {n: look_at_all(grid.column(n, rows), grid.days) for n in range(grid.width)}
    times = [n for n, kind in kinds.items() if kind is Role.TIME]
    texts = [n for n, kind in kinds.items() if kind is Role.TEXT and n > min(times, default=n)]
    has_days = name is Role.DAY or Role.DAY in sections.values()
    has_places = name is Role.PLACE or Role.PLACE in sections.values()
    is_clear = sum(kind is not None for kind in kinds.values()) == _LEAST or has_places
    if not (has_days and times and texts and is_clear and len(rows) >= _LEAST):
        return {}
    return {times[0]: Role.TIME, texts[0]: Role.TITLE}


def find_unknown_headings(grid: Grid) -> int | None:
    """Return the first row if it is of headings that are not known: words alone, unlike the rows below."""
    for row in grid.numbers[:HEADINGS_WITHIN]:
        texts = {n: grid.text(row, n) for n in grid.filled(row)}
        words = (look(text, grid.days) is Role.TEXT and not text.isdecimal() for text in texts.values())
        if len(texts) < _LEAST or not all(words):
            continue
        below = [each for each in grid.numbers if each > row and len(grid.filled(each)) > 1]
        columns = [column for n in texts if (column := grid.column(n, below))]
        kinds = [look_at_all(column, grid.days) for column in columns]
        return row if any(kind in (Role.TIME, Role.DAY) for kind in kinds) and below else None
    return None


# --- What is refused


def is_on_its_side(table: Table) -> bool:
    """Return whether the headings stand in the first column."""
    fields = find_fields([row.cells[0] for row in table.rows[:HEADINGS_WITHIN]])
    return "title" in fields and not _STARTS.isdisjoint(fields) and find_headings_row(table) is None


def is_side_by_side(table: Table) -> bool:
    """Return whether the same headings stand beside each other again: a table for each day, or place."""
    for row in table.rows[:HEADINGS_WITHIN]:
        keys = [key for cell in row.cells if (key := fold_heading(cell))]
        again = keys.index(keys[0], 1) if keys and keys[0] in keys[1:] else 0
        if again > 1 and keys[:again] == keys[again : 2 * again] and any(find_fields(keys[:again])):
            return True
    return False


def find_rows_of_days(grid: Grid) -> list[int]:
    """Return the rows in which several days stand beside each other."""
    rows = grid.numbers[:HEADINGS_WITHIN]
    return [row for row in rows if sum(is_day(grid.text(row, n), grid.days) for n in grid.filled(row)) > 1]


def explain(table: Table, days: Collection[date] = ()) -> str:
    """Return why a sheet cannot be read, and what to do with it."""
    if is_on_its_side(table):
        return _(
            "its headings stand in the first column, and each event in a column of its own. Turn it: copy "
            "it, and choose “Paste special”, “Transpose” in Excel"
        )
    grid = Grid(table, days)
    if is_side_by_side(table) or find_rows_of_days(grid):
        return _(
            "days or tables stand side by side. Put them below each other, or each on a sheet of its own "
            "that is called as the day"
        )
    is_table = any(
        len(texts := [*filter(None, row.cells)]) > 1 and any(map(is_time, texts)) for row in table.rows
    )
    if is_table and find_heading(grid, Layout()) is None:
        return _(
            "nothing says what its columns are. Write headings above them (Day, Time, Title, Place), or say "
            "on the import page what is what"
        )
    return _(
        "the layout was not recognized. One row for each occasion, with day, time, title and place, would "
        "do; or say on the import page what is what"
    )


# --- Reading by a layout


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
    if layout.kind is Kind.GRID:
        axes = find_axes(grid, layout)
        read = GridReader(grid, axes, layout).read() if axes else (grid.table, layout)
        return Unfolded(*read, tuple(grid.list_cells()))
    heading = None if layout.kind is Kind.LIST else find_heading(grid, layout)
    if heading is None and not layout.columns:
        return Unfolded(grid.table, layout, tuple(grid.list_cells()))
    reader = TableReader(grid, layout, heading)
    if keep and reader.is_plain:
        return Unfolded(grid.table, Layout())
    return Unfolded(*reader.read(), tuple(grid.list_cells()))


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


def name_column(number: int) -> str:
    """Return what a spreadsheet program calls a column."""
    from openpyxl.utils import get_column_letter  # noqa: PLC0415 - it takes time to load

    return str(get_column_letter(number + 1))


# --- The sheets of a file


class Layouts(NamedTuple):
    """The sheets that were unfolded, by name.

    `pointed` are the layouts that a person has chosen, as answers, and `changed` the questions about sheets
    that are not laid out as the chosen ones any more: nothing is written until they are answered.
    """

    unfolded: dict[str, Unfolded] = {}
    answers: Answers = {}
    pointed: dict[str, str] = {}
    changed: dict[str, Question] = {}

    def of(self, sheets: Collection[str]) -> "Layouts":
        """Return those of some sheets: about others nothing is asked."""
        return self._replace(
            unfolded={name: each for name, each in self.unfolded.items() if name in sheets},
            changed={name: each for name, each in self.changed.items() if name in sheets},
        )

    def read(self, table: Table) -> Table:
        """Return a sheet as a plain table."""
        return self.unfolded[table.name].table if table.name in self.unfolded else table

    @property
    def settled(self) -> tuple[Question, ...]:
        """Return the chosen layouts as questions that were answered, to remember the answers.

        One that columns have taken the place of is ''.
        """
        left = {
            key: "" for key, answer in self.answers.items() if key.startswith(f"{LAYOUT}:") and not answer
        }
        chosen = left | {build_layout_key(name): value for name, value in self.pointed.items()}
        return tuple(Question(key, "", (Choice(value, ""),), value) for key, value in chosen.items())

    def list_lost(self) -> list[Cell]:
        """Return the cells that say a time, and that nothing is read from."""
        cells = (cell for each in self.unfolded.values() for cell in each.cells)
        return [cell for cell in cells if cell.role is Role.UNUSED and suggest_time(cell.text)]

    def show(self) -> tuple[SheetGrid, ...]:
        """Return the first cells of each sheet with what they were read as."""
        return tuple(_arrange(name, each) for name, each in self.unfolded.items())


def _arrange(name: str, unfolded: Unfolded) -> SheetGrid:
    cells = unfolded.cells
    shown = [each for each in cells if each.column < _SHOWN_COLUMNS]
    numbers = list(dict.fromkeys(each.row for each in shown))[:_SHOWN_ROWS]
    width = max((each.column + 1 for each in shown), default=0)
    rows = {number: [("", "")] * width for number in numbers}
    for each in shown:
        if each.row in rows:
            rows[each.row][each.column] = (truncate(each.text, _LONGEST_CELL), str(each.role.label))
    is_cut = any(each.row not in rows or each.column >= width for each in cells)
    unused = sum(each.role is Role.UNUSED for each in cells)
    return SheetGrid(name, describe_layout(unfolded.layout), rows, is_cut, unused)


def unfold_tables(tables: Sequence[Table], defaults: ImportDefaults) -> Layouts:
    """Return how those sheets of a file are laid out that are no plain tables.

    Sheets whose columns were chosen are tables, which may lack what their names or rows between say.
    """
    usual = ((table, NO if table.hidden else YES) for table in tables)
    read = (table for table, each in usual if defaults.answers.get(build_sheet_key(table.name), each) == YES)
    shapes = Counter(map(_find_shape, read))
    layouts = Layouts({}, defaults.answers, {}, {})
    for table in tables:
        stored = find_stored(table.name, tables, defaults.answers)
        grid = Grid(table, defaults.days)
        is_one_of_several = shapes[_find_shape(table)] > 1 and not _NO_PLACE.fullmatch(table.name)
        why = find_misfit(grid, stored) if stored else ""
        if stored and not why:
            layouts.unfolded[table.name] = read_by(grid, stored)
            layouts.pointed[table.name] = encode_layout(stored)
            continue
        found = recognize(grid, is_one_of_several=is_one_of_several)
        if is_asked := why and build_layout_key(table.name) in defaults.answers:
            layouts.changed[table.name] = _ask_again(table.name, why, found)
        one = read_by(grid, found, keep=not is_asked) if found else None
        if one is None or one.table is table:
            continue
        is_chosen = any(find_saved(row.cells, defaults.mappings) for row in table.rows[:HEADINGS_WITHIN])
        if stored or not is_chosen or _adds(one, defaults.mappings):
            layouts.unfolded[table.name] = one
    return layouts


def _adds(unfolded: Unfolded, mappings: Sequence[Mapping]) -> bool:
    """Return whether a sheet whose columns were chosen says more by its name or by rows between."""
    mapping = find_saved(unfolded.table.rows[0].cells, mappings)
    return mapping is not None and not any(mapping.sources == each.sources for each in mappings)


def build_layout_key(name: str) -> str:
    """Return the key under which the layout of a sheet is an answer."""
    return f"{LAYOUT}:{fold(name).replace('=', ' ')}"


def encode_layout(layout: Layout) -> str:
    return msgspec.json.encode(layout).decode()


def find_stored(name: str, tables: Sequence[Table], answers: Answers) -> Layout | None:
    """Return the layout that was chosen for a sheet; for one with a new name, that of all earlier ones."""
    stored = {key: answer for key, answer in answers.items() if key.startswith(f"{LAYOUT}:")}
    own = stored.get(build_layout_key(name))
    if len({*stored.values()}) == 1 and not {build_layout_key(each.name) for each in tables} & {*stored}:
        [own] = {*stored.values()}
    try:
        return msgspec.json.decode(own or "", type=Layout)
    except msgspec.DecodeError:
        return None


def _ask_again(name: str, why: str, found: Layout | None) -> Question:
    """Ask about a sheet that a chosen layout does not fit any more; raise if it cannot be read at all."""
    text = _("“%(sheet)s” is not laid out as it was: %(why)s") % {"sheet": name, "why": why}
    if found is None:
        raise UnknownLayoutError(text)
    choices = {encode_layout(found): _("As %(layout)s") % {"layout": describe_layout(found)}}
    return Question.ask({}, build_layout_key(name), _("%(why)s. How is it read?") % {"why": text}, choices)


def _find_shape(table: Table) -> tuple[str, ...]:
    """Return what sheets that are laid out alike have in common: their headings, or else their name."""
    place = find_headings_row(table)
    return (table.name,) if place is None else tuple(sorted(fold_headings(table.rows[place].cells)))


def describe_layout(layout: Layout) -> str:
    if layout.kind is Kind.GRID:
        down, across = (AXES[each or Role.PLACE] for each in (layout.down, layout.across))
        return _("a grid of %(down)s and %(across)s") % {"down": down, "across": across}
    parts = [str(layout.kind.label)]
    if Role.DAY in layout.rows.values():
        parts.append(_("rows between say the day"))
    if Role.PLACE in layout.rows.values():
        parts.append(_("rows between say the place"))
    if layout.name:
        parts.append(_("its name is the day") if layout.name is Role.DAY else _("its name is the place"))
    return ", ".join(parts)
