"""Finds the names that another one probably means: by a misspelling, by words of them, by initials."""

import re
from collections import defaultdict
from collections.abc import Iterable

from feeds.names import fold
from programme.exchange.text.spelling import SimilarNames

_WORD = re.compile(r"[^\W\d_]{2,}")
# Names that differ in these are others: "Sal 1" and "Sal 2", "Scen A" and "Scen B".
_SIGN = re.compile(r"\d+|\b[^\W\da-zåäö]\b")
# What Swedish nouns end in besides: "skolan", "bibliotekets", "museum".
_ENDING = re.compile(r"(?<=\w{3})(?:ens|ets|ans|ns|en|et|an|na|um)$|(?<=\w{4})[aenst]$")
# A shorter word distinguishes nothing, and neither does one of more names than these.
_SHORTEST, _MOST = 5, 3
# The beginning of a word that stands for it.
_LEAST = 3
# How much of each of two names has to be words of the other, unless one is in the other as a whole.
_SHARE = 2 / 3
# Of several names in one, each is in others, too.
_LIST = re.compile(r"[,;&/]")
_SAINT = re.compile(r"\bs:t", re.IGNORECASE)
_INITIALS = re.compile(r"[^\W\d_]{3,5}")


class NearNames:
    """Names that are found by others which may mean them, misspelt ones first.

    "Kulturskolan" and "ÄKS" find "Älvhamns kulturskola"; "Scenen" finds none of many scenes.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        names = list(names)
        # Others may be added to these.
        self.similar = SimilarNames(names)
        self._by_word: dict[str, list[str]] = defaultdict(list)
        for name in names:
            for word in _list_keys(name):
                self._by_word[word].append(name)

    def find(self, name: str) -> list[str]:
        found = (self._by_word.get(word, ()) for word in _list_keys(name))
        near = {each for names in found if len(names) <= _MOST for each in names if _is_near(name, each)}
        return list(dict.fromkeys([*sorted(self.similar.find(name)), *sorted(near)]))[:_MOST]


def _list_keys(name: str) -> set[str]:
    """Return the words of a name that distinguish it, without their endings, and its initials."""
    if _LIST.search(name):
        return set()
    return set(_list_stems(name, _SHORTEST)) | _find_initials(name)


def _list_stems(name: str, shortest: int = 0) -> list[str]:
    return [_ENDING.sub("", word) for word in _WORD.findall(fold(name)) if len(word) >= shortest]


def _find_initials(name: str) -> set[str]:
    """Return a name that is initials, else those of its words, in capitals."""
    initials = name if name.isupper() else "".join(word[0] for word in _WORD.findall(name)).upper()
    return {initials} if _INITIALS.fullmatch(initials) else set()


def _is_near(name: str, other: str) -> bool:
    if _find_initials(name) & _find_initials(other) and name.isupper() != other.isupper():
        return True
    name, other = (_SAINT.sub("Sankt", each) for each in (name, other))
    words, others = _list_stems(name), _list_stems(other)
    shares = [_measure(words, others), _measure(others, words)]
    same_signs = sorted(_SIGN.findall(name)) == sorted(_SIGN.findall(other))
    return same_signs and (max(shares) == 1 or min(shares) >= _SHARE)


def _measure(words: list[str], others: list[str]) -> float:
    """Return which part of the letters is in words of the others, or begins them: "Bio" and "Biograf"."""
    found = [
        word
        for word in words
        if word in others or (len(word) >= _LEAST and any(other.startswith(word) for other in others))
    ]
    return sum(map(len, found)) / (sum(map(len, words)) or 1)
