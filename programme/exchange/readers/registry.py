"""The kinds of files that can be imported: a registry of readers, each of which gives the same values."""

import os
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from msgspec.structs import replace

from programme.exchange.readers.frab.own_exports import find_states, read_own_occasions
from programme.exchange.readers.frab.schedule import is_frab, read_schedule
from programme.exchange.readers.grouping import build_contents, choose_text_language
from programme.exchange.readers.ical.lines import is_calendar
from programme.exchange.readers.linked_events import is_linked_events, read_linked_events
from programme.exchange.readers.own_exports import build_own_contents
from programme.exchange.readers.sheet.mapping import Mapping, load_mapping
from programme.exchange.readers.sheet.reader import read_sheet
from programme.exchange.readers.sheet.tables import is_csv, is_xls, is_xlsx, refuse_xls
from programme.exchange.text.languages import find_wrong_languages
from programme.exchange.values import ImportDefaults, Problem, Progress, ReadResult, UnreadableFileError
from programme.models import Day, SheetMapping
from programme.models.festival_time import festival_time


class Reader(NamedTuple):
    """A kind of file: whether a content is of it, and how it is read.

    `recognises` gets the content and the file's ending, with its dot and in lower case, or ''. `read` raises
    `NotASchedule` for what is none after all. The first kind that recognises a file reads it.
    """

    recognises: Callable[[bytes, str], bool]
    read: Callable[[bytes, ImportDefaults], ReadResult]


def read_path(path: Path, given: ImportDefaults) -> ReadResult:
    """Return what a file says."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UnreadableFileError(os.strerror(error.errno) if error.errno else str(error)) from None
    return read(content, path.name, given)


def read(content: bytes, name: str, given: ImportDefaults) -> ReadResult:
    """Return what a file's content says; its name tells what the content does not."""
    ending = Path(name).suffix.lower()
    for kind in KINDS.values():
        if kind.recognises(content, ending):
            reading = kind.read(content, given)
            told = (*reading.contents.problems, *find_wrong_languages(reading.contents))
            return replace(reading, contents=replace(reading.contents, problems=told))
    raise UnreadableFileError(
        _(
            "it is no file of a kind that can be imported: "
            "a sheet (XLSX, CSV), iCalendar, frab or Linked Events"
        )
    )


def build_import_defaults(
    language: Literal["", "sv", "en"] = "", progress: Progress = iter, days: Iterable[date] = ()
) -> ImportDefaults:
    """Return what readers may need of this festival; unless days are asked for, they are those entered."""
    known = days or Day.objects.values_list("date", flat=True)
    return ImportDefaults(
        festival_time(), language, progress, frozenset(known), SimpleLazyObject(load_mappings)
    )


def load_mappings() -> tuple[Mapping, ...]:
    """Return the columns of sheets that editors have saved."""
    return tuple(load_mapping(saved.headings, saved.sources) for saved in SheetMapping.objects.all())


def _read_frab(content: bytes, given: ImportDefaults) -> ReadResult:
    schedule = read_schedule(content)
    conference = schedule.conference
    if (states := find_states(content)) is not None:
        problems: list[Problem] = []
        occasions = read_own_occasions(schedule, states, given, problems)
        return ReadResult(conference, build_own_contents(occasions, problems))
    texts = choose_text_language(given.language or conference.language.strip().lower(), otherwise="en")
    zone = _zone(conference.time_zone_name.strip()) or given.zone
    return ReadResult(conference, build_contents(schedule, zone, texts, given.progress), is_conference=True)


def _read_calendar(content: bytes, given: ImportDefaults) -> ReadResult:
    # They take time that the service need not wait for.
    from programme.exchange.readers.ical.calendar import (  # noqa: PLC0415 - cost at start
        read_calendar,
        read_own_calendar,
    )

    if ours := read_own_calendar(content, given):
        return ours
    schedule = read_calendar(content, given)
    texts = given.language or "sv"
    return ReadResult(schedule.conference, build_contents(schedule, given.zone, texts, given.progress))


def _read_linked_events(content: bytes, given: ImportDefaults) -> ReadResult:
    schedule = read_linked_events(content, given)
    texts = given.language or "sv"
    return ReadResult(schedule.conference, build_contents(schedule, given.zone, texts, given.progress))


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, LookupError):
        raise UnreadableFileError(
            _("it names a time zone that is not known: %(name)s") % {"name": name}
        ) from None


# A kind that recognises less comes before one that would take its files, too.
KINDS = {
    "xlsx": Reader(is_xlsx, read_sheet),
    "xls": Reader(is_xls, refuse_xls),
    "ical": Reader(is_calendar, _read_calendar),
    "linked_events": Reader(is_linked_events, _read_linked_events),
    "frab": Reader(is_frab, _read_frab),
    "csv": Reader(is_csv, read_sheet),
}
