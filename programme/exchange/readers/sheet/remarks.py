"""Remarks on a sheet as a whole: what was derived, what looks wrong, and what was not understood."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from programme.exchange.readers.sheet.date_cells import DateText, format_rows
from programme.exchange.readers.sheet.dates import SheetDates, warn_of_dates
from programme.exchange.readers.sheet.grouping import SheetRows
from programme.exchange.readers.sheet.layout import Meaning
from programme.exchange.readers.sheet.rows import SheetRow
from programme.exchange.readers.sheet.said import name_column
from programme.exchange.readers.sheet.sheets import ChosenSheets
from programme.exchange.readers.sheet.shown import CELLS
from programme.exchange.text.lines import truncate
from programme.exchange.text.times import suggest_time
from programme.exchange.values import ImportDefaults, ScheduledEvent

_LONGEST_TITLE = 60


class SheetAsRead(NamedTuple):
    """A file's rows, the sheets that they are from, and the events that were read from them."""

    file: SheetRows
    chosen: ChosenSheets
    rows: Sequence[SheetRow]
    events: Sequence[ScheduledEvent]
    is_own_export: bool


def list_remarks(
    read: SheetAsRead, dates: SheetDates, texts: Sequence[DateText], defaults: ImportDefaults
) -> Iterator[tuple[str, bool]]:
    """Yield remarks, each with whether it warns: those are said again after the import."""
    yield from ((remark, False) for remark in dates.remarks)
    warnings = warn_of_dates(texts, dates, read.events, defaults, is_own_export=read.is_own_export)
    yield from ((warning, True) for warning in warnings)
    if not read.is_own_export:
        yield from ((remark, False) for remark in _name_unread(read, dates))
    yield from _name_hidden(read)
    yield from ((remark, False) for remark in _count_struck(read))
    yield from ((warning, True) for warning in _name_lost(read))


def _name_unread(read: SheetAsRead, dates: SheetDates) -> Iterator[str]:
    sheets = read.file.sheets
    unused = dict.fromkeys(each.mapping.headings[place] for each in sheets for place in each.unused)
    if unused:
        yield _("columns that are left alone: %(names)s") % {"names": ", ".join(unused)}
    if bare := {row: text for each in sheets for row, text in each.bare.items()}:
        named = {"text": truncate(min(bare.items())[1], _LONGEST_TITLE), "rows": dates.name_rows(bare)}
        yield _("texts below no heading are left alone (“%(text)s”): %(rows)s") % named


def _name_lost(read: SheetAsRead) -> Iterator[str]:
    shown = {each["name"]: each["columns"] for each in read.chosen.shown}
    lost = [
        cell
        for name, layout in read.chosen.layouts.items()
        for cell in layout.cells
        if cell.role is Meaning.UNUSED
        and shown[name][cell.column]["why"] != CELLS
        and suggest_time(cell.text)
    ]
    if lost:
        text = _("texts with a time that are not used: %(count)d (the first: “%(text)s”, row %(row)s)")
        named = {"text": truncate(lost[0].text, _LONGEST_TITLE), "row": str(lost[0].row)}
        yield text % {"count": len(lost), **named}
    has_times = any(each.occasions for each in read.events)
    if not read.is_own_export and len(read.events) > 1 and not has_times:
        yield _("no event has a day and a time")


def _name_hidden(read: SheetAsRead) -> Iterator[tuple[str, bool]]:
    """Yield what is hidden in the file, and therefore not read: a filter may have left rows hidden."""
    names = {sheet.name for sheet in read.file.listed if sheet.is_read}
    for table in read.chosen.tables:
        rows, columns = table.left_out if table.name in names else ((), ())
        parts = [format_rows(rows)] if rows else []
        parts += [_("column %(name)s") % {"name": name_column(column)} for column in columns]
        if parts:
            hidden = ", ".join([*filter(None, [table.name]), *parts])
            yield _("hidden in the file, and not read: %(hidden)s") % {"hidden": hidden}, bool(rows)


def _count_struck(read: SheetAsRead) -> Iterator[str]:
    if struck := [row for row in read.rows if row.struck]:
        rows = format_rows((row.number for row in struck), read.file.listed)
        yield _("struck through, and therefore cancelled: %(rows)s") % {"rows": rows}
