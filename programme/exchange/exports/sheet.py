"""The programme as a sheet, CSV or XLSX, that spreadsheet programs open and that reads back exactly."""

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from typing import Any, NamedTuple

from django.db.models import Prefetch, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from feeds.festival_time import ONE_DAY, FestivalTime
from feeds.names import fold
from programme.exchange.own_format import format_last_modified
from programme.exchange.readers.sheet.columns import EXPORTED_COLUMNS
from programme.exchange.readers.sheet.formulas import defuse_formula
from programme.exchange.readers.sheet.times import format_clock
from programme.exchange.readers.sheet.values import FLAGS, LINES, LINKS, PROSE
from programme.models import Event, Occasion, Production, Status

# What a cell of a workbook can hold.
LONGEST_CELL = 32_767
_BYTE_ORDER_MARK = "\ufeff"
# Cells that are wide in a spreadsheet program; the others fit a date.
_WIDE = {
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


class TooLongError(ValueError):
    """A text does not fit into a workbook's cell: `event`."""

    def __init__(self, event: str) -> None:
        super().__init__(event)
        self.event = event


class _Words(NamedTuple):
    """What is written for yes, and for choices, in the language of the headings."""

    yes: str
    statuses: dict[str, str]
    productions: dict[int, str]


_WORDS = {
    "sv": _Words(
        "ja",
        {Status.DRAFT.value: "utkast", Status.PUBLISHED.value: "publicerad"},
        {
            Production.NOT_STATED.value: "",
            Production.FESTIVAL.value: "festivalen",
            Production.TOGETHER.value: "tillsammans",
            Production.OTHERS.value: "andra",
        },
    ),
    "en": _Words(
        "yes",
        {Status.DRAFT.value: "draft", Status.PUBLISHED.value: "published"},
        {
            Production.NOT_STATED.value: "",
            Production.FESTIVAL.value: "festival",
            Production.TOGETHER.value: "together",
            Production.OTHERS.value: "others",
        },
    ),
}


def write_csv(events: QuerySet[Event], festival: FestivalTime) -> bytes:
    """Return the events as CSV with `;` between its cells and a mark, as Excel in Sweden expects it."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    for row in _rows(events, festival):
        writer.writerow([defuse_formula(_as_text(cell)) for cell in row])
    return (_BYTE_ORDER_MARK + text.getvalue()).encode()


def write_xlsx(events: QuerySet[Event], festival: FestivalTime) -> bytes:
    """Return the events as a workbook: the same bytes for the same programme. Raises `TooLongError`."""
    from openpyxl import Workbook  # noqa: PLC0415 - it takes time that the service need not wait for
    from openpyxl.styles import Font  # noqa: PLC0415

    book = Workbook()
    sheet = book.active
    sheet.title = _("Programme")
    for row in _rows(events, festival):
        if any(isinstance(cell, str) and len(cell) >= LONGEST_CELL for cell in row):
            raise TooLongError(str(row[1]))
        sheet.append([defuse_formula(cell) if isinstance(cell, str) else cell for cell in row])
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    for letter, column in zip(_letters(sheet), EXPORTED_COLUMNS, strict=True):
        sheet.column_dimensions[letter].width = _WIDE.get(column.field, 13)
    for cells in sheet.iter_rows(min_row=2):
        for cell in cells:
            if isinstance(cell.value, time):
                cell.number_format = "hh:mm"
    sheet.freeze_panes = "C2"
    sheet.auto_filter.ref = sheet.dimensions
    stream = io.BytesIO()
    book.save(stream)
    return _without_moments(stream.getvalue())


def _letters(sheet: Any) -> list[str]:
    return [cell.column_letter for cell in sheet[1]]


def _without_moments(content: bytes) -> bytes:
    """Return a workbook that does not tell when it was written, so that the same rows are the same bytes."""
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
    for event in sorted(loaded, key=_order):
        cells = _event_cells(event, _WORDS[language])
        for occasion in [*_occasions(event)] or [None]:  # type: ignore[list-item]
            own = _occasion_cells(occasion, festival, _WORDS[language]) if occasion else {}
            yield [(cells | own).get(column.field, "") for column in EXPORTED_COLUMNS]


def _order(event: Event) -> tuple[Any, ...]:
    """Return what sorts events in the same way in every database that holds them."""
    occasions = _occasions(event)
    first = occasions[0].start.isoformat() if occasions else ""
    return (
        fold(event.title),
        fold(event.area.name),
        first,
        str(occasions[0].uuid) if occasions else "",
        event.pk,
    )


def _occasions(event: Event) -> Sequence[Occasion]:
    return list(event.occasions.all())  # type: ignore[attr-defined]


def _event_cells(event: Event, words: _Words) -> dict[str, Cell]:
    return {
        **{name: getattr(event, name) for name in ("title", *PROSE, *LINES, *LINKS)},
        **{name: words.yes if getattr(event, name) else "" for name in FLAGS},
        **_place(event),
        "event_id": str(event.pk),
        "status": words.statuses[event.status],
        "area": event.area.name,
        "sub_area": event.sub_area.name if event.sub_area else "",
        "type": event.type.name_sv,
        "organizer": event.organizer.name if event.organizer else "",
        "language": event.language.code if event.language else "",
        "production": words.productions[event.production],
        "last_modified": format_last_modified(event),
    }


def _occasion_cells(occasion: Occasion, festival: FestivalTime, words: _Words) -> dict[str, Cell]:
    start, end = festival.local(occasion.start), festival.local(occasion.end)
    usual_end = start.date() if end.time() > start.time() else start.date() + ONE_DAY
    return {
        **{f"occasion_{name}": cell for name, cell in _place(occasion).items()},
        "day": start.date(),
        "start": _clock(occasion.start, start, festival),
        "end": _clock(occasion.end, end, festival),
        "end_day": "" if end.date() == usual_end and end.time() != start.time() else end.date(),
        "occasion_cancelled": words.yes if occasion.cancelled else "",
        "occasion_id": str(occasion.uuid),
    }


def _place(row: Event | Occasion) -> dict[str, str]:
    location = row.location or (row.room.location if row.room else None)
    return {
        "location": location.name if location else "",
        "address": location.address if location else "",
        "room": row.room.name if row.room else "",
    }


def _clock(instant: datetime, local: datetime, festival: FestivalTime) -> Cell:
    usual = festival.instant(local.date(), local.time())
    text = format_clock(instant, local, usual)
    # A workbook's own times know neither seconds as we show them nor offsets.
    return time(local.hour, local.minute) if len(text) == len("19:00") else text


def _as_text(cell: Cell) -> str:
    if isinstance(cell, time):
        return cell.isoformat("minutes")
    return cell.isoformat() if isinstance(cell, date) else cell
