"""Parses the cells of a sheet: yes or no, choices, addresses and texts."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.db.models import BooleanField, Field
from django.utils.translation import gettext as _

from feeds.columns import COLUMNS, PRODUCTION
from feeds.vocabulary import Text
from programme.exchange.readers.fields import fit_line, fit_prose, parse_web_address
from programme.exchange.readers.sheet.fact_columns import NO, YES
from programme.exchange.text.lines import truncate
from programme.models import Event, Production, Status
from programme.models.cleaning import clean_line, complete_address
from programme.models.facts import FactField
from programme.models.fields import Line, Link, Prose

# Takes the field of a cell, and what is wrong with it.
ReportCell = Callable[[str, str], None]

STATUS = {Status.DRAFT: Text("utkast", "draft"), Status.PUBLISHED: Text("publicerad", "published")}
CHOICES: dict[str, dict[str, Any]] = {
    field: {word: choice for choice, text in words.items() for word in (text.sv, text.en)}
    for field, words in (("status", STATUS), ("production", dict(zip(Production, PRODUCTION, strict=True))))
}
CHOICES["status"]["publicerat"] = Status.PUBLISHED


def _find_columns(kind: "type[Field[Any, Any]]") -> tuple[str, ...]:
    """Return the columns, in their order, that hold a kind of field of an event as it is."""
    fields = (each for each in Event._meta.concrete_fields if not isinstance(each, FactField))
    named = {field.name for field in fields if isinstance(field, kind)}
    return tuple(column.field for column in COLUMNS if column.field in named - {"title"})


FLAGS = _find_columns(BooleanField)
PROSE = _find_columns(Prose)
LINKS = _find_columns(Link)
LINES = _find_columns(Line)
FIELDS = {*FLAGS, *PROSE, *LINKS, *LINES, *CHOICES}


def parse_values(texts: dict[str, str], report: ReportCell) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field, text in texts.items():
        if field in PROSE:
            values[field] = fit_prose(text, partial(report, field))
        elif field in LINES:
            values[field] = fit_line(Event, field, text, partial(report, field))
        elif field in LINKS:
            line = complete_address(text)
            values[field] = parse_web_address(line, partial(report, field)) or (None if line else "")
        elif field in FLAGS:
            values[field] = parse_flag(field, text, report)
        elif field in CHOICES:
            values[field] = _parse_choice(field, text, report)
    return {field: value for field, value in values.items() if value is not None}


def _parse_choice(field: str, text: str, report: ReportCell) -> Any:
    word = clean_line(text).casefold()
    if word in CHOICES[field]:
        return CHOICES[field][word].value
    if word:
        what = _("“%(text)s” is none of the words that are known here; left as it is")
        report(field, what % {"text": truncate(word, 60)})
    return None


def parse_flag(field: str, text: str, report: ReportCell) -> bool | None:
    """Return yes or no; report any other word and return None."""
    word = clean_line(text).casefold()
    if word in YES | NO:
        return word in YES
    report(field, _("“%(text)s” is neither yes nor no; left as it is") % {"text": truncate(word, 60)})
    return None
