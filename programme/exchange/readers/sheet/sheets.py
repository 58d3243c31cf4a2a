"""Finds out what each sheet of a workbook looks like, and chooses those that are read as one programme."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from django.utils.translation import gettext as _
from msgspec.structs import replace

from programme.exchange.readers.sheet import mapping
from programme.exchange.readers.sheet.columns import are_exported, find_fields, fold_heading
from programme.exchange.readers.sheet.layout import Grid, Unfolded
from programme.exchange.readers.sheet.layouts import (
    explain,
    find_unknown_headings,
    is_on_its_side,
    is_side_by_side,
    unfold_tables,
)
from programme.exchange.readers.sheet.rows import TIMES
from programme.exchange.readers.sheet.shown import Shown, show_sheets
from programme.exchange.readers.sheet.tables import Table, TableRow
from programme.exchange.text.when import split_days, split_moment
from programme.exchange.values import ImportDefaults, UnreadableFileError
from programme.exchange.workbook import YES, Looks, WorkbookSheet

_PLACES = {"location", "room", "address"}
# Headings of lists of people and places as well as of programmes.
_ANY_NAME = {"namn", "name"}
_CLOCK = re.compile(r"\b\d{1,2}[:.]\d{2}\b")
# So many clock times are no notes.
_LEAST_CLOCKS = 5
_REASONS = {Looks.NO_DATES: mapping.NO_DATES, Looks.NO_TIMES: mapping.NO_TIMES}


class ChosenSheets(NamedTuple):
    """All sheets of a file, those that are read, how they are laid out, and how they are shown."""

    listed: list[WorkbookSheet]
    tables: Sequence[Table]
    read: list[mapping.Sheet]
    layouts: Mapping[str, Unfolded]
    shown: list[Shown]


def look_at_sheets(
    stated: Sequence[Table], defaults: ImportDefaults
) -> tuple[dict[str, Unfolded], list[WorkbookSheet], list[Shown]]:
    """Return how sheets are laid out, what they look like, and what is shown of them."""
    layouts = unfold_tables(stated, defaults)
    tables = [layouts[table.name].table if table.name in layouts else table for table in stated]
    found = mapping.find_sheets([table for table in tables if table.rows], defaults.answers)
    return layouts, list_sheets(tables, found, defaults), show_sheets(stated, layouts, found, defaults)


def choose_sheets(stated: Sequence[Table], defaults: ImportDefaults, only: str | None = None) -> ChosenSheets:
    """Return the sheets of a file, or one alone; those with the same headings in any order are one.

    Raises `UnreadableFileError` if one of the chosen cannot be read: the others alone are half a programme.
    """
    layouts, listed, shown = look_at_sheets(stated, defaults)
    if only is not None:
        stated = [table for table in stated if table.name == only]
        listed = [replace(sheet, offset=0) for sheet in listed if sheet.name == only]
    tables = [layouts[table.name].table if table.name in layouts else table for table in stated]
    if not any(sheet.rows for sheet in listed):
        is_empty = not any(table.rows for table in tables)
        raise UnreadableFileError(_("it is empty") if is_empty else _("it has headings, but no rows"))
    pairs = list(zip(tables, listed, strict=True))
    is_read = any(sheet.is_read for sheet in listed)
    for table, sheet in pairs:
        if sheet.looks is Looks.LAYOUT and (sheet.is_read or not (is_read or sheet.hidden)):
            what = explain(table, defaults.days)
            raise mapping.UnknownHeadingsError(f"“{table.name}”: {what}" if table.name else what)
    if not is_read:
        what = _("none of its sheets is read as a programme: %(sheets)s")
        if any(sheet.looks is Looks.PROGRAMME and not sheet.hidden for sheet in listed):
            what = _("none of its sheets is one of those that were chosen: %(sheets)s")
        raise mapping.UnknownHeadingsError(what, sheets="; ".join(each.description for each in listed))
    chosen = [
        replace(table, rows=tuple(replace(row, number=row.number + sheet.offset) for row in table.rows))
        for table, sheet in pairs
        if sheet.is_read
    ]
    read = mapping.find_sheets(chosen, defaults.answers)
    _require_columns(listed, {name: sheet for sheet in read for name in sheet.parts})
    layouts = {sheet.name: layouts[sheet.name] for sheet in listed if sheet.is_read and sheet.name in layouts}
    return ChosenSheets(listed, stated, read, layouts, shown)


def list_sheets(
    tables: Sequence[Table], found: Sequence[mapping.Sheet], defaults: ImportDefaults
) -> list[WorkbookSheet]:
    """Return what sheets look like, and which are read: those that were chosen, else all programmes."""
    by_name = {name: sheet for sheet in found for name in sheet.parts}
    sheets = [_look_at(table, by_name.get(table.name), defaults.days) for table in tables]
    listed, offset = [], 0
    for table, sheet in zip(tables, sheets, strict=True):
        is_read = bool(sheet.rows) and _is_chosen(sheet, sheets, defaults.answers)
        listed.append(replace(sheet, is_read=is_read, offset=offset))
        offset += max(row.number for row in table.rows) if is_read else 0
    return listed


def _is_chosen(sheet: WorkbookSheet, sheets: Sequence[WorkbookSheet], answers: Mapping[str, str]) -> bool:
    if answer := answers.get(sheet.key):
        return answer == YES
    if sheet.hidden:
        return False
    filled = [each for each in sheets if each.rows]
    # What is wrong with the only one is said as of any other file.
    is_alone = all(each.hidden for each in filled if each is not sheet)
    return sheet.looks == Looks.PROGRAMME or len(filled) == 1 or (is_alone and sheet.is_programme)


def _require_columns(listed: Sequence[WorkbookSheet], read: Mapping[str, mapping.Sheet]) -> None:
    is_alone = sum(bool(sheet.rows) for sheet in listed) == 1
    for sheet in listed:
        reason = _find_missing(sheet, read.get(sheet.name)) if sheet.is_read else ""
        if reason and (not is_alone or reason == str(mapping.NO_TITLES)):
            named = _("“%(sheet)s”: %(reason)s") % {"sheet": sheet.name, "reason": reason}
            raise mapping.UnknownHeadingsError(reason if is_alone else named)


def _find_missing(sheet: WorkbookSheet, read: mapping.Sheet | None) -> str:
    """Return what a chosen sheet lacks; one without any times has events without occasions."""
    fields = read.mapping.sources.keys() if read else set()
    if "title" not in fields:
        return str(mapping.NO_TITLES)
    return str(_REASONS.get(sheet.looks, "")) if fields & TIMES else ""


# --- What sheets look like


def _look_at(table: Table, sheet: mapping.Sheet | None, days: Collection[date]) -> WorkbookSheet:
    if sheet is None or (not any(sheet.uses) and is_side_by_side(table)):
        return WorkbookSheet(table.name, _look_at_cells(table, days), len(table.rows), hidden=table.hidden)
    rows = sheet.parts[table.name]
    return WorkbookSheet(table.name, _look_at_rows(sheet, rows, days), len(rows), hidden=table.hidden)


def _look_at_cells(table: Table, days: Collection[date]) -> Looks:
    """Return what a sheet without known headings looks like."""
    if not table.rows:
        return Looks.EMPTY
    if is_side_by_side(table):
        return Looks.LAYOUT
    if find_unknown_headings(Grid(table, days)) is not None:
        return Looks.NO_TITLES
    clocks = sum(len(_CLOCK.findall(cell)) for row in table.rows for cell in row.cells)
    if clocks >= _LEAST_CLOCKS or is_on_its_side(table):
        return Looks.LAYOUT
    rows = [row.cells for row in table.rows[: mapping.HEADINGS_WITHIN] if sum(map(bool, row.cells)) > 1]
    return Looks.PLACES if any(_PLACES.intersection(find_fields(row)) for row in rows) else Looks.NOTES


def _look_at_rows(sheet: mapping.Sheet, rows: Sequence[TableRow], known: Collection[date]) -> Looks:
    fields = sheet.mapping.sources.keys()
    if not rows:
        return Looks.EMPTY
    if not fields & TIMES and fold_heading(sheet.mapping.heading_of("title")) in {"", *_ANY_NAME}:
        return Looks.PLACES if fields & _PLACES else Looks.NOTES
    if "title" not in fields:
        return Looks.NO_TITLES
    # A sheet of this service may have events without occasions.
    if are_exported(fields):
        return Looks.PROGRAMME
    cells = [row.cells for row in rows]
    # A date that is the same for all rows is one sheet's: others with the same headings are of other days.
    days = _texts(sheet, cells, "day", "festival_day", is_fixed=len(sheet.parts) == 1)
    starts = _texts(sheet, cells, "start")
    stated = [*days, *_texts(sheet, cells, "weekday")]
    if not any(any(map(str.isdigit, text)) or split_days(text, known)[0] for text in stated) and not any(
        split_moment(text, known)[0] for text in starts
    ):
        return Looks.NO_DATES
    return Looks.PROGRAMME if any(starts) or any(all(split_moment(text)) for text in days) else Looks.NO_TIMES


def _texts(
    sheet: mapping.Sheet, rows: Sequence[Sequence[str]], *fields: str, is_fixed: bool = True
) -> list[str]:
    sources = [sheet.mapping.sources[field] for field in fields if field in sheet.mapping.sources]
    if not is_fixed:
        sources = [replace(source, fixed="") for source in sources]
    return [text for source in sources for cells in rows if (text := source.text(cells))]
