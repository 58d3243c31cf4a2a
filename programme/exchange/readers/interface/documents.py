"""Finds what each of the files is: events or areas in one language, or the calendar beside them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from feeds.vocabulary import LANGUAGES, LanguageCode
from feeds.wording import WORDS
from programme.exchange.readers.ical.lines import is_calendar
from programme.exchange.readers.interface.bundle import is_bundle, unpack
from programme.exchange.readers.json_document import as_dict, as_list, read_document
from programme.exchange.values import UnreadableFileError

Table = dict[str, Any]
_EVENTS, _AREAS = "allOccations", "occationCount"
# In the beginning of a file, so that no other is parsed to find out what it is.
_BEGINS_AS_LIST = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*(?:\{|\])")
_ENGLISH_NAME = re.compile(r"(?:^|[^a-z])en(?:glish|g)?(?:[^a-z]|$)")


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
        language = find_language(tables, each)
        target = events if kind == _EVENTS else areas
        target += [View(language, table) for table in tables]
    if not events:
        raise UnreadableFileError(_("it holds no events: events.json has to be among the files"))
    return Documents(_swedish_first(events), _swedish_first(areas), calendars)


def find_language(tables: Iterable[Table], name: str = "") -> LanguageCode:
    """Return the language in which a document was asked for: its days' names say it, else its file's name."""
    words = Counter(word for table in tables for text in _find_wordings(table) for word in text.split())
    found: dict[LanguageCode, int] = {
        language: sum(words[word] for word in _list_day_words(language)) for language in LANGUAGES
    }
    if found["sv"] != found["en"]:
        return max(LANGUAGES, key=lambda language: found[language])
    return "en" if _ENGLISH_NAME.search(name.lower()) else "sv"


def descend(views: Iterable[View], name: str) -> list[View]:
    """Return a table inside of a table, in those languages in which it is there."""
    return [View(each.language, inside) for each in views if (inside := as_dict(each.table.get(name)))]


def _read_named(name: str, content: bytes) -> list[Table]:
    try:
        tables = _read_list(content)
    except UnreadableFileError as reason:
        raise UnreadableFileError(_("%(file)s: %(reason)s") % {"file": name, "reason": reason}) from None
    if tables and _find_kind(tables) is None:
        raise UnreadableFileError(
            _("%(file)s is neither events.json nor areas.json nor a calendar") % {"file": name}
        )
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


def _find_wordings(table: Table) -> Iterator[str]:
    for occasion in (table.get("occation"), *as_list(table.get(_EVENTS))):
        yield str(as_dict(occasion).get("timeSpan") or "")
    for area in (table, as_dict(table.get("area"))):
        for day in as_list(area.get("days")):
            yield str(as_dict(day).get("name") or "")


def _list_day_words(language: LanguageCode) -> set[str]:
    """Return the words for days that the other language does not have."""
    every = {
        each: {*WORDS[each].days, *WORDS[each].days_short, WORDS[each].today, WORDS[each].tomorrow}
        for each in LANGUAGES
    }
    others = set().union(*(words for each, words in every.items() if each != language))
    return every[language] - others


def _swedish_first(views: list[View]) -> list[View]:
    return sorted(views, key=lambda view: view.language != "sv")
