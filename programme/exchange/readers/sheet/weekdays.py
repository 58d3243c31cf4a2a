"""Finds the weekday that stands beside a date, in Swedish or English, whole or abbreviated."""

import re

from feeds.wording import WORDS

_NAMES = [" ".join(("", *names)).lower() for names in zip(WORDS["sv"].days, WORDS["en"].days, strict=True)]
_SHORT = {"må": 0, "ti": 1, "on": 2, "to": 3, "fr": 4, "lö": 5, "sö": 6}
_WORD = re.compile(r"\(?\b([a-zåäö]{2,10})\b\.?\)?,?", re.IGNORECASE)
_LEAST_LETTERS = 3


def parse_weekday(text: str) -> int | None:
    """Return the number of `lör`, `Lördagen`, `Lö` or `Saturdays`, Monday's is 0; None for any other text."""
    match = _WORD.fullmatch(text.strip())
    return _find(match[1], may_be_short=True) if match else None


def split_weekday(text: str) -> tuple[int | None, str]:
    """Return the first weekday that a text names, and the text without its weekdays."""
    found: list[int] = []

    def cut(match: re.Match[str]) -> str:
        # Later in a text, words of two letters are none: "10 to 12".
        weekday = _find(match[1], may_be_short=match.start() == 0)
        if weekday is None:
            return match[0]
        found.append(weekday)
        return " "

    rest = _WORD.sub(cut, text.strip())
    return (found[0], " ".join(rest.split())) if found else (None, text)


def _find(word: str, *, may_be_short: bool) -> int | None:
    word = word.lower()
    if may_be_short and word in _SHORT:
        return _SHORT[word]
    stems = {word, *(word.removesuffix(ending) for ending in ("en", "ar", "s"))}
    begins = [f" {stem}" for stem in stems if len(stem) >= _LEAST_LETTERS]
    return next((n for n, names in enumerate(_NAMES) if any(each in names for each in begins)), None)
