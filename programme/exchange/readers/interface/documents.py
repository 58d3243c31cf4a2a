"""Finds what each of the files is: events or areas in one language, or the calendar beside them."""

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from feeds.vocabulary import LANGUAGES, LanguageCode
from feeds.wording import WORDS
from programme.exchange.readers.fields import as_dict, as_dicts, read_document, read_text
from programme.exchange.readers.ical.lines import is_calendar
from programme.exchange.readers.sheet.workbook import ZIP
from programme.exchange.values import UnreadableFileError

# A name that every workbook has inside.
_WORKBOOK = "[Content_Types].xml"
_MOST_FILES = 100


def is_bundle(content: bytes) -> bool:
    """Return whether a content is a zip file and no workbook."""
    if not content.startswith(ZIP):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False
    return _WORKBOOK not in names and any(PurePath(name).suffix.lower() == ".json" for name in names)


def pack(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def unpack(content: bytes) -> dict[str, bytes]:
    """Return the files of a bundle by name, without folders and what file systems add."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [
                each
                for each in archive.infolist()
                if not each.is_dir() and not each.filename.startswith("__MACOSX/")
                if not PurePath(each.filename).name.startswith(".")
            ]
            _refuse_size(entries)
            return {each.filename: archive.read(each) for each in entries}
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError):
        raise UnreadableFileError(_("it is cut off or damaged")) from None


def _refuse_size(entries: list[zipfile.ZipInfo]) -> None:
    """Compare the sizes that the archive declares; no more than that is ever unpacked."""
    most = settings.IMPORT_UNPACKED_MB
    if len(entries) > _MOST_FILES:
        raise UnreadableFileError(_("it holds more than %(most)s files") % {"most": _MOST_FILES})
    if sum(entry.file_size for entry in entries) > most * 1_000_000:
        raise UnreadableFileError(_("it would be too large unpacked: more than %(most)s MB") % {"most": most})


Table = dict[str, Any]
_EVENTS, _AREAS = "allOccations", "occationCount"
# In the beginning of a file, so that no other is parsed to find out what it is.
_BEGINS_AS_LIST = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*(?:\{|\])")
_DAY_WORDS = {
    each: {*WORDS[each].days, *WORDS[each].days_short, WORDS[each].today, WORDS[each].tomorrow}
    for each in LANGUAGES
}


class View(NamedTuple):
    """A table as it is when it is asked for in one language."""

    language: LanguageCode
    table: Table


class Documents(NamedTuple):
    """The elements of all files, Swedish ones first, and the contents of the calendars."""

    events: list[View]
    areas: list[View]
    calendars: list[bytes]


def is_interface(content: bytes, _ending: str = "") -> bool:
    if is_bundle(content):
        return True
    if not _BEGINS_AS_LIST.match(content) or b'"occation' not in content:
        return False
    try:
        return _find_kind(_read_list(content)) is not None
    except UnreadableFileError:
        return False


def read_documents(content: bytes, name: str = "events.json") -> Documents:
    files = unpack(content) if is_bundle(content) else {name: content}
    events: list[View] = []
    areas: list[View] = []
    calendars: list[bytes] = []
    for each, found in files.items():
        if is_calendar(found):
            calendars.append(found)
            continue
        tables = _read_named(each, found)
        kind = _find_kind(tables)
        language = find_language(tables)
        target = events if kind == _EVENTS else areas
        target += [View(language, table) for table in tables]
    if not events:
        raise UnreadableFileError(_("it holds no events: events.json has to be among the files"))
    return Documents(_swedish_first(events), _swedish_first(areas), calendars)


def find_language(tables: Iterable[Table]) -> LanguageCode:
    """Return the language in which a document was asked for, as the names of its days say it."""
    texts = [
        read_text(found, name)
        for table in tables
        for name, tables_inside in (
            ("timeSpan", (as_dict(table.get("occation")), *as_dicts(table.get(_EVENTS)))),
            ("name", (*as_dicts(table.get("days")), *as_dicts(as_dict(table.get("area")).get("days")))),
        )
        for found in tables_inside
    ]
    words = Counter(" ".join(texts).split())
    swedish, english = (sum(words[word] for word in _DAY_WORDS[language]) for language in LANGUAGES)
    return "en" if english > swedish else "sv"


def descend(views: Iterable[View], name: str) -> list[View]:
    """Return a table inside of a table, in those languages in which it is there."""
    return [View(each.language, inside) for each in views if (inside := as_dict(each.table.get(name)))]


def _read_named(name: str, content: bytes) -> list[Table]:
    try:
        tables = _read_list(content)
    except UnreadableFileError as reason:
        raise UnreadableFileError(_("%(file)s: %(reason)s") % {"file": name, "reason": reason}) from None
    if tables and _find_kind(tables) is None:
        message = _("%(file)s is neither events.json nor areas.json nor a calendar")
        raise UnreadableFileError(message % {"file": name})
    return tables


def _read_list(content: bytes) -> list[Table]:
    document = read_document(content)
    if not isinstance(document, list):
        raise UnreadableFileError(_("it is no list of events or areas"))
    return [each for each in document if isinstance(each, dict)]


def _find_kind(tables: list[Table]) -> str | None:
    """Return what the tables are: an event has occasions, and an area counts them."""
    if any(_EVENTS in table or "occation" in table for table in tables):
        return _EVENTS
    return _AREAS if any(_AREAS in table and "name" in table for table in tables) else None


def _swedish_first(views: list[View]) -> list[View]:
    return sorted(views, key=lambda view: view.language != "sv")
