"""Detects the language of texts by frequent words, to find those stored in the wrong language."""

import re
from collections.abc import Collection, Iterator
from typing import Any

from django.utils.translation import get_language_info
from django.utils.translation import gettext as _

from programme.exchange.values import Contents, Problem, ScheduledEvent

_WORDS = re.compile(r"[^\W\d_]+")
_SV = "och att det som en på är av för med den till ett om har inte vi i från du kan också eller alla hur"
_EN = "the and of to in is that for with on as are this you we be it by from or how at all your"
_DE = "und der die das ist nicht mit ein eine zu von für auf im sich auch werden oder bei wir den dem"
_FI = "ja on ei se että tai kun myös sekä joka jotka mukaan kaikki voi ovat hän mutta niin tule me voit"
_FREQUENT = {
    code: frozenset(words.split(" ")) for code, words in (("sv", _SV), ("en", _EN), ("de", _DE), ("fi", _FI))
}
TEXTS = ("intro", "description")
# Too few words for a guess.
_LEAST = 3


def detect_language(text: str, among: Collection[str] = ("sv", "en")) -> str:
    """Return the language that has clearly more frequent words in a text than others; '' if none has."""
    words = _WORDS.findall(text.lower())
    counts = {language: sum(map(_FREQUENT[language].__contains__, words)) for language in among}
    best, other, *_rest = sorted(counts, key=lambda language: -counts[language])
    return best if counts[best] >= _LEAST and counts[best] > 2 * counts[other] else ""


def find_wrong_languages(contents: Contents) -> Iterator[Problem]:
    """Yield a problem if most texts look like another language than the one they are stored in."""
    for stored in ("sv", "en") if not contents.is_own_export else ():
        texts = (_text(event, stored) for event in contents.events)
        found = [language for text in texts if (language := detect_language(text, _FREQUENT))]
        usual = max({*found} - {stored}, key=found.count, default="")
        if found.count(usual) > len(found) / 2:
            what = _(
                "the texts look like %(language)s, and would be stored as %(stored)s: "
                "say which language they are in"
            )
            codes = {"language": usual, "stored": stored}
            named = {name: get_language_info(code)["name_translated"] for name, code in codes.items()}
            yield Problem(_("the file"), what % named, whole=True)


def _text(event: ScheduledEvent, language: str) -> str:
    more: dict[str, Any] = event.more
    return " ".join(str(more.get(f"{name}_{language}") or "") for name in TEXTS)
