"""What the texts of a row's cells mean: yes or no, languages, addresses, texts of the right length."""

import re
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext as _

from programme.exchange.text.truncate import truncate
from programme.models import Event, Production, Status
from programme.models.cleaning import clean_line, clean_prose

ReportCell = Callable[[str, str], None]  # the field, what is wrong with it

YES = {"ja", "j", "x", "1", "sant", "true", "yes", "y", "✓", "✔"}
NO = {"nej", "n", "0", "falskt", "false", "no", "", "-", "–"}
STATUSES = {
    "utkast": Status.DRAFT,
    "draft": Status.DRAFT,
    "publicerad": Status.PUBLISHED,
    "publicerat": Status.PUBLISHED,
    "published": Status.PUBLISHED,
}
# As our own sheets write them, and in English.
PRODUCTIONS = {
    "": Production.NOT_STATED,
    "festivalen": Production.FESTIVAL,
    "tillsammans": Production.TOGETHER,
    "andra": Production.OTHERS,
    "festival": Production.FESTIVAL,
    "together": Production.TOGETHER,
    "others": Production.OTHERS,
}
LANGUAGES = {
    "svenska": "sv", "swedish": "sv", "engelska": "en", "english": "en", "finska": "fi", "finnish": "fi",
    "suomi": "fi", "norska": "no", "norwegian": "no", "danska": "da", "danish": "da", "tyska": "de",
    "german": "de", "deutsch": "de", "franska": "fr", "french": "fr", "spanska": "es", "spanish": "es",
    "arabiska": "ar", "arabic": "ar", "ukrainska": "uk", "ukrainian": "uk", "polska": "pl", "polish": "pl",
    "teckenspråk": "sgn", "sign language": "sgn", "samiska": "se", "somaliska": "so", "persiska": "fa",
    "ryska": "ru", "russian": "ru", "italienska": "it", "italian": "it",
}  # fmt: skip
FLAGS = ("cancelled", "highlighted", "sign_interpreted")
PROSE = ("intro_sv", "intro_en", "description_sv", "description_en")
LINKS = ("ticket_url", "external_url", "image_url")
LINES = ("price", "image_caption", "change_info")
_BETWEEN = re.compile(r"\s*[,;/&+]\s*|\s+(?:and|och|samt)\s+")
# As in BCP 47; longer words are names of languages that are not known here.
_CODE = re.compile(r"(?:[A-Za-z]{2,3}|[Xx](?=-))(?:-[A-Za-z0-9]{1,8})*")
_web_address = URLValidator(schemes=["http", "https"])


def parse_values(texts: dict[str, str], complain: ReportCell) -> dict[str, Any]:
    """Return the values of an event's own fields, of those that the sheet has."""
    values: dict[str, Any] = {}
    for field, text in texts.items():
        if field in PROSE:
            values[field] = clean_prose(text)
        elif field in LINKS and (found := parse_address(field, text, complain)) is not None:
            values[field] = found
        elif field in LINES:
            values[field] = fit_line(field, text, complain)
        elif field in FLAGS and (flag := parse_flag(field, text, complain)) is not None:
            values[field] = flag
    return values | _choices(texts, complain)


def _choices(texts: dict[str, str], complain: ReportCell) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field, words in (("status", STATUSES), ("production", PRODUCTIONS)):
        if field not in texts:
            continue
        word = clean_line(texts[field]).casefold()
        if word in words:
            values[field] = words[word].value
        elif word:
            complain(
                field,
                _("“%(text)s” is none of the words that are known here; left as it is")
                % {"text": truncate(word, 60)},
            )
    return values


def parse_flag(field: str, text: str, complain: ReportCell) -> bool | None:
    """Return yes or no; None, and say so, for any other word."""
    word = clean_line(text).casefold()
    if word in YES | NO:
        return word in YES
    complain(field, _("“%(text)s” is neither yes nor no; left as it is") % {"text": truncate(word, 60)})
    return None


def parse_language(text: str, complain: ReportCell) -> str:
    """Return the code of the first language that a text names, '' where it names none."""
    whole = clean_line(text)
    parts = [part for part in _BETWEEN.split(whole) if part]
    codes = [
        code
        for part in parts
        if _CODE.fullmatch(code := LANGUAGES.get(part.casefold(), part.replace("_", "-")))
    ]
    if len(parts) > 1 and codes:
        complain("language", _("several languages; the first is taken"))
    if whole and not codes:
        complain(
            "language",
            _("“%(text)s” is no language that is known here; left out") % {"text": truncate(whole, 60)},
        )
    return codes[0] if codes else ""


def parse_address(field: str, text: str, complain: ReportCell) -> str | None:
    """Return an absolute web address; None, and say so, for any other text."""
    found = clean_line(text)
    if found.lower().startswith("www."):
        found = f"https://{found}"
    try:
        if found:
            _web_address(found)
    except ValidationError:
        found = ""
    if len(found) > length_of(field):
        found = ""
    if clean_line(text) and not found:
        complain(field, _("no usable web address: “%(text)s”") % {"text": truncate(clean_line(text), 100)})
        return None
    return found


def fit_line(field: str, text: str, complain: ReportCell, length: int = 0) -> str:
    """Return a text of one line, cut to what there is room for."""
    line = clean_line(text)
    length = length or length_of(field)
    fitted = truncate(line, length)
    if fitted != line:
        complain(field, _("cut to %(length)s characters: “%(text)s”") % {"length": length, "text": fitted})
    return fitted


def length_of(field: str) -> int:
    """Return how many characters an event's field holds."""
    return int(Event._meta.get_field(field).max_length or 0)  # type: ignore[union-attr]
