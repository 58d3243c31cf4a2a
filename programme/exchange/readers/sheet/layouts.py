"""Recognizes how sheets are laid out, and reads them by that, or as a person has said, as plain tables."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from programme.exchange.questions import Answers
from programme.exchange.readers.sheet.columns import find_fields, fold_heading, looks_like
from programme.exchange.readers.sheet.grids import Axes, GridReader, find_axes
from programme.exchange.readers.sheet.layout import (
    Grid,
    Kind,
    Layout,
    Meaning,
    Unfolded,
    is_day,
    is_time,
    look,
    look_at_all,
)
from programme.exchange.readers.sheet.mapping import HEADINGS_WITHIN, find_headings_row, fold_headings
from programme.exchange.readers.sheet.said import (
    BODY,
    COLUMN,
    NAMES,
    ROW,
    Use,
    build_row_key,
    find_body,
    find_fixed,
    find_uses,
)
from programme.exchange.readers.sheet.sections import TableReader, find_sections
from programme.exchange.readers.sheet.tables import Table
from programme.exchange.text.when import split_days, split_moment
from programme.exchange.values import ImportDefaults
from programme.exchange.workbook import NO, YES, build_sheet_key

AXES = {Meaning.TIME: gettext_lazy("times"), Meaning.PLACE: gettext_lazy("places")}
# A sheet that was said to be a table; a grid is said by its axes: "time-place".
TABLE = "table"
# What sheets are called that nobody has named, and those that are named for what they hold.
_NO_PLACE = re.compile(r"(?:blad|sheet|tabelle|program(?:me)?|schema|schedule)[ _-]*\d*", re.IGNORECASE)
_STARTS = {"start", "day", "festival_day"}
# Above the columns of a grid, too, words may stand that name these elsewhere: “Scen”, “Film”.
_OF_GRIDS = {"", "title", "location", "room", "area", "sub_area", "type", "organizer"}
# So many cells make a row of headings, and so many rows a list.
_LEAST = 2


def recognize(grid: Grid, *, is_one_of_several: bool = False) -> Layout | None:
    """Return the layout of a sheet, None if it is none that is known.

    The name of a sheet counts as its day if it is one, and as its place if the workbook has several alike.
    """
    place = Meaning.PLACE if is_one_of_several else None
    name = Meaning.DAY if is_day(grid.table.name, grid.days) else place
    if is_on_its_side(grid.table) or is_side_by_side(grid.table):
        return None
    heading = find_known_heading(grid)
    if heading is not None:
        rows = [cells for row, cells in grid.rows.items() if row > heading]
        fields = {*find_fields(grid.rows[heading], rows)}
        if "title" in fields and _STARTS & fields:
            return Layout(name=name)
    if (axes := find_axes(grid, Layout())) and not find_rows_of_days(grid):
        # Below an unknown word the first column may be one of a table.
        corner = grid.text(axes.heading, axes.first)
        is_known = not corner or is_day(corner, grid.days) or find_fields([corner])[0]
        if is_known and not _has_columns(grid, axes):
            return Layout(Kind.GRID, name=name, down=axes.down, across=axes.across)
    if heading is not None:
        return Layout(name=name) if _STARTS & fields else None
    columns = {} if find_unknown_headings(grid) is not None else _find_columns(grid, name)
    return Layout(Kind.LIST, columns, name=name) if columns else None


def _has_columns(grid: Grid, axes: Axes) -> bool:
    """Return whether what may be a grid's headings name columns, or stand above prices or yes and no."""
    rows = [row for row in grid.numbers if row > axes.heading]
    columns = {n: grid.column(n, rows) for n in grid.filled(axes.heading) if n > axes.first}
    return any(
        find_fields([grid.text(axes.heading, n)], [[cell] for cell in cells])[0] not in _OF_GRIDS
        or (len({*cells} - {"-"}) > 1 and (looks_like("price", cells) or looks_like("private", cells)))
        for n, cells in columns.items()
    )


def _find_columns(grid: Grid, name: Meaning | None) -> dict[int, Use]:
    """Return the columns of the times and titles below rows with days, and with places if there are more.

    Without headings nothing says what a third column is: there a row above says the place.
    """
    sections = dict(find_sections(grid, grid.numbers, has_day=name is Meaning.DAY, has_place=False))
    rows = [row for row in grid.numbers if row not in sections and len(grid.filled(row)) > 1]
    kinds = {n: look_at_all(grid.column(n, rows), grid.days) for n in range(grid.width)}
    times = [n for n, kind in kinds.items() if kind is Meaning.TIME]
    texts = [n for n, kind in kinds.items() if kind is Meaning.TEXT and n > min(times, default=n)]
    has_days = name is Meaning.DAY or Meaning.DAY in sections.values()
    has_places = name is Meaning.PLACE or Meaning.PLACE in sections.values()
    is_clear = sum(kind is not None for kind in kinds.values()) == _LEAST or has_places
    if not (has_days and times and texts and is_clear and len(rows) >= _LEAST):
        return {}
    return {times[0]: Use(("start",)), texts[0]: Use(("title",))}


def find_unknown_headings(grid: Grid) -> int | None:
    """Return the first row if it is of headings that are not known: words alone, unlike the rows below."""
    for row in grid.numbers[:HEADINGS_WITHIN]:
        texts = {n: grid.text(row, n) for n in grid.filled(row)}
        words = (look(text, grid.days) is Meaning.TEXT and not text.isdecimal() for text in texts.values())
        if len(texts) < _LEAST or not all(words):
            continue
        below = [each for each in grid.numbers if each > row and len(grid.filled(each)) > 1]
        columns = [column for n in texts if (column := grid.column(n, below))]
        kinds = [look_at_all(column, grid.days) for column in columns]
        return row if any(kind in (Meaning.TIME, Meaning.DAY) for kind in kinds) and below else None
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
    rows = ([*filter(None, row.cells)] for row in table.rows)
    is_table = any(len(texts) > 1 and any(map(is_time, texts)) for texts in rows)
    if is_table and find_known_heading(grid) is None:
        return _(
            "nothing says what its columns are: say it, or write headings above (Day, Time, Title, Place)"
        )
    return _(
        "the layout was not recognized. One row for each occasion, with day, time, title and place, would "
        "do; or say what is what"
    )


# --- What was said


def find_layout(
    grid: Grid, sheets: Collection[str], answers: Answers, *, is_one_of_several: bool = False
) -> Layout | None:
    """Return how a sheet is read, as was said or as it is recognized; None if nothing is known."""
    found = recognize(grid, is_one_of_several=is_one_of_several)
    is_named = is_day(grid.table.name, grid.days) and "day" not in find_fixed(answers)
    if found and found.name is Meaning.DAY and not is_named:
        found = replace(found, name=None)
    kinds = {key.partition(":")[0] for key, answer in answers.items() if answer}
    if not kinds & {COLUMN, ROW, BODY, NAMES}:
        return found
    rows = find_rows(grid, answers) if ROW in kinds else {}
    body = find_body(grid.table.name, sheets, answers)
    usual = found or Layout(name=Meaning.DAY if is_named else None)
    said = answers.get(NAMES, "")
    name = Meaning(said) if said in set(Meaning) else None if said else usual.name
    down, _dash, across = body.partition("-")
    is_grid = {down, across} == {*AXES} or (not body and usual.kind is Kind.GRID)
    axes = (Meaning(down), Meaning(across)) if is_grid and body else (usual.down, usual.across)
    layout = Layout(Kind.GRID if is_grid else Kind.TABLE, {}, rows, name, *(axes if is_grid else ()))
    columns = find_columns(grid, layout, answers)
    if not is_grid and find_heading(grid, layout) is None:
        said_fields = {field for use in columns.values() for field in use.fields}
        others = {n: use for n, use in usual.columns.items() if said_fields.isdisjoint(use.fields)}
        layout, columns = replace(layout, kind=Kind.LIST), others | columns
    if not (rows or body or columns or said):
        return found
    return replace(layout, columns=columns)


def find_rows(grid: Grid, answers: Answers) -> dict[str, Meaning]:
    keys = [grid.key(row) for row in grid.numbers]
    said = {key: answers.get(build_row_key(key), "") for key in keys}
    return {key: Meaning(answer) for key, answer in said.items() if answer in set(Meaning)}


def find_columns(grid: Grid, layout: Layout, answers: Answers) -> dict[int, Use]:
    """Return what was said of columns; without headings only if they still look so."""
    headings = list_headings(grid, layout)
    uses = {n: use for n, use in enumerate(find_uses(headings, answers)) if use is not None}
    if any(headings) or find_rows_key(grid) in answers:
        return uses
    fits = all(_fits(use, grid.column(n, grid.numbers), grid.days) for n, use in uses.items())
    return uses if fits else {}


def find_rows_key(grid: Grid) -> str:
    """Return the key of the first rows together, of which columns without headings were said."""
    return build_row_key(" / ".join(map(grid.key, grid.numbers[:HEADINGS_WITHIN])))


def list_headings(grid: Grid, layout: Layout) -> list[str]:
    """Return the heading of each column, '' where there is none."""
    row = find_heading(grid, layout)
    own = {} if row is None else {n: grid.text(row, n) for n in grid.filled(row)}
    return [own.get(n, "") for n in range(grid.width)]


def _fits(use: Use, texts: list[str], days: Collection[date]) -> bool:
    if "start" in use.fields:
        return any(is_time(text) or split_moment(text, days)[1] for text in texts)
    if "day" in use.fields:
        return any(split_days(text, days)[0] for text in texts)
    return "title" not in use.fields or look_at_all(texts, days) not in (Meaning.TIME, Meaning.DAY)


# --- Reading by a layout


def find_heading(grid: Grid, layout: Layout) -> int | None:
    """Return the row of the headings: as was said, else the one that is known or looks like one."""
    if named := grid.find_rows(layout, Meaning.HEADING):
        return named[0]
    if layout.kind is Kind.GRID:
        axes = find_axes(grid, layout)
        return axes and axes.heading
    guesses = (find(grid) for find in (find_known_heading, find_unknown_headings, _find_words))
    row = next((row for row in guesses if row is not None), None)
    return None if row is None or grid.role_of(layout, row) else row


def _find_words(grid: Grid) -> int | None:
    """Return the first row of words alone of which one is a heading that is known."""
    for row in grid.numbers[:HEADINGS_WITHIN]:
        texts = [grid.text(row, n) for n in grid.filled(row)]
        is_words = all(look(text, grid.days) is Meaning.TEXT and not text.isdecimal() for text in texts)
        if len(texts) >= _LEAST and is_words and any(find_fields(texts)):
            return row
    return None


def find_known_heading(grid: Grid) -> int | None:
    place = find_headings_row(grid.table)
    return None if place is None else grid.numbers[place]


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


# --- The sheets of a file


def unfold_tables(tables: Sequence[Table], defaults: ImportDefaults) -> dict[str, Unfolded]:
    """Return the sheets of a file that are no plain tables, by name."""
    usual = ((table, NO if table.hidden else YES) for table in tables)
    read = (table for table, each in usual if defaults.answers.get(build_sheet_key(table.name), each) == YES)
    shapes, names = Counter(map(_find_shape, read)), [table.name for table in tables]
    layouts: dict[str, Unfolded] = {}
    for table in tables:
        grid = Grid(table, defaults.days)
        is_one_of_several = shapes[_find_shape(table)] > 1 and not _NO_PLACE.fullmatch(table.name)
        layout = find_layout(grid, names, defaults.answers, is_one_of_several=is_one_of_several)
        one = read_by(grid, layout, keep=True) if layout else None
        if one and one.table is not table:
            layouts[table.name] = one
    return layouts


def _find_shape(table: Table) -> tuple[str, ...]:
    """Return what sheets that are laid out alike have in common: their headings, or else their name."""
    place = find_headings_row(table)
    return (table.name,) if place is None else tuple(sorted(fold_headings(table.rows[place].cells)))


def describe_layout(layout: Layout) -> str:
    if layout.kind is Kind.GRID:
        down, across = (AXES[each or Meaning.PLACE] for each in (layout.down, layout.across))
        return _("a grid of %(down)s and %(across)s") % {"down": down, "across": across}
    parts = [str(layout.kind.label)]
    if Meaning.DAY in layout.rows.values():
        parts.append(_("rows between say the day"))
    if Meaning.PLACE in layout.rows.values():
        parts.append(_("rows between say the place"))
    if layout.name:
        parts.append(_("its name is the day") if layout.name is Meaning.DAY else _("its name is the place"))
    return ", ".join(parts)
