"""Detects the language of texts by frequent words, to find those stored in the wrong language."""

import re
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from programme.exchange.values import Contents, Problem, ScheduledEvent

_WORDS = re.compile(r"[^\W\d_]+")
_SV = "och att det som en på är av för med den till ett om har inte vi i från du kan också eller alla hur"
_EN = "the and of to in is that for with on as are this you we be it by from or how at all your"
_FREQUENT = {"sv": frozenset(_SV.split(" ")), "en": frozenset(_EN.split(" "))}
_TEXTS = ("intro", "description")
LOOK_LIKE = {
    "en": gettext_lazy(
        "the texts look English, and would be stored as Swedish: say which language they are in"
    ),
    "sv": gettext_lazy(
        "the texts look Swedish, and would be stored as English: say which language they are in"
    ),
}
# Too few words for a guess.
_LEAST = 3


def detect_language(text: str) -> str:
    """Return sv or en, whichever has clearly more frequent words in a text; '' if neither has."""
    words = _WORDS.findall(text.lower())
    counts = {language: sum(map(known.__contains__, words)) for language, known in _FREQUENT.items()}
    best, other = sorted(counts, key=lambda language: -counts[language])
    return best if counts[best] >= _LEAST and counts[best] > 2 * counts[other] else ""


def find_wrong_languages(contents: Contents) -> Iterator[Problem]:
    """Yield a problem if most texts look like another language than the one they are stored in."""
    for stored, other in (("sv", "en"), ("en", "sv")) if not contents.is_own_export else ():
        found = [language for event in contents.events if (language := detect_language(_text(event, stored)))]
        if found.count(other) > len(found) / 2:
            yield Problem(_("the file"), str(LOOK_LIKE[other]), whole=True)


def _text(event: ScheduledEvent, language: str) -> str:
    more: dict[str, Any] = event.more
    texts = [str(more.get(f"{name}_{language}") or "") for name in _TEXTS]
    if event.text_language == language:
        texts += [event.intro, event.description]
    return " ".join(texts)
