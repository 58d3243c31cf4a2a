"""The programme as a sheet, CSV or XLSX, that spreadsheet programs open and that reads back exactly."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.db.models.functions import Greatest, Length
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feeds.columns import EXPORTED_COLUMNS, Columns, defuse_formula
from programme.exchange.exports.rows import Cell, Row, read_rows
from programme.exchange.readers.sheet.values import PROSE
from programme.models import Area, Event, Occasion, Status
from programme.models.dates import editor_language
from programme.publishing.loading import consistent_read


class ExportError(Exception):
    """The events cannot be written as this kind of file: the message is a sentence that says why."""


class SheetExport(NamedTuple):
    """A kind of file with a row for each occasion, in the language of whoever asks for it.

    `write` yields the blocks of a file with rows, which come some at a time, and a title.
    """

    name: str
    label: str
    purpose: Promise
    media_type: str
    write: Callable[[Iterable[list[Row]], str], Iterator[bytes]]
    longest_cell: int = 0

    def stream(
        self, events: QuerySet[Event], within: Q | None = None, columns: Columns = EXPORTED_COLUMNS
    ) -> Iterator[bytes]:
        """Return the blocks of a file with the events and those of their occasions that meet a condition.

        All are read in one transaction. Raises `ExportError` before the first one.
        """
        if self.longest_cell and columns == EXPORTED_COLUMNS:
            long = events.alias(longest=Greatest(*map(Length, PROSE))).filter(longest__gt=self.longest_cell)
            if too_long := long.order_by("title__in_order", "pk").first():
                what = _("“%(event)s” has a text that is too long for a cell in Excel: export as CSV.")
                raise ExportError(what % {"event": too_long.title})
        # The blocks may be asked for when another language is active.
        return self._stream(read_rows(events, editor_language(), within or Q(), columns), _("Programme"))

    def _stream(self, rows: Iterator[list[Row]], title: str) -> Iterator[bytes]:
        with consistent_read():
            yield from self.write(rows, title)


def _write_csv(chunks: Iterable[list[Row]], _title: str) -> Iterator[bytes]:
    """Yield CSV with `;` between its cells and a byte order mark, as Excel in Sweden expects it."""
    yield "\ufeff".encode()
    for chunk in chunks:
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
        writer.writerows([_to_text(cell) for cell in row] for row in chunk)
        yield text.getvalue().encode()


def _write_xlsx(chunks: Iterable[list[Row]], title: str) -> Iterator[bytes]:
    from programme.exchange.exports.workbook import write_workbook  # noqa: PLC0415 - cost at start

    return write_workbook(chunks, title)


XLSX = SheetExport(
    "xlsx",
    "Excel (XLSX)",
    gettext_lazy("The spreadsheet to work in, which can be imported again."),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    _write_xlsx,
    longest_cell=32_766,
)
CSV = SheetExport(
    "csv",
    "CSV",
    gettext_lazy("The same spreadsheet for other programs."),
    "text/csv; charset=utf-8",
    _write_csv,
)
# By their names, which are the endings of their files.
EXPORTS = {export.name: export for export in (XLSX, CSV)}


def select_events(
    *, drafts: bool = False, area: Area | None = None, within: Q | None = None
) -> QuerySet[Event]:
    """Return events; with a condition for occasions those that have such, and those that have none at all."""
    events = Event.objects.all() if drafts else Event.objects.filter(status=Status.PUBLISHED)
    if within:
        held, every = (Occasion.objects.filter(each).order_by().values("event") for each in (within, Q()))
        events = events.filter(Q(pk__in=held) | ~Q(pk__in=every))
    return events if area is None else events.filter(area=area)


def _to_text(cell: Cell) -> str:
    if isinstance(cell, str):
        return defuse_formula(cell)
    if isinstance(cell, time):
        return cell.isoformat("minutes")
    if isinstance(cell, datetime):
        return cell.isoformat(" ", "minutes")
    return cell.isoformat() if isinstance(cell, date) else str(cell)
