"""The programme as a sheet, CSV or XLSX, that spreadsheet programs open and that reads back exactly."""

import csv
import io
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from datetime import date, time

from django.db.models import QuerySet
from django.db.models.functions import Greatest, Length
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from feeds.vocabulary import LanguageCode
from programme.exchange.exports.excess import SAMPLE, describe_excess, estimate_size
from programme.exchange.exports.export import ExportError, ExportFormat
from programme.exchange.exports.rows import Cell, Row, count_rows, read_rows
from programme.exchange.readers.sheet.tables import defuse_formula
from programme.exchange.readers.sheet.values import PROSE
from programme.models import Event
from programme.publishing.loading import consistent_read

# What a cell of a workbook can hold.
LONGEST_CELL = 32_767
_BYTE_ORDER_MARK = "\ufeff"


class SheetExport(ExportFormat):
    """A sheet with a row for each occasion, in the language of whoever asks for it."""

    def stream(self, events: QuerySet[Event]) -> Iterator[bytes]:
        self.check(events)
        # The blocks may be asked for when another language is active.
        return self._stream(events, _get_language(), _("Programme"))

    def check(self, events: QuerySet[Event]) -> None:
        """Raise `ExportError` if the events do not fit."""

    def _stream(self, events: QuerySet[Event], language: LanguageCode, title: str) -> Iterator[bytes]:
        with consistent_read():
            yield from self.write_rows(read_rows(events, language), count_rows(events), title)

    @abstractmethod
    def write_rows(self, chunks: Iterable[list[Row]], rows: int, title: str) -> Iterator[bytes]:
        """Yield the blocks of a file with so many rows, which come some at a time."""

    def find_excess(self, events: QuerySet[Event]) -> list[str]:
        with consistent_read():
            rows, ids = count_rows(events), list(events.order_by("pk").values_list("pk", flat=True))
            some = Event.objects.filter(pk__in=ids[:: len(ids) // SAMPLE + 1])
            chunks = list(read_rows(some, _get_language()))
        sample = [row for chunk in chunks for row in chunk]
        content = b"".join(self.write_rows(chunks, len(sample), _("Programme")))
        return describe_excess(estimate_size(rows, sample, content))


class CsvExport(SheetExport):
    """CSV with `;` between its cells and a byte order mark, as Excel in Sweden expects it."""

    name = "csv"
    label = "CSV"
    purpose = gettext_lazy("The same spreadsheet for other programs.")
    extension = "csv"
    media_type = "text/csv; charset=utf-8"

    def write_rows(self, chunks: Iterable[list[Row]], rows: int, title: str) -> Iterator[bytes]:  # noqa: ARG002
        yield _BYTE_ORDER_MARK.encode()
        for chunk in chunks:
            text = io.StringIO(newline="")
            writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
            writer.writerows([defuse_formula(_to_text(cell)) for cell in row] for row in chunk)
            yield text.getvalue().encode()


class XlsxExport(SheetExport):
    """A workbook: the same bytes for the same programme."""

    name = "xlsx"
    label = "Excel (XLSX)"
    purpose = gettext_lazy("The spreadsheet to work in: everything, and it can be imported again.")
    extension = "xlsx"
    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    def check(self, events: QuerySet[Event]) -> None:
        measured = events.alias(longest=Greatest(*map(Length, PROSE)))
        too_long = measured.filter(longest__gte=LONGEST_CELL).order_by("title", "pk").first()
        if too_long:
            what = _("“%(event)s” has a text that is too long for a cell in Excel: export as CSV.")
            raise ExportError(what % {"event": too_long.title})

    def write_rows(self, chunks: Iterable[list[Row]], rows: int, title: str) -> Iterator[bytes]:
        # It takes time that the service need not wait for.
        from programme.exchange.exports.workbook import write_workbook  # noqa: PLC0415 - cost at start

        return write_workbook(chunks, rows, title)


def _get_language() -> LanguageCode:
    return "sv" if (get_language() or "sv").startswith("sv") else "en"


def _to_text(cell: Cell) -> str:
    if isinstance(cell, time):
        return cell.isoformat("minutes")
    return cell.isoformat() if isinstance(cell, date) else cell
