"""Every set in every form in which it is imported, with the counts that the data's README states."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from feeds.names import fold
from tests.programme.exchange import almedalen
from tests.real_data import calendars, offices, schedules, shapes
from tests.real_data.offices import OfficeRow
from tests.real_data.showings import GROUPED_HERE, GROUPED_THERE, Counts, Difference, Showing, count

Read = Callable[[Path, ZoneInfo], Iterable[Showing]]
ReadRows = Callable[[Path, ZoneInfo], Iterable[OfficeRow]]


class Limit(NamedTuple):
    """Differences that are known: why, which they are, and how many."""

    reason: str
    holds: Callable[[Difference], bool]
    number: int


class Case(NamedTuple):
    """A set in one form.

    `stated` are the README's counts, which `count` must find in the source; a day begins `night` hours after
    midnight. `read` says what an import of the content that `make` returns must store.
    """

    file: str
    form: str
    stated: Counts
    zone: str
    read: Read
    make: Callable[[Path, ZoneInfo], tuple[bytes, str]] | None = None
    count: Callable[[Path], Counts] | None = None
    night: int = 0
    options: tuple[str, ...] = ()
    # Options without which the import asks a question instead.
    answers: tuple[str, ...] = ()
    save_columns: Callable[[str], None] | None = None
    limits: tuple[Limit, ...] = ()
    # Where its places are, by their names.
    locate: Callable[[Path, ZoneInfo], dict[str, str]] | None = None
    # Why the counts of what is stored are others although no row differs.
    note: str = ""

    def count_source(self, path: Path) -> Counts:
        zone = ZoneInfo(self.zone)
        return self.count(path) if self.count else self.count_days(self.read(path, zone))

    def count_days(self, showings: Iterable[Showing]) -> Counts:
        return count(showings, ZoneInfo(self.zone), timedelta(hours=self.night))


def list_cases() -> Iterator[Case]:
    yield from OWN_FORMS
    yield from CALENDARS
    for case, read, limits in OFFICES:
        for name, shape in shapes.SHAPES.items():
            yield case._replace(
                limits=(*case.limits, *filter(None, [limits.get(name)])),
                answers=shape.answers or (case.answers if shape.has_numbers else ()),
                note="; ".join(filter(None, [case.note, shape.note])),
                form=f"{case.form}: {name}",
                read=partial(_expect, shape, read),
                make=partial(_make_sheet, shape, read),
                count=partial(_count_rows, case, read),
                locate=None if name == shapes.CINEMA else partial(_locate, shape, read),
            )


def _expect(shape: shapes.Shape, read: ReadRows, path: Path, zone: ZoneInfo) -> list[Showing]:
    return shapes.expect(shape, read(path, zone), zone)


def _locate(shape: shapes.Shape, read: ReadRows, path: Path, zone: ZoneInfo) -> dict[str, str]:
    return offices.locate(row._replace(showing=shape.adapt(row.showing, zone)) for row in read(path, zone))


def _make_sheet(shape: shapes.Shape, read: ReadRows, path: Path, zone: ZoneInfo) -> tuple[bytes, str]:
    return shapes.write_sheet(shape, read(path, zone), zone), shape.ending


def _count_rows(case: Case, read: ReadRows, path: Path) -> Counts:
    return case.count_days(row.showing for row in read(path, ZoneInfo(case.zone)))


BERLIN, LONDON, STOCKHOLM = "Europe/Berlin", "Europe/London", "Europe/Stockholm"
_CAPITALS = "places whose names differ in capitals or outer blanks are one"
_RECURS = "what recurs has several occasions"
EMF, CCC, FRAB = "emf-2024/schedule", "ccc-36c3", "frab-json"
EMF_COUNTS = Counts(482, 482, 44, 4)
OWN_FORMS = (
    Case("almedalsveckan-2022/events.csv", "CSV, columns saved", Counts(1533, 1614, 175, 5), STOCKHOLM,
         offices.read_almedalen, save_columns=almedalen.save_columns),
    Case("almedalsveckan-2022/events.csv", "CSV, its own headings", Counts(1533, 1614, 175, 5), STOCKHOLM,
         offices.read_almedalen_in_houses, answers=("--ids", "occasion")),
    Case(f"{EMF}.frab", "frab XML", EMF_COUNTS, LONDON, schedules.read_frab_xml, night=4),
    Case(f"{EMF}.ics", "iCalendar", EMF_COUNTS, LONDON, calendars.read_calendar, night=4),
    Case(f"{CCC}/everything.schedule.xml", "frab XML", Counts(1348, 1351, 92, 4), BERLIN, schedules.read_frab_xml,
         night=4, note=_CAPITALS),
    Case(f"{CCC}/stages.schedule.json", "frab JSON", Counts(498, 498, 12, None), BERLIN, schedules.read_frab_json),
    Case("fosdem-2013/schedule.xml", "pentabarf XML", Counts(487, 487, 24, 2), "Europe/Brussels",
         schedules.read_frab_xml),
    Case(f"{FRAB}/frab-camp2019.json", "frab JSON", Counts(79, 79, 2, 5), BERLIN, schedules.read_frab_json),
    Case(f"{FRAB}/pretalx-rc3.json", "frab JSON of pretalx", Counts(48, 48, 5, 4), BERLIN, schedules.read_frab_json),
    Case(f"{FRAB}/hub-schedule2.json", "frab JSON, version 2", Counts(2, 2, 5, 4), BERLIN,
         schedules.read_frab_version_2, count=schedules.count_version_2,
         note="the file lists rooms and days on which nothing is"),
    Case(f"{FRAB}/gpn11.csv", "CSV", Counts(29, 29, 2, 4), BERLIN, offices.read_gpn),
    Case(f"{FRAB}/schedule-example.xlsx", "XLSX, columns saved", Counts(13, 13, 2, 1), BERLIN, offices.read_munich,
         save_columns=offices.save_munich_columns),
)  # fmt: skip


def _keep(*names: str) -> tuple[str, ...]:
    """Return the options by which places with these names, which look misspelt, are made as they are."""
    return tuple(f"--answer=location:{fold(name)}={name}" for name in names)


def _calendar(
    name: str,
    stated: Counts,
    days: tuple[date, date] | None = None,
    *limits: Limit,
    note: str = "",
    options: tuple[str, ...] = (),
) -> Case:
    case = Case(
        f"ics-odd/{name}.ics", "iCalendar", stated, STOCKHOLM, partial(calendars.read_calendar, days=days)
    )
    options += ("--days", f"{days[0]}/{days[1]}") if days else ()
    return case._replace(count=calendars.count_components, options=options, limits=limits, note=note)


_UNKNOWN_ZONE = Limit(
    "a zone in the words of Outlook, which no VTIMEZONE describes, is the festival's", lambda _each: True, 180
)
# Of calendars the README states how many VEVENT they have, 600 in all: as occasions here.
CALENDARS = (
    _calendar("Germany", Counts(None, 159, None, None)),
    _calendar("Office-2012-owa", Counts(None, 4, None, None), None, _UNKNOWN_ZONE, note=_RECURS),
    _calendar("SwedishHolidays2003-2006", Counts(None, 52, None, None), note="as it is, it is refused: all is private")
    ._replace(make=lambda path, _zone: (path.read_bytes().replace(b":PRIVATE", b":PUBLIC"), ".ics")),
    _calendar("exchange_whole_day_moved_recurrence", Counts(None, 2, None, None), note=_RECURS),
    _calendar("fablab_cottbus", Counts(None, 28, None, None), (date(2019, 1, 1), date(2019, 12, 31)), note=_RECURS,
              options=_keep("FabLab Cottbus @ Walther-Pauer-Straße 5, 03044 Cottbus")),
    _calendar("festival-multiday-rrule", Counts(None, 128, 23, None), note=f"{_RECURS}; {_CAPITALS}"),
    _calendar("google_aus_holidays", Counts(53, 96, None, None), (date(2005, 1, 1), date(2005, 12, 31)),
              Limit("what has no title is left out", lambda each: not each.showing.title, 2)),
    _calendar("javaone-2004-core", Counts(None, 81, None, None)),
    _calendar("lastfm", Counts(None, 33, None, None), note=_CAPITALS),
    _calendar("ms_timezones", Counts(None, 4, None, None), note=_RECURS),
    _calendar("multi-event-basic", Counts(None, 9, None, None), note="what begins “Next Year” is left out"),
    _calendar("tentative-apple-calendar", Counts(None, 4, None, None)),
)  # fmt: skip


_LONG_PLACE = Limit(
    "the name of a place is cut to 200 characters", lambda each: len(each.showing.location) >= 200, 16
)
_DOUBLE_BLANK = Limit(
    "a title with two blanks where another row has one is another event",
    lambda each: each.where in {GROUPED_THERE, GROUPED_HERE},
    3,
)
# The source's 00:50 in Stockholm, and noon.
_HALF = Limit(
    "the number 0.5 is noon, as a fraction of a day, and not 0.50",
    lambda each: f"{each.showing.start:%H:%M}" in {"22:50", "10:00"},
    6,
)
Office = tuple[Case, ReadRows, dict[str, Limit]]


def _office(file: str, stated: Counts, zone: str, read: ReadRows, *limits: Limit, **more: Any) -> Office:
    """Return a set with its reader; limits of one shape are named by it."""
    of_shapes = more.pop("of_shapes", {})
    return Case(file, "as a sheet", stated, zone, lambda *_: [], limits=limits, **more), read, of_shapes


OFFICES = (
    _office("malmofestivalen-2012/concerts.sqlite", Counts(607, 1450, 36, 9), STOCKHOLM, offices.read_malmo,
            note="19 rows stand twice, and count once where nothing numbers them"),
    _office("stockholm-pride-2025/events.json", Counts(293, 464, 42, None), STOCKHOLM, offices.read_pride,
            of_shapes={shapes.CINEMA: _HALF}),
    _office("ropecon-2026/program.json", Counts(395, 545, 113, 7), "Europe/Helsinki", offices.read_ropecon,
            note=_CAPITALS),
    _office(f"{EMF}.json", EMF_COUNTS, LONDON, offices.read_emf, night=4, answers=("--ids", "event"),
            of_shapes={"English, no ID": _DOUBLE_BLANK, shapes.CINEMA: _DOUBLE_BLANK, shapes.ROWS: _DOUBLE_BLANK}),
    _office("engage-rss/events.rss", Counts(85, 100, 75, None), "America/New_York", offices.read_engage, _LONG_PLACE,
            options=_keep("Marietta Campus - Soccer Field", "Prillaman #1105", "Prilliman  1105"), note=_CAPITALS),
)  # fmt: skip


def list_for_layouts(folder: Path, only: str) -> Iterator[tuple[str, list[Showing], ZoneInfo]]:
    """Yield the sets of which layouts are made, each once, with their time zones."""
    own = {case.file: (case, case.read) for case in reversed(OWN_FORMS) if not case.file.endswith(".ics")}
    offices = {case.file: (case, read) for case, read, _limits in OFFICES}
    for case, read in (own | offices).values():
        path, zone = folder / case.file, ZoneInfo(case.zone)
        if path.exists() and only.casefold() in f"{case.file} layouts".casefold():
            yield case.file, [getattr(each, "showing", each) for each in read(path, zone)], zone
