"""Search: the folded words of occasions, and which of them a typed word finds, in Swedish and English."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from sys import intern

from Stemmer import Stemmer

from feeds.grouping import Grouping
from feeds.memoization import memoize
from feeds.names import ACCENTS, LETTERS, normalize
from feeds.nearness import find_alike, find_slips
from feeds.vocabulary import Event, Occasion, Place, Text

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


def list_name_texts(event: Event, place: Place | None) -> list[str]:
    """Return an event's title and what has a name in it."""
    parts = (event.area, *filter(None, (event.sub_area,)))
    names = [event.title, *(each for part in parts for each in (part.name, part.full_name))]
    return [*names, event.organizer.name if event.organizer else "", place.full_name if place else ""]


@memoize
def list_names(event: Event, place: Place | None) -> tuple[str, ...]:
    return _list(list_name_texts(event, place))


@memoize
def list_words(event: Event, place: Place | None) -> tuple[str, ...]:
    """Return all words of an event that is held at a place, of which `list_names` has those of names."""
    return _list((*list_names(event, place), *_list_other_texts(event, place)))


def _list_other_texts(event: Event, place: Place | None) -> list[str]:
    texts = [event.intro, event.description, *(each.name for each in event.types)]
    texts += [event.language.name if event.language else Text()]
    return [place.location.address if place else "", *(one for each in texts for one in (each.sv, each.en))]


def _list(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(split_words("\n".join(texts)))


def find_names(occasion: Occasion) -> tuple[str, ...]:
    return list_names(occasion.event, occasion.place)


def find_words(occasion: Occasion) -> tuple[str, ...]:
    return list_words(occasion.event, occasion.place)


class Wanted:
    """A typed word, folded: it finds words that contain it, and its inflections in both languages."""

    def __init__(self, word: str) -> None:
        # Not shared: a stemmer is no thread's but its own.
        self._swedish, self._english = Stemmer("swedish").stemWord, Stemmer("english").stemWord
        self.word = word
        self.stem, self._english_stem = self._swedish(word), self._english(word)
        # What holds it holds the word, too.
        self.part = self.stem if len(self.stem) >= MIN_STEM and self.stem in word else word

    def finds(self, word: str) -> bool:
        if len(self.word) < MIN_PART:
            return word.startswith(self.word)
        return self.word in word or self.is_inflected(word)

    def is_inflected(self, word: str) -> bool:
        stem = self._swedish(word) if self.stem in word else ""
        # In Swedish the last part of a compound is inflected.
        if stem == self.stem or (self.part == self.stem and stem.endswith(self.stem)):
            return True
        return word.startswith(self.word[:MIN_PART]) and self._english(word) == self._english_stem


class Search:
    """The words of a programme, of which `names` are those of titles and names, with their occasions."""

    def __init__(self, words: Grouping[str], names: Grouping[str]) -> None:
        self._words = words
        self._names = names
        # One word a line.
        self._text = "\n".join(("", *words, ""))

    def find(self, texts: Iterable[str], *, named: bool = False) -> set[Occasion]:
        """Return what has all words of one of the texts; `named`: all of them in titles and names."""
        found = [[self._find(word, named=named) for word in words] for words in split_typed(texts)]
        return set().union(*(set.intersection(*each) for each in found if each))

    def build_test(self, texts: Iterable[str]) -> Callable[[Occasion], bool]:
        """Return whether an occasion would be found, be it in the programme or not."""
        wanted = [[*map(self._build_test, words)] for words in split_typed(texts)]
        return lambda occasion: any(tests and all(test(occasion) for test in tests) for tests in wanted)

    def find_words(self, word: str) -> set[str]:
        """Return the words of the programme that a folded word finds; if none, names spelled nearly so."""
        wanted, text = Wanted(word), self._text
        if len(word) < MIN_PART:
            return {*_scan(text, f"\n{word}")}
        holding = {*_scan(text, wanted.part)}
        found = {each for each in holding if word in each}
        found.update(filter(wanted.is_inflected, holding - found))
        found.update(filter(wanted.is_inflected, {*_scan(text, f"\n{word[:MIN_PART]}")} - holding))
        return found or (find_slips(word, self._names) if len(word) >= MIN_NEAR else set())

    def find_alike(self, word: str) -> list[str]:
        """Return the words that are nearest to a folded word, as they are spelled in the programme."""
        return [*map(self._spell, find_alike(word, self._words, MAX_ALIKE))]

    def _spell(self, word: str) -> str:
        event, place = (first := self._words[word][0]).event, first.place
        texts = "\n".join((*list_name_texts(event, place), *_list_other_texts(event, place)))
        tokens: list[str] = TOKEN.findall(normalize("NFC", texts))
        return next(each for each in tokens if word in fold_token(each.lower()))

    def find_hits(self, texts: Iterable[str]) -> frozenset[str]:
        """Return the words that any word of the texts finds."""
        return frozenset().union(*(self.find_words(word) for words in split_typed(texts) for word in words))

    def _find(self, word: str, *, named: bool) -> set[Occasion]:
        groups = self._names if named else self._words
        return set().union(*(groups[each] for each in self.find_words(word) if each in groups))

    def _build_test(self, word: str) -> Callable[[Occasion], bool]:
        wanted, found = Wanted(word), self.find_words(word)
        return lambda occasion: any(each in found or wanted.finds(each) for each in find_words(occasion))


def _scan(text: str, part: str) -> Iterator[str]:
    """Yield the lines that contain a part."""
    end = 0
    while (at := text.find(part, end)) >= 0:
        begin = text.rfind("\n", 0, at + 1) + 1
        end = text.find("\n", begin)
        yield text[begin:end]
