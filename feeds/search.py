"""Full-text search in Swedish and English: an index of folded words, and the matching of typed words."""

import re
from array import array
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain

from Stemmer import Stemmer

from feeds.facts import list_names
from feeds.grouping import Grouping, Occasions, Replacement, Run, by_order
from feeds.names import ACCENTS, LETTERS, SIMPLE_CHARACTERS, normalize
from feeds.nearness import find_alike, find_slips
from feeds.postings import Postings
from feeds.vocabulary import Event, Place, Text

_FOLDED = re.compile(f"[{ACCENTS}'’{''.join(LETTERS)}]")
_WORD = re.compile(r"\w+")
_HYPHEN = re.compile("[-‐‑]")
_HYPHENATED = re.compile(rf"\w+(?:{_HYPHEN.pattern}\w+)*+")
_PART = rf"[\w{ACCENTS}'’]+"
# A word of a text that is not folded yet, with the words that hyphens join to it.
TOKEN = re.compile(f"{_PART}(?:{_HYPHEN.pattern}{_PART})*+")
# The shortest words that match inside others, that are corrected, and that match at the end of compounds.
MIN_PART, MIN_NEAR, MIN_STEM = 3, 5, 4
# A word of MIN_FAR letters may have FAR wrong ones if other words of the query are found.
MIN_FAR, FAR = 6, 2
MAX_ALIKE = 4
# The occasions by event, by place and by fact.
Groupings = tuple[Grouping[int], Grouping[int], Grouping[str]]
NO_RUN = Run((), {})
LARGEST_NUMBER = (1 << 62) - 1


def split_words(text: str) -> set[str]:
    """Return the words of a text, without case, accents, compatibility forms and apostrophes."""
    try:
        # Most texts have one byte for each letter, and are folded in a fortieth of the time.
        folded = text.lower().encode(SIMPLE_CHARACTERS).translate(*_simple_letters()).decode()
    except UnicodeError:
        folded = fold_letters(text)
    words = set(_HYPHENATED.findall(folded))
    hyphenated = {each for each in words if not each.isalnum()}
    parts = (_WORD.findall(f"{each} {_HYPHEN.sub('', each)}") for each in hyphenated)
    return (words - hyphenated).union(*parts)


def fold_letters(text: str) -> str:
    """Return a text in lower case without accents, compatibility forms and apostrophes."""
    decomposed = normalize("NFKD", normalize("NFKC", text).lower())
    return _FOLDED.sub(lambda found: LETTERS.get(found[0], ""), decomposed)


@cache
def _simple_letters() -> tuple[bytes, bytes]:
    """Return the table of folded bytes of simple characters, and the bytes to delete.

    A character that is folded to several letters gets 0xFF, which is invalid in UTF-8.
    """
    characters = [bytes([code]).decode(SIMPLE_CHARACTERS, "replace") for code in range(256)]
    folded = [
        each if _WORD.search(each) or not each or each == "-" else " "
        for each in map(fold_letters, characters)
    ]
    table = bytes(ord(each) if each.isascii() and len(each) == 1 else 0xFF for each in folded)
    return table, bytes(code for code, each in enumerate(folded) if not each)


@lru_cache(1 << 15)
def fold_token(token: str) -> frozenset[str]:
    """Return the folded words of a token: three of `hip-hop`, one of most others."""
    return frozenset(split_words(token))


def split_typed(texts: Iterable[str]) -> Iterator[set[str]]:
    """Yield the sets of words that must match together; a typed hyphen separates or joins words."""
    for text in texts:
        yield from map(split_words, dict.fromkeys(_HYPHEN.sub(other, text) for other in (" ", "")))


def list_texts(unit: Event | Place) -> tuple[list[str], list[str]]:
    """Return the names of an event and of the values it refers to, or of a place; and its other texts."""
    if isinstance(unit, Place):
        others = [each.other_names for each in (unit.location, unit.room) if each]
        return [unit.full_name, *others], [unit.location.address]
    parts = (unit.area, *filter(None, (unit.sub_area,)))
    names = [unit.title, *(each for part in parts for each in (part.name, part.full_name))]
    texts = [unit.intro, unit.description, *(each.name for each in unit.types)]
    texts += [unit.language.name if unit.language else Text()]
    names += [unit.organizer.name, unit.organizer.other_names] if unit.organizer else []
    stated = [one for each in texts for one in (each.sv, each.en)]
    return names, [*stated, *(each.other_names for each in unit.types)]


def split_texts(unit: Event | Place | None) -> tuple[set[str], set[str]]:
    """Return all words of an event or a place, and those of its names."""
    if unit is None:
        return set(), set()
    names, texts = map("\n".join, list_texts(unit))
    named = split_words(names)
    return named | split_words(texts), named


class TypedWord:
    """A typed word, folded: it finds words that contain it, and its inflections in both languages."""

    def __init__(self, word: str) -> None:
        # Not shared, because a stemmer is not thread-safe.
        self._swedish, self._english = Stemmer("swedish").stemWord, Stemmer("english").stemWord
        self.word = word
        self.stem, self._english_stem = self._swedish(word), self._english(word)
        # A part of each word that may match.
        self.part = self.stem if len(self.stem) >= MIN_STEM and self.stem in word else word

    def is_inflected(self, word: str) -> bool:
        stem = self._swedish(word) if self.stem in word else ""
        # In Swedish the last part of a compound is inflected.
        if stem == self.stem or (self.part == self.stem and stem.endswith(self.stem)):
            return True
        return word.startswith(self.word[:MIN_PART]) and self._english(word) == self._english_stem


@lru_cache(256)
def name_facts(words: frozenset[str]) -> dict[str, set[str]]:
    """Return the tokens of facts that folded words name together, each with its words."""
    stems = {word: _stem(word) for word in words}
    found: dict[str, set[str]] = {}
    for token, name in _list_stems():
        naming = [{word for word in stems if stems[word] & part} for part in name]
        if all(naming):
            found[token] = found.get(token, set()).union(*naming)
    # "Step-free" is not "free".
    return {token: own for token, own in found.items() if not any(own < other for other in found.values())}


def _stem(word: str) -> frozenset[str]:
    return frozenset((Stemmer("swedish").stemWord(word), Stemmer("english").stemWord(word)))


@cache
def _list_stems() -> list[tuple[str, list[frozenset[str]]]]:
    return [(token, [*map(_stem, words)]) for token, name in list_names() for words in split_typed([name])]


class Search:
    """An inverted index of the words of events and places, in any text and in names, and of facts."""

    def __init__(self, groupings: Groupings, words: Postings, names: Postings) -> None:
        self._by_event, self._by_place, self._by_fact = groupings
        self._words, self._names = words, names

    @classmethod
    def build(cls, groupings: Groupings) -> "Search":
        # Most words have one unit: a list for each would take more memory than everything else.
        found: tuple[dict[str, int | list[int]], ...] = {}, {}
        by_event, by_place, _by_fact = groupings
        events = ((key, run[0].event) for key, run in by_event.items())
        for unit, value in chain(events, ((key, run[0].place) for key, run in by_place.items())):
            for posted, words in zip(found, split_texts(value), strict=True):
                for word in words:
                    known = posted.setdefault(word, unit)
                    if isinstance(known, list):
                        known.append(unit)
                    elif known != unit:
                        posted[word] = [known, unit]
        return cls(groupings, *map(Postings.build, found))

    def replace(self, groupings: Groupings, replacement: Replacement) -> "Search":
        """Return the index of a programme that differs in some occasions."""
        index = Search(groupings, self._words, self._names)
        before, after = map(list_units, (replacement.removed, replacement.added))
        changed: tuple[dict[str, array[int]], ...] = {}, {}
        for unit in {*before, *after}:
            # The place may have further occasions.
            former = before.get(unit) or (after[unit] if self.find_run(unit) else None)
            latter = after.get(unit) or (before[unit] if index.find_run(unit) else None)
            if former and latter and list_texts(former) == list_texts(latter):
                continue
            every = zip((self._words, self._names), changed, *map(split_texts, (former, latter)), strict=True)
            for postings, posted, old, new in every:
                for word in old ^ new:
                    units = posted.setdefault(word, array("q", postings.find(word)))
                    (units.append if word in new else units.remove)(unit)
        postings = map(Postings.derive, (self._words, self._names), changed)
        return Search(groupings, *postings)

    def find(self, texts: Iterable[str], *, named: bool = False) -> set[int]:
        """Return the IDs of the occasions with all words of one of the texts; `named`: in names or facts."""
        return set().union(*(self._meet(self._read(each), named=named) for each in split_typed(texts)))

    def _read(self, typed: set[str]) -> dict[str, set[str]]:
        """Return the words of the programme and the tokens of facts that each typed word matches."""
        facts = name_facts(frozenset(typed))
        meant = {
            word: self.find_words(word) | {token for token, words in facts.items() if word in words}
            for word in sorted(typed)
        }
        for word in meant if len(meant) > 1 and not self._meet(meant) else ():
            near = find_slips(word, self._names.list_words(), FAR) if len(word) >= MIN_FAR else set()
            if self._meet(others := meant | {word: near}):
                return others
        return meant

    def _meet(self, meant: dict[str, set[str]], *, named: bool = False) -> set[int]:
        """Return the IDs of the occasions with a match for each typed word."""
        postings, found = self._names if named else self._words, []
        for each in meant.values():
            units = set(chain.from_iterable(map(postings.find, each)))
            runs = (*map(self.find_run, units), *(self._by_fact.get(token) or NO_RUN for token in each))
            found.append(set(chain.from_iterable(run.ids for run in runs)))
        return set.intersection(*found) if found else set()

    def find_words(self, word: str) -> set[str]:
        """Return the words of the programme that a folded word matches, else similar words of names."""
        scan = self._words.scan
        if len(word) < MIN_PART:
            return {*scan(f"\n{word}")}
        wanted = TypedWord(word)
        holding = {*scan(wanted.part)}
        found = {each for each in holding if word in each}
        found.update(filter(wanted.is_inflected, holding - found))
        found.update(filter(wanted.is_inflected, {*scan(f"\n{word[:MIN_PART]}")} - holding))
        return found or (find_slips(word, self._names.list_words()) if len(word) >= MIN_NEAR else set())

    def find_alike(self, word: str) -> list[str]:
        """Return the words most similar to a folded word, as the programme spells them."""
        return [*map(self._spell, find_alike(word, self._words.list_words(), MAX_ALIKE))]

    def _spell(self, word: str) -> str:
        """Return a word in the spelling of the first occasion that has it."""
        first = min((self.find_run(unit)[0] for unit in self._words.find(word)), key=by_order)
        texts = chain(*list_texts(first.event), *(list_texts(first.place) if first.place else ()))
        tokens: list[str] = TOKEN.findall(normalize("NFC", "\n".join(texts)))
        return next(each for each in tokens if word in fold_token(each.lower()))

    def find_hits(self, texts: Iterable[str]) -> frozenset[str]:
        """Return the words and the tokens that any word of the texts matches."""
        found = (self._read(each).values() for each in split_typed(texts))
        return frozenset(chain.from_iterable(chain.from_iterable(found)))

    def find_run(self, unit: int) -> Run:
        return (self._by_event if unit > 0 else self._by_place).get(unit) or NO_RUN


def number_place(place: Place) -> int:
    """Return the number of a place with its present name; it is negative, unlike those of events."""
    return ~(hash(place) & LARGEST_NUMBER)


def list_units(occasions: Occasions) -> dict[int, Event | Place]:
    """Return the events and places of occasions by their numbers."""
    units: dict[int, Event | Place] = {each.event.id: each.event for each in occasions}
    return units | {number_place(each.place): each.place for each in occasions if each.place}
