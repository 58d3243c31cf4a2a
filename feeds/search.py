"""Search: the folded words of occasions, and which of them a typed word finds, in Swedish and English."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from sys import intern
from typing import Any

from Stemmer import Stemmer

from feeds.grouping import Grouping, Replacement, Run, by_order
from feeds.layered import Layered
from feeds.names import ACCENTS, LETTERS, normalize
from feeds.nearness import find_alike, find_slips
from feeds.vocabulary import Event, Place, Text

_FOLDED = re.compile(f"[{ACCENTS}'’{''.join(LETTERS)}]")
_WORD = re.compile(r"\w+")
_HYPHEN = re.compile("[-‐‑]")
_PART = rf"[\w{ACCENTS}'’]+"
# A word of a text that is not folded yet, with what hyphens join to it.
TOKEN = re.compile(f"{_PART}(?:{_HYPHEN.pattern}{_PART})*+")
# Shorter words are found at the beginning of others only; are spelled rightly; are not ends of compounds.
MIN_PART, MIN_NEAR, MIN_STEM = 3, 5, 4
MAX_ALIKE = 4


def split_words(text: str) -> set[str]:
    """Return the words of a text, without case, accents, compatibility forms and apostrophes."""
    tokens = set(TOKEN.findall(normalize("NFKC", text).lower()))
    return set().union(*map(fold_token, tokens))


@lru_cache(1 << 15)
def fold_token(token: str) -> tuple[str, ...]:
    """Return the words that a token is folded to: of `hip-hop` three; else one, but in some scripts."""
    folded = _FOLDED.sub(lambda found: LETTERS.get(found[0], ""), normalize("NFKD", token))
    # One string for each word, however many events have it.
    return tuple(map(intern, dict.fromkeys(_WORD.findall(f"{folded} {_HYPHEN.sub('', folded)}"))))


def split_typed(texts: Iterable[str]) -> Iterator[set[str]]:
    """Yield the words that are wanted together: what is typed with a hyphen is two words, or one."""
    for text in texts:
        yield from map(split_words, dict.fromkeys(_HYPHEN.sub(other, text) for other in (" ", "")))


# What has words: an event, by its ID, and a place. Occasions have those of both.
Unit = int | Place
Postings = Layered[str, tuple[Unit, ...]]


def list_texts(unit: Event | Place) -> tuple[list[str], list[str]]:
    """Return the names of an event and of what it refers to, or of a place; and its other texts."""
    if isinstance(unit, Place):
        return [unit.full_name], [unit.location.address]
    parts = (unit.area, *filter(None, (unit.sub_area,)))
    names = [unit.title, *(each for part in parts for each in (part.name, part.full_name))]
    texts = [unit.intro, unit.description, *(each.name for each in unit.types)]
    texts += [unit.language.name if unit.language else Text()]
    organizer = unit.organizer.name if unit.organizer else ""
    return [*names, organizer], [one for each in texts for one in (each.sv, each.en)]


def split_texts(unit: Event | Place | None) -> tuple[set[str], set[str]]:
    """Return all words of an event or a place, and those of its names."""
    if unit is None:
        return set(), set()
    names, texts = map("\n".join, list_texts(unit))
    named = split_words(names)
    return named | split_words(texts), named


class Wanted:
    """A typed word, folded: it finds words that contain it, and its inflections in both languages."""

    def __init__(self, word: str) -> None:
        # Not shared: a stemmer is no thread's but its own.
        self._swedish, self._english = Stemmer("swedish").stemWord, Stemmer("english").stemWord
        self.word = word
        self.stem, self._english_stem = self._swedish(word), self._english(word)
        # What holds it holds the word, too.
        self.part = self.stem if len(self.stem) >= MIN_STEM and self.stem in word else word

    def is_inflected(self, word: str) -> bool:
        stem = self._swedish(word) if self.stem in word else ""
        # In Swedish the last part of a compound is inflected.
        if stem == self.stem or (self.part == self.stem and stem.endswith(self.stem)):
            return True
        return word.startswith(self.word[:MIN_PART]) and self._english(word) == self._english_stem


class Search:
    """An inverted index: the events and places that have each word, in any text and in names.

    `lines` are the words of its base, one a line, in which parts of words are looked for.
    """

    def __init__(
        self,
        by_event: Grouping[int],
        by_place: Grouping[Place],
        postings: tuple[Postings, Postings],
        former: "Search | None" = None,
    ) -> None:
        self._by_event, self._by_place = by_event, by_place
        self._postings = postings
        self.words, self.names = postings
        base = self.words.base
        is_shared = former is not None and former.words.base is base
        self.lines: str = former.lines if former and is_shared else _join(base)
        self._new_lines = _join(each for each in self.words.changed if each not in base)

    @classmethod
    def build(cls, by_event: Grouping[int], by_place: Grouping[Place]) -> "Search":
        empty = cls(by_event, by_place, (Layered({}), Layered({})))
        events = ((key, None, run[0].event) for key, run in by_event.items())
        return empty.post(chain(events, ((place, None, place) for place in by_place)))

    def replace(
        self, by_event: Grouping[int], by_place: Grouping[Place], replacement: Replacement
    ) -> "Search":
        """Return the index of a programme that differs in some occasions."""
        units: dict[Unit, list[Any]] = {}
        for side, occasions in enumerate((replacement.removed, replacement.added)):
            for event, place in {(each.event, each.place) for each in occasions}:
                units.setdefault(event.id, [None, None])[side] = event
                # Others may be held there, too.
                if place and (place in self._by_place) != (place in by_place):
                    units.setdefault(place, [None, None])[side] = place
        changed = ((unit, *each) for unit, each in units.items() if not _has_same_texts(*each))
        return Search(by_event, by_place, self._postings, self).post(changed)

    def post(self, units: Iterable[tuple[Unit, Event | Place | None, Event | Place | None]]) -> "Search":
        """Return the index with units as they are instead of as they were, which may be None."""
        changed: tuple[dict[str, list[Unit]], ...] = ({}, {})
        for unit, before, after in units:
            every = zip(self._postings, changed, split_texts(before), split_texts(after), strict=True)
            for postings, posted, former, latter in every:
                for word in former ^ latter:
                    if word not in posted:
                        posted[word] = [*(postings.find(word) or ())]
                    if word in latter:
                        posted[word].append(unit)
                    else:
                        posted[word].remove(unit)
        words, names = (
            postings.derive({word: tuple(found) for word, found in posted.items()})
            for postings, posted in zip(self._postings, changed, strict=True)
        )
        return Search(self._by_event, self._by_place, (words, names), self)

    def find(self, texts: Iterable[str], *, named: bool = False) -> set[int]:
        """Return the IDs of what has all words of one of the texts; `named`: all of them in names."""
        found = [[self._find(word, named=named) for word in words] for words in split_typed(texts)]
        return set().union(*(set.intersection(*each) for each in found if each))

    def find_words(self, word: str) -> set[str]:
        """Return the words of the programme that a folded word finds; if none, names spelled nearly so."""
        if len(word) < MIN_PART:
            return {*self._scan(f"\n{word}")}
        wanted = Wanted(word)
        holding = {*self._scan(wanted.part)}
        found = {each for each in holding if word in each}
        found.update(filter(wanted.is_inflected, holding - found))
        found.update(filter(wanted.is_inflected, {*self._scan(f"\n{word[:MIN_PART]}")} - holding))
        return found or (find_slips(word, self.names) if len(word) >= MIN_NEAR else set())

    def find_alike(self, word: str) -> list[str]:
        """Return the words that are nearest to a folded word, as they are spelled in the programme."""
        return [*map(self._spell, find_alike(word, self.words, MAX_ALIKE))]

    def _spell(self, word: str) -> str:
        """Return a word as the first occasion that has it spells it."""
        first = min((self._find_run(unit)[0] for unit in self.words[word]), key=by_order)
        texts = chain(*list_texts(first.event), *(list_texts(first.place) if first.place else ()))
        tokens: list[str] = TOKEN.findall(normalize("NFC", "\n".join(texts)))
        return next(each for each in tokens if word in fold_token(each.lower()))

    def find_hits(self, texts: Iterable[str]) -> frozenset[str]:
        """Return the words that any word of the texts finds."""
        return frozenset().union(*(self.find_words(word) for words in split_typed(texts) for word in words))

    def _find(self, word: str, *, named: bool) -> set[int]:
        postings = self.names if named else self.words
        units: set[Unit] = set().union(*(postings.find(each) or () for each in self.find_words(word)))
        return set().union(*(self._find_run(unit).ids for unit in units))

    def _find_run(self, unit: Unit) -> Run:
        return self._by_event[unit] if isinstance(unit, int) else self._by_place[unit]

    def _scan(self, part: str) -> Iterator[str]:
        """Yield the words that contain a part, which may begin with the end of the line before."""
        found = chain(_scan(self.lines, part), _scan(self._new_lines, part))
        return filter(self.words.__contains__, found)


def _has_same_texts(before: Event | Place | None, after: Event | Place | None) -> bool:
    return before is not None and after is not None and list_texts(before) == list_texts(after)


def _join(words: Iterable[str]) -> str:
    return "\n".join(("", *words, ""))


def _scan(text: str, part: str) -> Iterator[str]:
    """Yield the lines that contain a part."""
    end = 0
    while (at := text.find(part, end)) >= 0:
        begin = text.rfind("\n", 0, at + 1) + 1
        end = text.find("\n", begin)
        yield text[begin:end]
