"""Parses the cells of a sheet: yes or no, choices, facts, addresses and texts."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.db.models import BooleanField, Field
from django.utils.translation import gettext as _

from feeds.columns import COLUMNS, HAS_SINGLES, PRODUCTION
from feeds.fact import Fact, FactKind
from feeds.facts import BY_NAME
from feeds.vocabulary import Text
from programme.exchange.readers.fields import fit_line, fit_prose, parse_web_address
from programme.exchange.text.lines import read_title, truncate
from programme.models import Event, Production, Status
from programme.models.cleaning import clean_line, complete_address
from programme.models.facts import FactField
from programme.models.fields import Line, Link, Prose

YES = {"ja", "j", "x", "1", "sant", "true", "yes", "y", "✓", "✔"}
NO = {"nej", "n", "0", "falskt", "false", "no", "", "-", "–"}
# In a column of one value, beside what is empty.
UNKNOWN = {"", "-", "–", "?", "okänt", "vet ej", "vet inte", "unknown", "not known"}

ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<![^\s@<(])[^\s@<(]+@[^\s@]+\.\w+")
_BETWEEN = re.compile(r"[;,/|\n]|\s(?:och|and|samt|&|\+)\s")
# More words are no values, and longer ones are sentences.
_MOST_WORDS, _LONGEST_WORD, _SAMPLES = 30, 40, 100

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
    if word and not read_title(f"[{word}]").cancelled:
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


# --- Facts


def find_fact(field: str) -> tuple[Fact | None, str]:
    """Return the fact of a column, and the code if it is one value's."""
    name, _colon, code = field.partition(":")
    return BY_NAME.get(name), code


def looks_like_fact(field: str, cells: Sequence[str]) -> bool:
    """Return whether the cells of a column may be this fact, or of one value yes and no."""
    fact, code = find_fact(field)
    if fact is None or fact.kind is FactKind.RANGE or not (cells or code):
        return True
    if code:
        return bool(cells) and {cell.casefold() for cell in cells} <= YES | NO | UNKNOWN
    parts = [part for cell in cells[:_SAMPLES] for part in split_cell(fact, cell)]
    known = [part for part in parts if parse_part(fact, part) or (fact.linked and ADDRESS.search(part))]
    words = [part for part in parts if part not in known and is_word(part)]
    return len(known) + len(words) > len(parts) / 2 and len({*words}) <= _MOST_WORDS


def split_cell(fact: Fact, text: str) -> list[str]:
    """Return the values of a cell, as they are written."""
    whole = clean_line(text)
    is_one = fact.kind not in HAS_SINGLES or fact.parse(whole)
    return [part for each in ([whole] if is_one else _BETWEEN.split(text)) if (part := clean_line(each))]


def parse_part(fact: Fact, text: str) -> str | None:
    """Return the code of a value in a cell."""
    text = text.strip(" .!:")
    if fact.kind is FactKind.RANGE:
        return fact.parse(text)
    if fact.kind is FactKind.ONE and text.casefold() in YES | NO - {"", "-", "–"}:
        text = "yes" if text.casefold() in YES else "no"
    return fact.parse(text) or fact.parse(re.sub("[-_]", " ", text))


def is_word(text: str) -> bool:
    """Return whether a text may be the name of a value, and no sentence, number or price."""
    return len(text) <= _LONGEST_WORD and text.strip(" -–?.!") != "" and not any(map(str.isdigit, text))
