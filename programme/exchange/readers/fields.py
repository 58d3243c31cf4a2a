"""Reads JSON and texts of unknown origin, and fits them to the fields of models, for all readers."""

import json
import re
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext as _

from programme.exchange.text.lines import truncate
from programme.exchange.values import UnreadableFileError
from programme.models import Event, EventType
from programme.models.cleaning import clean_line, clean_prose
from programme.models.fields import Prose

# Takes what is wrong with a text.
Report = Callable[[str], None]
# Of a text that is cut.
_LONGEST_SHOWN = 500
_validate_address = URLValidator(schemes=["http", "https"])


def field_length(model: type, field: str) -> int:
    return int(model._meta.get_field(field).max_length)  # type: ignore[attr-defined]


def fit_line(model: type, field: str, text: str, report: Report | None = None) -> str:
    """Return a text as one line that fits a field, and report if it is cut."""
    return _fit(clean_line(text), field_length(model, field), report)


def fit_prose(text: str, report: Report) -> str:
    """Return a text of any number of lines that fits every field of such texts, and report if it is cut."""
    return _fit(clean_prose(text), Prose.longest, report)


def _fit(text: str, length: int, report: Report | None) -> str:
    fitted = truncate(text, length)
    if report and fitted != text:
        shown = {"length": length, "text": truncate(fitted, _LONGEST_SHOWN)}
        report(_("cut to %(length)s characters: “%(text)s”") % shown)
    return fitted


def fit_types(text: str, report: Report | None = None) -> str:
    """Return a list of names of types, with semicolons between, as one line; each name fits its field."""
    longest = field_length(EventType, "name_sv")
    names = clean_line(text).split(";")
    return ";".join(
        fit_line(EventType, "name_sv", each, report) if len(each) > longest else each for each in names
    )


def parse_web_address(text: str, report: Report | None = None) -> str:
    """Return a text as an absolute web address; report any other text and return ''."""
    address = clean_line(text)
    try:
        _validate_address(address)
        usable = len(address) <= field_length(Event, "external_url")
    except ValidationError:
        usable = False
    if report and address and not usable:
        report(_("no usable web address: “%(text)s”") % {"text": truncate(address, 100)})
    return address if usable else ""


def read_document(content: bytes) -> Any:
    try:
        # Python's own reader accepts halves of emoji, which some producers cut in two; cleaning removes them.
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UnreadableFileError(_("its encoding cannot be read: save it as UTF-8")) from None
    except json.JSONDecodeError as error:
        line = error.lineno
        raise UnreadableFileError(_("it is cut off or damaged (line %(line)s)"), line=line) from None
    except (ValueError, RecursionError):
        raise UnreadableFileError(_("it is cut off or damaged")) from None


def as_dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def as_dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in as_list(value) if isinstance(item, dict)]


_CODES = {
    "svenska": "sv", "swedish": "sv", "engelska": "en", "english": "en", "finska": "fi", "finnish": "fi",
    "suomi": "fi", "norska": "no", "norwegian": "no", "danska": "da", "danish": "da", "tyska": "de",
    "german": "de", "deutsch": "de", "franska": "fr", "french": "fr", "spanska": "es", "spanish": "es",
    "arabiska": "ar", "arabic": "ar", "ukrainska": "uk", "ukrainian": "uk", "polska": "pl", "polish": "pl",
    "teckenspråk": "sgn", "sign language": "sgn", "samiska": "se", "somaliska": "so", "persiska": "fa",
    "ryska": "ru", "russian": "ru", "italienska": "it", "italian": "it",
}  # fmt: skip
_BETWEEN = re.compile(r"\s*[,;/&+]\s*|\s+(?:and|och|samt|und)\s+")
# As in BCP 47; longer words are unknown names of languages.
_CODE = re.compile(r"(?:[A-Za-z]{2,3}|[Xx](?=-))(?:-[A-Za-z0-9]{1,8})*")


def parse_language(text: str, report: Report) -> str:
    """Return the code of the first language that a text names, '' where it names none."""
    whole = " ".join(clean_line(text).split())
    parts = [part for part in _BETWEEN.split(whole) if part]
    named = (_CODES.get(part.casefold(), part.replace("_", "-")) for part in parts)
    codes = [code for code in named if _CODE.fullmatch(code)]
    if len(parts) > 1 and codes:
        report(_("several languages; the first is taken"))
    if whole and not codes:
        what = _("“%(text)s” is no language that is known here; left out")
        report(what % {"text": truncate(whole, 60)})
    return codes[0] if codes else ""
