"""The programme as a sheet, CSV or XLSX, that spreadsheet programs open and that reads back exactly."""

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from feeds.festival_time import ONE_DAY, FestivalTime
from feeds.names import fold
from feeds.vocabulary import LanguageCode
from programme.exchange.exports.export import ExportError, ExportFormat
from programme.exchange.exports.selection import ExportPlace
from programme.exchange.own_format import format_last_modified
from programme.exchange.readers.sheet.columns import EXPORTED_COLUMNS
from programme.exchange.readers.sheet.formulas import defuse_formula
from programme.exchange.readers.sheet.times import format_clock
from programme.exchange.readers.sheet.values import FLAGS, LINES, LINKS, PROSE
from programme.models import Event, Occasion, Production, Status
from programme.models.festival_time import festival_time

# What a cell of a workbook can hold.
LONGEST_CELL = 32_767
_BYTE_ORDER_MARK = "\ufeff"
# Of columns in a spreadsheet program; the others fit a date.
_WIDTHS = {
    "title": 40,
    "organizer": 25,
    "location": 22,
    "description_sv": 50,
    "description_en": 50,
    "intro_sv": 40,
    "intro_en": 40,
}
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_WRITTEN_AT = re.compile(rb"<dcterms:(created|modified)[^>]*>[^<]*</dcterms:\1>")

Cell = str | date | time
_YES = "yes"


# What stands for yes, and for choices, in the language of the headings.
_WORDS: dict[str, dict[str | int, str]] = {
    "sv": {
        _YES: "ja",
        Status.DRAFT: "utkast",
        Status.PUBLISHED: "publicerad",
        Production.NOT_STATED: "",
        Production.FESTIVAL: "festivalen",
        Production.TOGETHER: "tillsammans",
        Production.OTHERS: "andra",
    },
    "en": {
        _YES: "yes",
        Status.DRAFT: "draft",
        Status.PUBLISHED: "published",
        Production.NOT_STATED: "",
        Production.FESTIVAL: "festival",
        Production.TOGETHER: "together",
        Production.OTHERS: "others",
    },
}


class CsvExport(ExportFormat):
    """CSV with `;` between its cells and a byte order mark, as Excel in Sweden expects it."""

    name = "csv"
    label = "CSV"
    purpose = gettext_lazy("The same spreadsheet for other programs.")
    extension = "csv"
    media_type = "text/csv; charset=utf-8"

    def write(self, events: QuerySet[Event], language: LanguageCode = "sv") -> bytes:  # noqa: ARG002
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
        for row in _rows(events, festival_time()):
            writer.writerow([defuse_formula(_to_text(cell)) for cell in row])
        return (_BYTE_ORDER_MARK + text.getvalue()).encode()


class XlsxExport(ExportFormat):
    """A workbook: the same bytes for the same programme."""

    name = "xlsx"
    label = "Excel (XLSX)"
    purpose = gettext_lazy("The spreadsheet to work in: everything, and it can be imported again.")
    extension = "xlsx"
    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    def write(self, events: QuerySet[Event], language: LanguageCode = "sv") -> bytes:  # noqa: ARG002
        # It takes time that the service need not wait for.
        from openpyxl import Workbook  # noqa: PLC0415 - cost at start
        from openpyxl.styles import Font  # noqa: PLC0415 - cost at start

        book = Workbook()
        sheet = book.active
        sheet.title = _("Programme")
        for row in _rows(events, festival_time()):
            if any(isinstance(cell, str) and len(cell) >= LONGEST_CELL for cell in row):
                what = _("“%(event)s” has a text that is too long for a cell in Excel: export as CSV.")
                raise ExportError(what % {"event": row[1]})
            sheet.append([defuse_formula(cell) if isinstance(cell, str) else cell for cell in row])
        for heading, column in zip(sheet[1], EXPORTED_COLUMNS, strict=True):
            heading.font = Font(bold=True)
            sheet.column_dimensions[heading.column_letter].width = _WIDTHS.get(column.field, 13)
        for cells in sheet.iter_rows(min_row=2):
            for cell in cells:
                if isinstance(cell.value, time):
                    cell.number_format = "hh:mm"
        sheet.freeze_panes = "C2"
        sheet.auto_filter.ref = sheet.dimensions
        stream = io.BytesIO()
        book.save(stream)
        return _remove_timestamps(stream.getvalue())


def _remove_timestamps(content: bytes) -> bytes:
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.infolist():
            part = old.read(entry)
            if entry.filename == "docProps/core.xml":
                part = _WRITTEN_AT.sub(b"", part)
            info = zipfile.ZipInfo(entry.filename, _LONG_AGO)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, part)
    return stream.getvalue()


# --- Rows -----------------------------------------------------------------------------------


def _rows(events: QuerySet[Event], festival: FestivalTime) -> Iterator[list[Cell]]:
    language = "sv" if (get_language() or "sv").startswith("sv") else "en"
    yield [getattr(column, language) for column in EXPORTED_COLUMNS]
    occasions = Occasion.objects.select_related("location", "room__location").order_by("start", "end", "uuid")
    related = events.order_by().select_related(
        "area", "sub_area", "type", "organizer", "language", "location", "room__location"
    )
    loaded = related.prefetch_related(Prefetch("occasions", queryset=occasions))
    words = _WORDS[language]
    for event, shown in sorted(((event, list(event.occasions.all())) for event in loaded), key=_sort_key):
        cells = _event_cells(event, words)
        for own in [_occasion_cells(occasion, festival, words) for occasion in shown] or [{}]:
            yield [(cells | own).get(column.field, "") for column in EXPORTED_COLUMNS]


def _sort_key(row: tuple[Event, list[Occasion]]) -> tuple[Any, ...]:
    """Return what sorts events in the same way in every database that holds them."""
    event, occasions = row
    first = [(each.start.isoformat(), str(each.uuid)) for each in occasions[:1]]
    return fold(event.title), fold(event.area.name), first, event.pk


def _event_cells(event: Event, words: dict[str | int, str]) -> dict[str, Cell]:
    return {
        **{name: getattr(event, name) for name in ("title", *PROSE, *LINES, *LINKS)},
        **{name: words[_YES] if getattr(event, name) else "" for name in FLAGS},
        **_place(event),
        "event_id": str(event.pk),
        "status": words[event.status],
        "area": event.area.name,
        "sub_area": event.sub_area.name if event.sub_area else "",
        "type": event.type.name_sv,
        "organizer": event.organizer.name if event.organizer else "",
        "language": event.language.code if event.language else "",
        "production": words[event.production],
        "last_modified": format_last_modified(event),
    }


def _occasion_cells(
    occasion: Occasion, festival: FestivalTime, words: dict[str | int, str]
) -> dict[str, Cell]:
    start, end = festival.local(occasion.start), festival.local(occasion.end)
    usual_end = start.date() if end.time() > start.time() else start.date() + ONE_DAY
    return {
        **{f"occasion_{name}": cell for name, cell in _place(occasion).items()},
        "day": start.date(),
        "start": _clock(occasion.start, start, festival),
        "end": _clock(occasion.end, end, festival),
        "end_day": "" if end.date() == usual_end and end.time() != start.time() else end.date(),
        "occasion_cancelled": words[_YES] if occasion.cancelled else "",
        "occasion_change_info": occasion.change_info,
        "occasion_id": str(occasion.uuid),
    }


def _place(row: Event | Occasion) -> dict[str, str]:
    place = ExportPlace.of(row.location, row.room)
    return {"location": place.location, "address": place.address, "room": place.room}


def _clock(instant: datetime, local: datetime, festival: FestivalTime) -> Cell:
    usual = festival.instant(local.date(), local.time())
    text = format_clock(instant, local, usual)
    # A workbook's own times know neither seconds as we show them nor offsets.
    return time(local.hour, local.minute) if len(text) == len("19:00") else text


def _to_text(cell: Cell) -> str:
    if isinstance(cell, time):
        return cell.isoformat("minutes")
    return cell.isoformat() if isinstance(cell, date) else cell
