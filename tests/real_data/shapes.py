"""Writes rows into sheets as offices export them, and says what a sheet of that shape can hold."""

import csv
import io
from collections.abc import Callable, Hashable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from openpyxl import Workbook

from tests.real_data.offices import OfficeRow
from tests.real_data.showings import Showing, tidy

Cells = list[Any]


class Row(NamedTuple):
    """A row with its number and, on the clock of the festival, when it begins and ends."""

    stated: OfficeRow
    number: int
    start: datetime | None
    end: datetime | None


def _identify_by_number(row: OfficeRow) -> Hashable:
    return row.showing.event


def _identify_by_names(row: OfficeRow) -> Hashable:
    return tuple(tidy(each).casefold() for each in (row.showing.title, row.organizer, row.area))


class Shape(NamedTuple):
    """A form of a sheet: its headings, how a row and the file are written, and what a reader can know of it.

    `adapt` returns what is left of a showing in this form, and `identify` what its event is known by.
    """

    headings: tuple[str, ...]
    write_row: Callable[[Row], Cells]
    write_file: Callable[[list[Cells]], bytes]
    ending: str
    identify: Callable[[OfficeRow], Hashable] = _identify_by_number
    adapt: Callable[[Showing, ZoneInfo], Showing] = lambda showing, _zone: showing
    answers: tuple[str, ...] = ()
    note: str = ""

    @property
    def has_numbers(self) -> bool:
        """Whether its events have numbers."""
        return self.identify is _identify_by_number


def write_sheet(shape: Shape, rows: Iterable[OfficeRow], zone: ZoneInfo) -> bytes:
    return shape.write_file([[*shape.headings], *map(shape.write_row, _in_order(rows, zone))])


def expect(shape: Shape, rows: Iterable[OfficeRow], zone: ZoneInfo) -> list[Showing]:
    """Return what is in such a sheet: identical rows count once.

    Events that are known by their names are called as at their first time; what has no time has no place.
    """
    found: dict[tuple[str, ...], Showing] = {}
    titles: dict[Hashable, str] = {}
    ordered = _in_order(rows, zone)
    for row in sorted(ordered, key=lambda row: (row.start is None, row.start or row.number)):
        titles.setdefault(shape.identify(row.stated), shape.adapt(row.stated.showing, zone).title)
    for row in ordered:
        cells = tuple(map(str, shape.write_row(row)))
        showing, event = shape.adapt(row.stated.showing, zone), shape.identify(row.stated)
        named = showing._replace(event=event, title=titles[event])
        found[cells] = named if row.start else Showing(named.title, None, None, event=event)
    return list(found.values())


def _in_order(rows: Iterable[OfficeRow], zone: ZoneInfo) -> list[Row]:
    return [Row(row, number, *_find_local(row, zone)) for number, row in enumerate(rows, 1)]


def _find_local(row: OfficeRow, zone: ZoneInfo) -> Iterator[datetime | None]:
    for moment in (row.showing.start, row.showing.end):
        yield moment and moment.astimezone(zone).replace(tzinfo=None)


def _name(row: Row) -> Cells:
    stated = row.stated
    return [
        stated.showing.event,
        stated.showing.title,
        stated.organizer,
        stated.area,
        stated.type,
        stated.intro,
    ]


def _place(row: Row, yes: str = "ja", no: str = "nej") -> Cells:
    showing = row.stated.showing
    return [showing.location, showing.room, yes if showing.cancelled else no, row.stated.coordinates]


def _write_texts(row: Row) -> Cells:
    return [*_name(row), *_place(row), *_format_times(row)]


def _format_times(row: Row) -> Cells:
    if not row.start:
        return [""] * 4
    return [f"{row.start:%Y-%m-%d}", f"{row.start:%H:%M}", f"{row.end:%Y-%m-%d}", f"{row.end:%H:%M}"]


def _write_excel(row: Row) -> Cells:
    moments = (row.start, row.end)
    times = [part for each in moments for part in (each and each.date(), each and each.time())]
    return [*_name(row), *_place(row), *times]


def _write_range(row: Row) -> Cells:
    times = ["", ""]
    if row.start:
        day = f"{row.start:%a} {row.start.day}/{row.start.month} {row.start.year}"
        times = [day, f"{row.start:%H.%M}–{row.end:%H.%M}"]
    return [*_name(row), *_place(row), *times]


def _write_film(row: Row) -> Cells:
    """Return a row as cinemas have it: 18.30 as the number 18.3, and a length in minutes."""
    showing, start = row.stated.showing, row.start
    if not start:
        return [showing.title, showing.location, showing.room, *[None] * 4]
    minutes = round((row.end - start).total_seconds() / 60)
    times = [start.date(), start.hour + start.minute / 100, minutes]
    return [showing.title, showing.location, showing.room, *times, row.number]


def _write_windows(lines: list[Cells]) -> bytes:
    return _write_csv(lines, ";").encode("cp1252", "replace")


def _write_unicode(lines: list[Cells]) -> bytes:
    return _write_csv(lines, ",").encode()


def _write_csv(lines: list[Cells], separator: str) -> str:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=separator).writerows(lines)
    return file.getvalue()


def _write_workbook(lines: list[Cells]) -> bytes:
    """Return a workbook with a title above the headings, as Excel keeps dates and times."""
    book, file = Workbook(), io.BytesIO()
    book.active.append(["Program"])
    for line in lines:
        book.active.append([_fit_excel(cell) for cell in line])
    book.save(file)
    return file.getvalue()


def _fit_excel(cell: Any) -> Any:
    """Return a cell without the control characters that openpyxl refuses."""
    if not isinstance(cell, str):
        return cell
    return "".join(each for each in cell if each.isprintable() or each in "\n\t")


def _in_windows(showing: Showing, _zone: ZoneInfo) -> Showing:
    texts = (showing.title, showing.location, showing.room)
    title, location, room = (text.encode("cp1252", "replace").decode("cp1252") for text in texts)
    return showing._replace(title=title, location=location, room=room)


def _within_a_day(showing: Showing, zone: ZoneInfo) -> Showing:
    """Return a showing that ends when the clock next shows its end."""
    if showing.start is None:
        return showing
    start, end = (each.astimezone(zone).replace(tzinfo=None) for each in (showing.start, showing.end))
    end = datetime.combine(start, end.time())
    end += timedelta(days=end < start)
    end = end if end > start else start + timedelta(minutes=30)
    return showing._replace(end=end.replace(tzinfo=zone).astimezone(showing.end.tzinfo))


_SWEDISH = ("Nr", "Titel", "Arrangör", "Område", "Typ", "Ingress", "Plats", "Rum", "Inställt", "Karta")
_ENGLISH = ("Title", "Organiser", "Area", "Category", "Summary", "Venue", "Room", "Cancelled", "Map")
_FILM = ("Filmtitel", "Biograf", "Salong", "Datum", "Tid", "Längd", "Visningsnr")
_BY_NAMES = "events without numbers are known by their names"
ROWS = "an ID per row"
CINEMA = "of a cinema, 18.3 and minutes"
# The first of them holds everything.
SHAPES = {
    "Excel dates and times": Shape(
        (*_SWEDISH, "Datum", "Starttid", "Slutdatum", "Sluttid"), _write_excel, _write_workbook, ".xlsx"
    ),
    "Swedish, Windows-1252": Shape(
        (*_SWEDISH, "Datum", "Start", "Slutdatum", "Slut"), _write_texts, _write_windows, ".csv", adapt=_in_windows
    ),
    "English, no ID": Shape(
        (*_ENGLISH, "Start date", "Starts", "End date", "Ends"),
        lambda row: [*_name(row)[1:], *_place(row, "yes", "no"), *_format_times(row)], _write_unicode, ".csv",
        identify=_identify_by_names, note=_BY_NAMES,
    ),
    "Excel moments": Shape(
        (*_SWEDISH, "Start", "Slut"), lambda row: [*_name(row), *_place(row), row.start, row.end],
        _write_workbook, ".xlsx",
    ),
    "a time span, 19.00–20.30": Shape(
        (*_SWEDISH, "Dag", "Tid"), _write_range, _write_unicode, ".csv", adapt=_within_a_day
    ),
    ROWS: Shape(
        ("ID", *_SWEDISH[1:], "Datum", "Start", "Slutdatum", "Slut"),
        lambda row: [row.number, *_name(row)[1:], *_place(row), *_format_times(row)], _write_unicode, ".csv",
        identify=_identify_by_names, answers=("--ids", "occasion"), note=_BY_NAMES,
    ),
    CINEMA: Shape(
        _FILM, _write_film, _write_workbook, ".xlsx", identify=lambda row: tidy(row.showing.title).casefold(), adapt=lambda showing, _zone: showing._replace(cancelled=False),
        note=_BY_NAMES,
    ),
}  # fmt: skip
