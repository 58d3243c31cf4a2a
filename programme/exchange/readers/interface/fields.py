"""Reads the fields of the interface's tables, whatever another service puts there."""

import datetime as dt
import re
from collections.abc import Iterable
from typing import Any

from feeds.vocabulary import LANGUAGES, LanguageCode
from programme.exchange.readers.fields import fit_line, parse_web_address
from programme.exchange.readers.interface.documents import Table, View
from programme.exchange.readers.json_document import as_dict
from programme.models.cleaning import clean_prose
from programme.models.fields import Color

# As large as JavaScript reads exactly; and the database counts on from the largest.
_LARGEST_ID = 2**52
_SHORT_COLOR = re.compile("#[0-9a-f]{3}")


def read_id(table: Table) -> int:
    """Return the ID of a table, 0 without a usable one."""
    found = table.get("id")
    usable = isinstance(found, int) and not isinstance(found, bool) and 0 < found < _LARGEST_ID
    return int(found) if usable else 0  # type: ignore[arg-type]


def read_text(table: Table, name: str) -> str:
    found = table.get(name)
    return found if isinstance(found, str) else ""


def read_line(model: type, field: str, table: Table, name: str) -> str:
    return fit_line(model, field, read_text(table, name))


def read_link(table: Table, name: str) -> str:
    return parse_web_address(read_text(table, name))


def read_number(table: Table, name: str) -> int:
    found = table.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else 0


def read_color(table: Table) -> str:
    color = read_text(table, "color").strip().lower()
    if _SHORT_COLOR.fullmatch(color):
        color = "#" + "".join(digit * 2 for digit in color[1:])
    return color if re.fullmatch(Color.pattern, color) else ""


def read_clock(table: Table, name: str) -> dt.time | None:
    try:
        return dt.time.fromisoformat(read_text(table, name)).replace(tzinfo=None)
    except ValueError:
        return None


def read_texts(views: Iterable[View], name: str, field: str) -> dict[str, str]:
    """Return the texts of a Translatable by the fields of the model, from the documents of all languages."""
    views = list(views)
    return {f"{field}_{language}": clean_prose(_find_text(views, name, language)) for language in LANGUAGES}


def read_names(model: type, views: Iterable[View]) -> dict[str, str]:
    """Return the names of a Translatable; the Swedish one is never missing where there is one."""
    texts = read_texts(views, "name", "name")
    swedish = texts["name_sv"] or texts["name_en"]
    return {
        "name_sv": fit_line(model, "name_sv", swedish),
        "name_en": fit_line(model, "name_en", texts["name_en"]),
    }


def _find_text(views: list[View], name: str, language: LanguageCode) -> str:
    texts = (_text_in(view, view.table.get(name), language) for view in views)
    return next(filter(None, texts), "")


def _text_in(view: View, value: Any, language: LanguageCode) -> str:
    """Return the text of a Translatable; a plain one is in the language that was asked for."""
    if isinstance(value, str):
        return value if view.language == language else ""
    text = as_dict(value).get(language)
    return text if isinstance(text, str) else ""
