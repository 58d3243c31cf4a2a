"""Writes programmes as offices lay them out for people, and reads them again, row by row."""

import csv
import datetime as dt
import io
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from feeds.festival_time import FestivalTime
from programme.exchange.readers.sheet.reader import read_sheet
from programme.exchange.values import Contents, ImportDefaults, UnreadableFileError
from tests.programme.exchange.opendocument import write_ods
from tests.programme.exchange.workbooks import write_workbook
from tests.real_data.showings import Showing, tidy

Sheets = dict[str, list[list[Any]]]
# What Excel takes as the name of a sheet.
_NAME = re.compile(r"[^:\\/?*\[\]]{1,31}")
# So many days, and places, make a layout.
_LEAST = 2
WEEKDAYS = ("måndag", "tisdag", "onsdag", "torsdag", "fredag", "lördag", "söndag")


class Line(NamedTuple):
    """An occasion as a layout has it: on the clock of the festival, with a place in one text."""

    title: str
    start: dt.datetime
    end: dt.datetime
    place: str

    @property
    def times(self) -> str:
        return f"{self.start:%H.%M}–{self.end:%H.%M}"


def list_lines(showings: Iterable[Showing], zone: ZoneInfo) -> list[Line]:
    """Return what has a time and a place, and ends within twelve hours, in order."""
    lines = set()
    for each in showings:
        if each.start and each.end and each.location:
            start, end = (moment.astimezone(zone).replace(tzinfo=None) for moment in (each.start, each.end))
            title, place = tidy(each.title), tidy(f"{each.location} {each.room}".replace(",", " "))
            # In a cell signs at the end of a title are none of it, and "Am I?" behind a time is a morning's.
            title = title.rstrip(" -–—:,")
            is_clear = not title.casefold().startswith(("am ", "pm "))
            if is_clear and dt.timedelta() < end - start < dt.timedelta(hours=12):
                lines.add(Line(title, start, end, place))
    return sorted(lines, key=lambda line: (line.start, line.place, line.title))


def _by_day(lines: Iterable[Line]) -> Iterator[tuple[dt.date, list[Line]]]:
    for day, found in groupby(
        sorted(lines, key=lambda line: line.start.date()), lambda line: line.start.date()
    ):
        yield day, list(found)


def _name(day: dt.date) -> str:
    return f"{WEEKDAYS[day.weekday()][:3]} {day.day}-{day.month}-{day.year}"


def write_day_sheets(lines: list[Line]) -> Sheets:
    headings = ["Tid", "Titel", "Plats"]
    return {
        _name(day): [headings, *([each.times, each.title, each.place] for each in found)]
        for day, found in _by_day(lines)
    }


def write_place_sheets(lines: list[Line]) -> Sheets:
    places = defaultdict(list)
    for line in lines:
        places[line.place].append([line.start.date(), f"kl. {line.times}", line.title])
    return {place: [["Datum", "Tid", "Titel"], *found] for place, found in places.items()}


def write_sections(lines: list[Line]) -> Sheets:
    rows = [["Tid", "Titel", "Plats"]]
    for day, found in _by_day(lines):
        rows += [[f"{WEEKDAYS[day.weekday()].capitalize()} {day.day}/{day.month} {day.year}"]]
        rows += [[each.times, each.title, each.place] for each in found]
    return {"Program": rows}


def write_place_sections(lines: list[Line]) -> Sheets:
    sheets = {}
    for day, found in _by_day(lines):
        rows: list[list[Any]] = [["Kl", "Programpunkt"]]
        for place, there in groupby(sorted(found, key=lambda line: line.place), lambda line: line.place):
            rows += [[place], *([each.times, each.title] for each in there)]
        sheets[_name(day)] = rows
    return sheets


def write_several_times(lines: list[Line]) -> Sheets:
    times = defaultdict(list)
    for line in lines:
        times[line.title, line.place, line.start.date()].append(line.times)
    rows = [[title, place, str(day), ", ".join(found)] for (title, place, day), found in times.items()]
    return {"Program": [["Titel", "Plats", "Datum", "Tid"], *rows]}


def write_weekdays(lines: list[Line]) -> Sheets:
    rows = [
        [WEEKDAYS[line.start.weekday()].capitalize(), line.times, line.title, line.place] for line in lines
    ]
    return {"Program": [["Dag", "Tid", "Titel", "Plats"], *rows]}


def write_times_and_places(lines: list[Line]) -> Sheets:
    """Return a grid for each day, whose cells state their own end."""
    sheets = {}
    for day, found in _by_day(lines):
        places, starts = sorted({line.place for line in found}), sorted({line.start for line in found})
        cells = defaultdict(list)
        for line in found:
            cells[line.start, line.place].append(f"{line.times} {line.title}")
        rows = [[f"{start:%H:%M}", *("\n".join(cells[start, place]) for place in places)] for start in starts]
        sheets[_name(day)] = [["", *places], *rows]
    return sheets


LAYOUTS: dict[str, Callable[[list[Line]], Sheets]] = {
    "a sheet for each day": write_day_sheets,
    "a sheet for each place": write_place_sheets,
    "days as section rows": write_sections,
    "places as section rows": write_place_sections,
    "several times in a cell": write_several_times,
    "weekdays only": write_weekdays,
    "times × places": write_times_and_places,
}


_WINDOWS = "CSV, Windows-1252"


def _write_files(sheets: Sheets) -> Iterator[tuple[str, bytes]]:
    yield "XLSX", write_workbook(sheets)
    yield "ODS", write_ods(sheets)
    # A file of text has no name that says the day.
    if [*sheets] == ["Program"]:
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=";").writerows(*sheets.values())
        yield _WINDOWS, text.getvalue().encode("cp1252", "replace")


def _in_windows(line: Line) -> Line:
    title, place = (text.encode("cp1252", "replace").decode("cp1252") for text in (line.title, line.place))
    return line._replace(title=title, place=place)


def read_again(content: bytes, lines: list[Line], zone: ZoneInfo) -> Contents:
    """Return what is read of a layout, with its questions answered as the office would."""
    days = frozenset(line.start.date() for line in lines)
    time = FestivalTime(zone.key, 0)
    return read_sheet(content, ImportDefaults(time, days=days, today=min(days)))


def list_read(contents: Contents, zone: ZoneInfo) -> Iterator[Line]:
    for event in contents.events:
        for each in event.occasions:
            start, end = (moment.astimezone(zone).replace(tzinfo=None) for moment in (each.start, each.end))
            yield Line(event.title, start, end, each.location)


def _fold(lines: Iterable[Line]) -> Counter[Line]:
    """Count lines: events whose titles differ in capitals are one, and so are places."""
    return Counter(line._replace(title=line.title.casefold(), place=line.place.casefold()) for line in lines)


def check_layouts(showings: Iterable[Showing], zone: ZoneInfo) -> Iterator[tuple[str, int, list[str]]]:
    """Yield each layout with the number of its occasions and what differs: lost, and made."""
    whole = list_lines(showings, zone)
    numbers = (
        len({line.start.date() for line in whole}),
        len({line.place for line in whole}),
        len(whole) - 1,
    )
    if min(numbers) < _LEAST:
        return
    for name, write in LAYOUTS.items():
        lines = [line for line in whole if name != "a sheet for each place" or _NAME.fullmatch(line.place)]
        if name == "weekdays only":
            lines = [
                line for line in lines if (line.start.date() - lines[0].start.date()).days < len(WEEKDAYS)
            ]
        if name == "times × places":
            # One place alone makes no grid.
            days = [found for _day, found in _by_day(lines) if len({line.place for line in found}) > 1]
            lines = [line for found in days for line in found]
        sheets = write(lines) if lines else {}
        # A sheet alone is no place, whatever it is called.
        if not sheets or (name == "a sheet for each place" and len(sheets) < _LEAST):
            continue
        for kind, content in _write_files(sheets):
            try:
                found = _fold(list_read(read_again(content, lines, zone), zone))
            except UnreadableFileError as reason:
                yield f"{name}, {kind}", len(lines), [f"refused: {reason}"]
                continue
            expected = _fold(map(_in_windows, lines) if kind == _WINDOWS else lines)
            differing = [f"lost: {each}" for each in (expected - found).elements()]
            differing += [f"made: {each}" for each in (found - expected).elements()]
            yield f"{name}, {kind}", len(lines), differing


def check_all(sets: Iterable[tuple[str, Iterable[Showing], ZoneInfo]]) -> tuple[list[str], list[str]]:
    """Return a line for each layout of each set, and what differs."""
    lines, faults = [], []
    for name, showings, zone in sets:
        for layout, count, differing in check_layouts(showings, zone):
            lines.append(f"{name}, {layout}: {count} occasions")
            faults += [f"{name}, {layout}: {each}" for each in differing]
    return lines, faults
