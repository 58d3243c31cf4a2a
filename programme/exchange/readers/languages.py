"""Reads the languages of an event as people and programs write them: `Svenska`, `de_AT`, `de, en`."""

import re

from django.utils.translation import gettext as _

from programme.exchange.readers.fields import Report
from programme.exchange.text.truncate import truncate
from programme.models.cleaning import clean_line

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
    whole = clean_line(text)
    parts = [part for part in _BETWEEN.split(whole) if part]
    named = (_CODES.get(part.casefold(), part.replace("_", "-")) for part in parts)
    codes = [code for code in named if _CODE.fullmatch(code)]
    if len(parts) > 1 and codes:
        report(_("several languages; the first is taken"))
    if whole and not codes:
        what = _("“%(text)s” is no language that is known here; left out")
        report(what % {"text": truncate(whole, 60)})
    return codes[0] if codes else ""
