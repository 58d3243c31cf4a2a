"""The programme as a sheet, CSV or XLSX, that spreadsheet programs open and that reads back exactly."""

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from datetime import date, time
from typing import ClassVar

from django.db.models import Q, QuerySet
from django.db.models.functions import Greatest, Length
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feeds.formulas import defuse_formula
from programme.exchange.exports.rows import Cell, Row, read_rows
from programme.exchange.readers.sheet.date_cells import find_language
from programme.exchange.readers.sheet.values import PROSE
from programme.models import Area, Event, Occasion, Status
from programme.publishing.loading import consistent_read


class ExportError(Exception):
    """The events cannot be written as this kind of file: the message is a sentence that says why."""


class SheetExport(ABC):
    """A kind of file with a row for each occasion, in the language of whoever asks for it.

    It has a name for commands and addresses, and a label and a purpose for people.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    purpose: ClassVar[Promise]
    media_type: ClassVar[str]
    longest_cell: ClassVar[int] = 0

    def stream(self, events: QuerySet[Event], within: Q | None = None) -> Iterator[bytes]:
        """Return the blocks of a file with the events and those of their occasions that meet a condition.

        All are read in one transaction. Raises `ExportError` before the first one.
        """
        if self.longest_cell:
            measured = events.alias(longest=Greatest(*map(Length, PROSE)))
            too_long = (
                measured.filter(longest__gt=self.longest_cell).order_by("title__in_order", "pk").first()
            )
            if too_long:
                what = _("“%(event)s” has a text that is too long for a cell in Excel: export as CSV.")
                raise ExportError(what % {"event": too_long.title})
        # The blocks may be asked for when another language is active.
        rows = read_rows(events, find_language(), within or Q())
        return self._stream(rows, _("Programme"))

    def _stream(self, rows: Iterator[list[Row]], title: str) -> Iterator[bytes]:
        with consistent_read():
            yield from self.write_rows(rows, title)

    @abstractmethod
    def write_rows(self, chunks: Iterable[list[Row]], title: str) -> Iterator[bytes]:
        """Yield the blocks of a file with these rows, which come some at a time."""


class CsvExport(SheetExport):
    """CSV with `;` between its cells and a byte order mark, as Excel in Sweden expects it."""

    name = "csv"
    label = "CSV"
    purpose = gettext_lazy("The same spreadsheet for other programs.")
    media_type = "text/csv; charset=utf-8"

    def write_rows(self, chunks: Iterable[list[Row]], title: str) -> Iterator[bytes]:  # noqa: ARG002
        yield "\ufeff".encode()
        for chunk in chunks:
            text = io.StringIO(newline="")
            writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
            writer.writerows([_to_text(cell) for cell in row] for row in chunk)
            yield text.getvalue().encode()


class XlsxExport(SheetExport):
    """A workbook."""

    name = "xlsx"
    label = "Excel (XLSX)"
    purpose = gettext_lazy("The spreadsheet to work in: everything, and it can be imported again.")
    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    longest_cell = 32_766

    def write_rows(self, chunks: Iterable[list[Row]], title: str) -> Iterator[bytes]:
        # It takes time that the service need not wait for.
        from programme.exchange.exports.workbook import write_workbook  # noqa: PLC0415 - cost at start

        return write_workbook(chunks, title)


# By their names, which are the endings of their files.
EXPORTS: dict[str, SheetExport] = {export.name: export for export in (XlsxExport(), CsvExport())}


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
    return cell.isoformat() if isinstance(cell, date) else str(cell)
