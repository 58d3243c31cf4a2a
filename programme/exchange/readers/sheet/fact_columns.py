"""Parses the cells of the facts by which visitors choose."""

import re
from collections.abc import Sequence

from feeds.columns import HAS_SINGLES
from feeds.fact import Fact, Kind
from feeds.facts import BY_NAME
from programme.models.cleaning import clean_line

YES = {"ja", "j", "x", "1", "sant", "true", "yes", "y", "✓", "✔"}
NO = {"nej", "n", "0", "falskt", "false", "no", "", "-", "–"}
# In a column of one value, beside what is empty.
UNKNOWN = {"", "-", "–", "?", "okänt", "vet ej", "vet inte", "unknown", "not known"}

ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<![^\s@<(])[^\s@<(]+@[^\s@]+\.\w+")
_BETWEEN = re.compile(r"[;,/|\n]|\s(?:och|and|samt|&|\+)\s")
# More words are no values, and longer ones are sentences.
_MOST_WORDS, _LONGEST_WORD, _SAMPLES = 30, 40, 100


def find_fact(field: str) -> tuple[Fact | None, str]:
    """Return the fact of a column, and the code if it is one value's."""
    name, _colon, code = field.partition(":")
    return BY_NAME.get(name), code


def looks_like_fact(field: str, cells: Sequence[str]) -> bool:
    """Return whether the cells of a column may be this fact, or of one value yes and no."""
    fact, code = find_fact(field)
    if fact is None or fact.kind is Kind.RANGE or not (cells or code):
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
    if fact.kind is Kind.RANGE:
        return fact.parse(text)
    if fact.kind is Kind.ONE and text.casefold() in YES | NO - {"", "-", "–"}:
        text = "yes" if text.casefold() in YES else "no"
    return fact.parse(text) or fact.parse(re.sub("[-_]", " ", text))


def is_word(text: str) -> bool:
    """Return whether a text may be the name of a value, and no sentence, number or price."""
    return len(text) <= _LONGEST_WORD and text.strip(" -–?.!") != "" and not any(map(str.isdigit, text))
