"""Reads files of every kind that can be imported, each with its reader, into the same contents."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.editions import find_current
from feeds.vocabulary import LanguageCode
from programme.exchange import values
from programme.exchange.questions import Answers
from programme.exchange.readers.fields import parse_language
from programme.exchange.readers.frab import is_frab, read_schedule
from programme.exchange.readers.grouping import build_contents, choose_text_language
from programme.exchange.readers.ical.lines import is_calendar
from programme.exchange.readers.sheet.dates import warn_of_schedule
from programme.exchange.readers.sheet.reader import read_sheet
from programme.exchange.readers.sheet.tables import is_csv, is_workbook
from programme.exchange.text.languages import find_wrong_languages
from programme.models import Day, Edition
from programme.models.festival_time import festival_time
from programme.models.locations import list_coordinates

# Days of an edition that may all be festival days.
_SHORT = 31
# What offices write texts with, and send them as.
_DOCUMENTS = {".pdf", ".doc", ".docx", ".odt", ".rtf", ".pages"}


class Reader(NamedTuple):
    """A kind of file.

    `recognizes` takes the content and the file's ending, in lower case with its dot, or ''. `read` raises
    `UnreadableFileError`. `texts` is the language of texts for which neither file nor editor states one.
    """

    recognizes: Callable[[bytes, str], bool]
    read: Callable[[bytes, values.ImportDefaults], values.Schedule | values.Contents]
    texts: LanguageCode = "sv"
    is_conference: bool = False


def read(content: bytes, name: str, defaults: values.ImportDefaults) -> values.ReadResult:
    """Return the contents of a file; the first reader that recognizes its content or name reads it."""
    ending = Path(name).suffix.lower()
    if ending in _DOCUMENTS:
        message = _("it is a document: copy the table in it into a spreadsheet, one row for each occasion")
        raise values.UnreadableFileError(message)
    reader = next((each for each in READERS.values() if each.recognizes(content, ending)), None)
    if reader is None:
        message = _(
            "it is no file of a kind that can be imported: a spreadsheet (XLSX, ODS, CSV), iCalendar or frab"
        )
        raise values.UnreadableFileError(message)
    found, conference = reader.read(content, defaults), values.Conference()
    if isinstance(found, values.Schedule):
        conference = found.conference
        found = _build_contents(reader, found, defaults)
    occasions = sum(len(event.occasions) for event in found.events)
    if max(len(found.events), occasions) > settings.IMPORT_ROWS:
        message = _("it has more than %(most)s occasions: divide it into several files")
        raise values.UnreadableFileError(message % {"most": settings.IMPORT_ROWS})
    contents = replace(found, problems=(*found.problems, *find_wrong_languages(found)))
    return values.ReadResult(conference, contents, reader.is_conference)


def _build_contents(
    reader: Reader, schedule: values.Schedule, defaults: values.ImportDefaults
) -> values.Contents:
    conference = schedule.conference
    stated = parse_language(conference.language, lambda _what: None).lower()
    texts = choose_text_language(defaults.language or stated, reader.texts)
    zone = _find_zone(conference.time_zone_name.strip()) or defaults.time.zone
    contents = build_contents(schedule, zone, texts, defaults)
    return replace(contents, problems=(*contents.problems, *warn_of_schedule(contents.events, defaults)))


def _find_zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, LookupError):
        message = _("it names a time zone that is not known: %(name)s")
        raise values.UnreadableFileError(message % {"name": name}) from None


def _read_calendar(content: bytes, defaults: values.ImportDefaults) -> values.Schedule:
    from programme.exchange.readers.ical.calendar import read_calendar  # noqa: PLC0415 - cost at start

    return read_calendar(content, defaults)


def build_import_defaults(
    language: Literal["", "sv", "en"] = "",
    answers: Answers | None = None,
    instant: datetime | None = None,
    *,
    edition: str = "",
) -> values.ImportDefaults:
    """Return what readers need to know of this festival.

    `edition` is the one that the file is meant for, by its slug; else the current one.
    """
    time, editions = festival_time(), list(Edition.objects.all())
    chosen = next((each for each in editions if each.slug == edition), find_current(editions))
    return values.ImportDefaults(
        time=time,
        language=language,
        days=frozenset(_list_days(chosen)),
        places=SimpleLazyObject(list_coordinates),
        answers=answers or {},
        today=instant and time.day_of(instant),
        edition=chosen,
    )


def _list_days(edition: Edition | None) -> Sequence[date]:
    """Return the festival's days that are known; of an edition without any all of it, if it is short."""
    days = list(Day.objects.values_list("date", flat=True))
    if edition is None:
        return days
    period = edition.days
    return [day for day in days if edition.holds(day)] or (period if len(period) <= _SHORT else [])


# A reader that recognizes less comes before one that would recognize its files, too.
READERS = {
    "xlsx": Reader(is_workbook, read_sheet),
    "ical": Reader(is_calendar, _read_calendar),
    "frab": Reader(is_frab, read_schedule, texts="en", is_conference=True),
    "csv": Reader(is_csv, read_sheet),
}
