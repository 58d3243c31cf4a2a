"""The options of an import, from the file and the person who imports it, and the answers that are kept."""

import hashlib
import re
from collections.abc import Collection, Iterable
from pathlib import PurePath
from typing import Any

from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.names import fold
from programme.exchange.merge.directory import OTHER
from programme.exchange.questions import Answers, Question
from programme.exchange.readers.fields import field_length
from programme.exchange.readers.sheet.grouping import IDS
from programme.exchange.readers.sheet.said import is_said
from programme.exchange.text.lines import truncate
from programme.exchange.values import ImportOptions, ReadResult, UnreadableFileError
from programme.models import Event, ImportedRow
from programme.models.cleaning import clean_line


def recall_answers(source: str) -> Answers:
    """Return the answers of a source's imports so far; there are none of this service's own sheets."""
    return _recall(ImportedRow.ANSWERS, source) if source else {}


def remember_answers(
    source: str, questions: Iterable[Question], answers: Answers, withheld: Collection[str] = ()
) -> None:
    """Store the answers that an import was given, besides those to earlier questions.

    Those `withheld` are of rows that were refused: they are not stored unless they were before.
    """
    given = {
        each.key: each.answer
        for each in questions
        if (each.answer == answers.get(each.key) or not each.choices)
        and not (each.each_time or each.key in withheld)
    }
    before = recall_answers(source) if given else {}
    if source and not given.items() <= before.items():
        _remember(ImportedRow.ANSWERS, source, {**before, **given})


def _remember(kind: str, source: str, values: dict[str, Any]) -> None:
    stored = {"source": source, "values": values}
    ImportedRow.objects.update_or_create(kind=kind, row_id=_number(source), defaults=stored)


def _recall(kind: str, source: str) -> dict[str, Any]:
    row = ImportedRow.objects.filter(kind=kind, row_id=_number(source)).first()
    return row.values if row else {}


def _number(source: str) -> int:
    """Return a number that no other source has."""
    return int.from_bytes(hashlib.sha256(source.encode()).digest()[:7])


# What offices add to the name of a file's next version: "Program v2", "Program (1)", "Program - kopia".
_VERSION = re.compile(r"(?:[\s_-]+(?:v\d+|version|kopia|copy|ny|new|rättad|slutlig|final)|\s*\(\d+\))+$")


def list_sources() -> list[str]:
    named = Event.objects.exclude(source="").order_by("source").values_list("source", flat=True)
    return list(named.distinct()[:100])


def find_source(file_name: str) -> str:
    """Return the only known source of which a file is called a version, or ''."""
    name = _remove_version(PurePath(file_name).stem)
    found = [each for each in list_sources() if _remove_version(each) == name]
    return found[0] if len(found) == 1 else ""


def _remove_version(name: str) -> str:
    return _VERSION.sub("", fold(name))


# The key of the question.
SOURCE = "source"


def ask_for_source(options: ImportOptions) -> ImportOptions:
    """Ask whether the file is a version of a source whose name has other numbers: `Program 2026-11-30`."""
    known, own = list_sources(), _remove_numbers(options.source)
    similar = [each for each in known if own and _remove_numbers(each) == own]
    if options.source in known or not similar:
        return options
    choices = {each: _("Yes, of “%(source)s”") % {"source": each} for each in similar}
    choices |= {options.source: _("No: it is another programme")}
    text = _("Is “%(file)s” a new version of what was imported before?") % {"file": options.source}
    return replace(options, questions=(*options.questions, Question.ask({}, SOURCE, text, choices)))


def _remove_numbers(name: str) -> str:
    return re.sub(r"[\W\d_]+", " ", _remove_version(name)).strip()


# What was chosen for one file alone.
_NOT_KEPT = {"answers", "edition", "is_pasted", "ticked"}


def remember_choices(source: str, choices: dict[str, Any]) -> None:
    kept = {name: value for name, value in choices.items() if name not in _NOT_KEPT}
    _remember(ImportedRow.CHOICES, source, kept | {"source": source})


def recall_choices(source: str | None) -> dict[str, Any]:
    """Return the choices of a source; this service's own sheets have the source ''."""
    return {} if source is None else _recall(ImportedRow.CHOICES, source)


def was_read_otherwise(questions: Iterable[Question], answers: Answers) -> bool:
    """Return whether a file was read with other answers than these to the questions that it has raised.

    Whose the IDs of a source are, and what was said of its sheets, holds for each of its files, even for one
    that raises no question of it.
    """
    given = [(each, answers.get(each.key, each.answer)) for each in questions]
    asked = {each.key for each, _answer in given}
    unasked = any(key == IDS or is_said(key) for key in answers.keys() - asked)
    return unasked or any(answer != question.answer and question.allows(answer) for question, answer in given)


def build_options(reading: ReadResult, *names: str, answers: Answers, **chosen: Any) -> ImportOptions:
    """Return the options of an import from the source of the first of these names that is not empty.

    Besides the given answers it has those of earlier imports, with which the file has to be read again if
    `was_read_otherwise`. The area is asked about where events would be new and nothing names theirs.
    """
    conference, own_sheet = reading.conference, reading.contents.is_own_export
    source = next(filter(None, map(clean_line, names)), "")
    # A sheet of this service names everything by its identity.
    if not source and not own_sheet:
        raise UnreadableFileError(_("it does not say whose programme it is: name its source"))
    title = clean_line(conference.title) or source or OTHER
    # A conference that names no place is held at one that is called like it.
    venue = clean_line(conference.venue) or (title if reading.is_conference else "")
    source = "" if own_sheet else truncate(source, field_length(Event, "source"))
    options = ImportOptions(
        source=source,
        title=title,
        venue="" if "location" in reading.contents.stated else venue,
        answers={**recall_answers(source), **answers},
        **chosen,
    )
    return options if _names_area(reading, options) else _ask_for_area(options)


# The key of the question.
AREA = "area"


def _ask_for_area(options: ImportOptions) -> ImportOptions:
    """Ask in which area events are that name none; the only choice holds without an answer."""
    rights = options.rights
    choices = {name: name for name in rights.assignable_areas().values_list("name", flat=True)}
    if rights.areas is None and rights.has_permission("add_area"):
        choices.setdefault(options.title, _("a new one: “%(name)s”") % {"name": options.title})
    only = next(iter(choices)) if len(choices) == 1 else ""
    text = _("The file does not say in which area its events are. Which is it?")
    question = Question.ask(options.answers, AREA, text, choices, only)
    return replace(options, default_area=question.answer or next(iter(choices), ""), questions=(question,))


def _names_area(reading: ReadResult, options: ImportOptions) -> bool:
    """Return whether new events have an area: a conference is one, and so is a calendar's name."""
    return bool(
        reading.is_conference
        or clean_line(reading.conference.title)
        or options.area
        or options.default_area
        or all(event.more.get("area") for event in reading.contents.events)
        # They go where most events of this source are.
        or Event.objects.filter(source=options.source).exists()
    )
