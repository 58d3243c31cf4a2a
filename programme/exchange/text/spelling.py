"""Finds names that are probably the same name, one of them misspelt."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby, takewhile
from unicodedata import normalize

from feeds.names import fold

_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")
# Shorter words that differ in a letter are different words ("Sal A" and "Sal B"), and so are words that
# differ in an accent ("Scen A" and "Scen Å") or in where they are divided.
_SHORTEST, _SHORTEST_PLAIN, _SHORTEST_DIVIDED = 5, 4, 6
# Letters that changed places.
_SWAPPED = 2


class SimilarNames:
    """Names that are found by a misspelling of them.

    A misspelling has one letter more, less or different, or two that changed places; or it differs in doubled
    letters, blanks and signs. Accents count for nothing, and digits have to be the same. Misspellings have a
    shape in common, so that finding one among thousands takes no longer than among ten.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._by_shape: dict[int, list[str]] = defaultdict(list)
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        for shape in _find_shapes(name):
            self._by_shape[shape].append(name)

    def find(self, name: str) -> list[str]:
        """Return the names of which this one may be a misspelling."""
        found = (each for shape in _find_shapes(name) for each in self._by_shape.get(shape, ()))
        return [each for each in dict.fromkeys(found) if _is_misspelling(name, each)]


# The names of a programme are looked at again after each edit.
@lru_cache(maxsize=8192)
def _find_shapes(name: str) -> frozenset[int]:
    """Return hashes of the name's letters, and of these without each of them, together with its digits."""
    letters, digits = _strip(name), _DIGITS.findall(name)
    shapes = {_undouble(letters), letters}
    shapes |= {letters[:place] + letters[place + 1 :] for place in range(len(letters))}
    return frozenset(hash((shape, *digits)) for shape in shapes)


def _strip(text: str) -> str:
    """Return the letters of a text, folded and without accents."""
    return "".join(each for each in normalize("NFD", fold(text)) if each.isalpha())


def _undouble(letters: str) -> str:
    return "".join(letter for letter, _repeated in groupby(letters))


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
    if _DIGITS.search(word + other):
        return False
    shorter, letters, others = min(len(word), len(other)), _strip(word), _strip(other)
    if _undouble(letters) == _undouble(others):
        return shorter >= _SHORTEST_PLAIN
    # Whether they differ by one letter, or by two that changed places.
    left, right = _strip_beginning(*_strip_beginning(letters, others, step=-1))
    is_one_edit = max(len(left), len(right)) == 1 or (len(left) == _SWAPPED and left == right[::-1])
    return shorter >= _SHORTEST and is_one_edit


def _strip_beginning(one: str, other: str, step: int = 1) -> tuple[str, str]:
    """Return what follows the beginning that two texts have in common, turned round if `step` is -1."""
    same = sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return one[same:][::step], other[same:][::step]
