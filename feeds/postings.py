"""The postings of an inverted index: which units (events and places, by number) have each word."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

Units = Sequence[int]


class Base(NamedTuple):
    """Sorted words as lines, the start of each line, and their units, which begin at `offsets`.

    A dictionary of as many short tuples would take ten times as much memory.
    """

    lines: str
    starts: "array[int]"
    offsets: "array[int]"
    units: "array[int]"

    @classmethod
    def build(cls, found: Mapping[str, int | list[int]]) -> "Base":
        words = sorted(found)
        every = [(units,) if isinstance(units, int) else units for units in map(found.__getitem__, words)]
        return cls(
            join_lines(words),
            array("q", accumulate((len(word) + 1 for word in words), initial=1)),
            array("q", accumulate(map(len, every), initial=0)),
            array("q", chain.from_iterable(every)),
        )

    def find(self, word: str) -> Units:
        places = range(len(self.starts) - 1)
        place = bisect_left(places, word, key=self._read)
        if place in places and self._read(place) == word:
            return self.units[self.offsets[place] : self.offsets[place + 1]]
        return ()

    def _read(self, place: int) -> str:
        return self.lines[self.starts[place] : self.starts[place + 1] - 1]


class Postings:
    """The units of each word: a base, and the units of the words that have changed since."""

    def __init__(self, base: Base, changed: Mapping[str, Units]) -> None:
        self._base = base
        self._changed = changed
        self._new_lines = join_lines(word for word, units in changed.items() if units)

    @classmethod
    def build(cls, found: Mapping[str, int | list[int]]) -> "Postings":
        return cls(Base.build(found), {})

    def derive(self, changed: Mapping[str, Units]) -> "Postings":
        """Return the postings with the units of some words replaced."""
        merged = {**self._changed, **changed}
        for word in [word for word, units in changed.items() if not units and not self._base.find(word)]:
            del merged[word]
        return Postings(self._base, merged)

    def find(self, word: str) -> Units:
        return self._changed[word] if word in self._changed else self._base.find(word)

    def scan(self, part: str) -> Iterator[str]:
        """Yield the words that contain a part, which may begin with the end of the line before."""
        for word in scan_lines(self._base.lines, part):
            if word not in self._changed:
                yield word
        yield from scan_lines(self._new_lines, part)

    def list_words(self) -> list[str]:
        return [*self.scan("\n")]


def join_lines(words: Iterable[str]) -> str:
    return "\n".join(("", *words, ""))


def scan_lines(lines: str, part: str) -> Iterator[str]:
    """Yield the lines that contain a part."""
    end = 0
    while (at := lines.find(part, end)) >= 0 and at + 1 < len(lines):
        begin = lines.rfind("\n", 0, at + 1) + 1
        end = lines.find("\n", begin)
        yield lines[begin:end]
