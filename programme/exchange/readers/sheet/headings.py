"""Finds the fields of a sheet's columns, by their headings and, where these leave it open, by their cells."""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta

from feeds.names import fold
from programme.exchange.readers.sheet.columns import AMBIGUOUS, COLUMNS, EXPORTED_COLUMNS, IDENTITY
from programme.exchange.readers.sheet.times import (
    parse_clock,
    parse_date_and_time,
    parse_duration,
    split_range,
)
from programme.exchange.readers.sheet.weekdays import parse_weekday
from programme.exchange.text.languages import detect_language

_BLANKS = re.compile(r"[\s_*:.\-/]+")
_UNIT = re.compile(
    r"[\s,(]*\b(?:i |in )?(?:min|minuter|minutes|kr|sek|tt mm|hh mm|åååå mm dd|yyyy mm dd)\)?$"
)
# Enough rows and characters to see what a column is.
_SAMPLES, _SAMPLED = 100, 500
_LONGEST_SHOW = timedelta(hours=8)
_LONGEST_NAME = 80


def fold_heading(heading: str) -> str:
    """Return a heading in a form that all its spellings share."""
    return _BLANKS.sub(" ", fold(heading)).strip()


def _build_key(heading: str) -> str:
    """Return what a heading is looked up by: without a unit, as in `Längd (min)`."""
    return _UNIT.sub("", fold_heading(heading))


def _split(words: str) -> list[str]:
    return [fold_heading(word) for word in words.split("|") if word]


_OWN_FIELDS = {fold_heading(word): each.field for each in EXPORTED_COLUMNS for word in (each.sv, each.en)}
_AMBIGUOUS = {word: fields for words, fields in AMBIGUOUS.items() for word in _split(words)}
_ENGLISH = {word for column in COLUMNS for word in _split(column.english)}


def _fields() -> dict[str, str]:
    """Return the field of each heading; the headings of exported sheets win over other words."""
    fields = dict(_OWN_FIELDS)
    for column in COLUMNS:
        for word in _split(f"{column.words}|{column.english}"):
            fields.setdefault(word, column.field)
    return fields


_FIELDS = _fields()


def find_field(heading: str) -> str:
    key = _build_key(heading)
    return _in_language(_FIELDS.get(key, ""), key, ())


def find_fields(headings: Sequence[str], rows: Sequence[Sequence[str]] = ()) -> list[str]:
    """Return the field of each heading above some rows, '' for unknown ones.

    Of two headings for one field the second counts as unknown, so that somebody looks at it.
    """
    keys = [_build_key(heading) for heading in headings]
    # A row that repeats, word for word, is taken once.
    different = dict.fromkeys(map(tuple, rows))
    columns = [
        [row[place] for row in different if place < len(row) and row[place]] for place in range(len(keys))
    ]
    found = [""] * len(keys)
    for choices in (_own_field, _known_field, _possible_fields):
        for place, (key, cells) in enumerate(zip(keys, columns, strict=True)):
            if not found[place]:
                possible = (_in_language(field, key, cells) for field in choices(key, cells))
                found[place] = next((field for field in possible if field not in found), "")
    return found


def _own_field(key: str, _cells: Sequence[str]) -> Sequence[str]:
    return [_OWN_FIELDS[key]] if key in _OWN_FIELDS else []


def _known_field(key: str, cells: Sequence[str]) -> Sequence[str]:
    field = _FIELDS.get(key, "")
    # A number that repeats, such as that of a film's first showing, identifies none.
    return [field] if field and not (field == IDENTITY and len(set(cells)) < len(cells)) else []


def _possible_fields(key: str, cells: Sequence[str]) -> Sequence[str]:
    fields = _AMBIGUOUS.get(key, ())
    return [field for field in fields if field not in _LOOKS or _LOOKS[field](cells)] if cells else fields


def _in_language(field: str, key: str, cells: Sequence[str]) -> str:
    """Return a field; one that ends in `_` with the language of its cells, else of its heading."""
    if not field.endswith("_"):
        return field
    language = detect_language(" ".join(cell[:_SAMPLED] for cell in cells[:_SAMPLES]))
    return field + (language or ("en" if key in _ENGLISH else "sv"))


# --- What cells look like


def _most(test: Callable[[str], object]) -> Callable[[Sequence[str]], bool]:
    def look(cells: Sequence[str]) -> bool:
        samples = cells[:_SAMPLES]
        return sum(bool(test(cell)) for cell in samples) > len(samples) / 2

    return look


def _is_time(text: str) -> bool:
    start, _end = split_range(text)
    return bool(parse_clock(start) or parse_date_and_time(start))


def _are_times(cells: Sequence[str]) -> bool:
    # Whole numbers alone may be anything.
    return _most(_is_time)(cells) and not all(map(str.isdecimal, cells))


def _is_duration(text: str) -> bool:
    return timedelta() < (parse_duration(text) or timedelta()) < _LONGEST_SHOW


def _is_title(text: str) -> bool:
    return bool(re.search(r"[^\W\d_]{2}", text)) and not _is_time(text)


def _is_identity(cells: Sequence[str]) -> bool:
    return len(set(cells)) == len(cells) and all(re.fullmatch(r"\S*\d\S*", cell) for cell in cells)


_is_address = re.compile(r"https?://|www\.", re.IGNORECASE).match
_LOOKS: dict[str, Callable[[Sequence[str]], bool]] = {
    "title": _most(_is_title),
    "day": _most(re.compile(r"\d").search),
    "weekday": _most(lambda text: parse_weekday(text) is not None),
    "start": _are_times,
    "duration": _most(_is_duration),
    "location": _most(lambda text: len(text) <= _LONGEST_NAME),
    "organizer": _most(re.compile(r"[^\W\d_]{2}").search),
    "price": _most(re.compile(r"^\d{1,4}$|\d\s*(?:kr|:-|sek|€)|^fri|gratis|free", re.IGNORECASE).search),
    "ticket_url": _most(_is_address),
    "external_url": _most(_is_address),
    "image_url": _most(_is_address),
    IDENTITY: _is_identity,
}
