"""Nearly equal names and words: misspellings, parts of a name, and initials."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import lru_cache

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from feeds.names import fold, normalize

_WORD, _LETTERS, _DIGITS = re.compile(r"\w+"), re.compile(r"[^\W\d_]{2,}"), re.compile(r"\d+")
_DOUBLED = re.compile(r"(.)\1+")
# The least similarity, of 100, of the nearest words, and of a word and its misspelling.
_LEAST_ALIKE, _LEAST_MISSPELT = 70, 75
# The shortest words that are misspellings if they differ in a letter (not "Sal A" and "Sal B"), in an accent
# (not "Scen A" and "Scen Å") or in their division.
_SHORTEST, _SHORTEST_PLAIN, _SHORTEST_DIVIDED = 5, 4, 6
# Names that differ in a sign are different: "Sal 1" and "Sal 2", "Scen A" and "Scen B".
_SIGN = re.compile(r"\d+|\b[^\W\da-zåäö]\b")
# Endings of Swedish nouns: "skolan", "bibliotekets", "museum".
_ENDING = re.compile(r"(?<=\w{3})(?:ens|ets|ans|ns|en|et|an|na|um)$|(?<=\w{4})[aenst]$")
# A word in more names than this does not distinguish them.
_MOST = 3
# The share of each of two names that must be words of the other, unless one contains the other.
_SHARE = 2 / 3
# Separators of several names in one, whose words occur in other names, too.
_LIST = re.compile(r"[,;&/]")
_SAINT = re.compile(r"\bs:t", re.IGNORECASE)
_INITIALS = re.compile(r"[^\W\d_]{3,5}")


def find_alike(name: str, names: Collection[str], limit: int) -> list[str]:
    """Return the most similar names, the most similar first, equally similar ones in order."""
    found = process.extract(name, list(names), scorer=fuzz.ratio, limit=None, score_cutoff=_LEAST_ALIKE)
    return [each for each, *_ in sorted(found, key=lambda each: (-each[1], each[0]))[:limit]]


def find_slips(word: str, words: Collection[str], most: int = 1) -> set[str]:
    """Return the words at a distance of at most `most` letters, wrong, missing, added or swapped."""
    found = process.extract(word, list(words), scorer=OSA.distance, limit=None, score_cutoff=most)
    return {each for each, _distance, _place in found}


def find_misspelt(name: str, names: Collection[str]) -> list[str]:
    """Return the names that a name may be a misspelling of, sorted.

    Each word has at most one slip, or the names differ only in doubled letters, blanks and signs. Accents
    are ignored; digits must be equal.
    """
    found = process.extract(
        name, list(names), scorer=fuzz.ratio, processor=_strip, limit=None, score_cutoff=_LEAST_MISSPELT
    )
    return sorted({each for each, _likeness, _place in found if _is_misspelling(name, each)})


class NearNames:
    """An index of names that finds the names another name may mean, misspellings first.

    "Kulturskolan" and "ÄKS" find "Älvhamns kulturskola"; "Scenen" finds none of many scenes.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        # Names that are appended later are found by their misspellings only.
        self.names = list(names)
        self._by_word: dict[str, list[str]] = defaultdict(list)
        for name in self.names:
            for word in _list_keys(name):
                self._by_word[word].append(name)

    def find(self, name: str) -> list[str]:
        found = (self._by_word.get(word, ()) for word in _list_keys(name))
        near = {each for names in found if len(names) <= _MOST for each in names if _is_near(name, each)}
        return list(dict.fromkeys([*find_misspelt(name, self.names), *sorted(near)]))[:_MOST]


# Each search compares with all names of a programme.
@lru_cache(1 << 15)
def _strip(text: str) -> str:
    """Return the letters of a text, folded and without accents."""
    return "".join(each for each in normalize("NFD", fold(text)) if each.isalpha())


def _is_misspelling(name: str, other: str) -> bool:
    if _DIGITS.findall(name) != _DIGITS.findall(other):
        return False
    words, others = _WORD.findall(fold(name)), _WORD.findall(fold(other))
    differing = [pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]]
    if differing and len(words) == len(others):
        return all(_is_slip(*pair) for pair in differing)
    letters = _strip(name)
    return len(letters) >= _SHORTEST_DIVIDED and letters == _strip(other)


def _is_slip(word: str, other: str) -> bool:
    shorter, letters, others = min(len(word), len(other)), _strip(word), _strip(other)
    if _DIGITS.search(word + other):
        return False
    if _DOUBLED.sub(r"\1", letters) == _DOUBLED.sub(r"\1", others):
        return shorter >= _SHORTEST_PLAIN
    return shorter >= _SHORTEST and OSA.distance(letters, others) == 1


def _list_keys(name: str) -> set[str]:
    """Return the distinguishing words of a name, without their endings, and its initials."""
    if _LIST.search(name):
        return set()
    return set(_list_stems(name, _SHORTEST)) | _find_initials(name)


def _list_stems(name: str, shortest: int = 0) -> list[str]:
    return [_ENDING.sub("", word) for word in _LETTERS.findall(fold(name)) if len(word) >= shortest]


def _find_initials(name: str) -> set[str]:
    """Return a name that consists of initials, else the initials of its words, in capitals."""
    initials = name if name.isupper() else "".join(word[0] for word in _LETTERS.findall(name)).upper()
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
    """Return the share of the letters in words that begin one of the others, as "Bio" begins "Biograf"."""
    found = [word for word in words if any(each.startswith(word) for each in others)]
    return sum(map(len, found)) / (sum(map(len, words)) or 1)
