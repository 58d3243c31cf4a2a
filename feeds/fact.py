"""The declaration of a fact by which visitors choose: its words, its values and the rows that state it."""

import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import cache
from typing import NamedTuple

from feeds.names import fold
from feeds.vocabulary import Text

# Before the code of a value that is stated to be absent.
NO = "no-"
WITHOUT, LACKING = Text("utan {}", "without {}"), Text("{}: nej", "{}: no")
NOT = ("ej", "inte", "not", "no")
# The code of a range: `6-12`, `18-`, `-5`; both ends are included.
_RANGE = re.compile(r"(\d{0,3})-(\d{0,3})")
_FROM_TO = Text("{}–{} år", "ages {}–{}")
_FROM, _TO = Text("från {} år", "from age {}"), Text("till {} år", "up to age {}")
_OF = Text("{} år", "age {}")
# "For everybody" is a statement, too: without a statement the ages are unknown.
_EVERY = "0-"
_ALL_AGES = Text("alla åldrar", "all ages")
_EVERYBODY = {_ALL_AGES.sv, _ALL_AGES.en, "alla", "all", "everyone"}
LARGEST = 120
# How sheets write ages: `6–12 år`, `från 7 år`, `18+`. A number alone may be a limit or an age.
_WRITTEN = re.compile(
    r"(?:(?P<after>från|from|fr\.?o\.?m\.?)|(?P<until>till|t\.?o\.?m\.?|upp till|up to|-))?\s*(?:ages?)?\s*"
    r"(?P<first>\d{1,3})(?:\s*(?:-|–|till|to)\s*(?P<last>\d{1,3}))?\s*(?:år|years?(?: old)?)?"
    r"(?P<more>\s*(?:\+|-|–|och uppåt|och äldre|and up|and older)(?: år)?)?"
)


class FactKind(Enum):
    """How a fact is stated: one value, several, yes or no of each value, or a range of numbers."""

    ONE = "one"
    SEVERAL = "several"
    STATES = "states"
    RANGE = "range"


class FactValue(NamedTuple):
    """A value: its code, its words, further spellings in sheets and parameters, and its mark in lists.

    `warning`: visitors look for its absence. `stated_of`: the kind of rows that state it, if not its fact's.
    `urgent`: its mark stands in calendars and in the content of feeds, too. `lifted`: the label of the button
    that removes it; the mark is the label of the button that sets it. `linked`: it may have a link. `ages`:
    the range that its word implies. `weight`: as a filter, 2 stands before the others and 0 is not offered.
    """

    code: str
    label: Text
    spellings: tuple[str, ...] = ()
    mark: Text = Text()
    warning: bool = False
    stated_of: str = ""
    urgent: bool = False
    weight: int = 1
    lifted: Text = Text()
    linked: bool = False
    ages: str = ""


class Fact(NamedTuple):
    """A fact: the name of its columns, parameter and JSON key, its words, and the rows that state it.

    `stated_of` is `event`, `occasion`, or `place` (a location or a room). `headings` are further headings of
    its column in sheets; `alone` is the pattern of a value's words outside a sentence.
    """

    name: str
    title: Text
    kind: FactKind
    stated_of: str
    values: tuple[FactValue, ...]
    help: Text
    headings: tuple[str, ...] = ()
    alone: Text = Text("{}", "{}")

    def stated_by(self, kind: str) -> "Fact":
        """Return the fact with only the values that rows of a kind state."""
        stated = (each for each in self.values if (each.stated_of or self.stated_of) == kind)
        return self._replace(values=tuple(stated))

    @property
    def linked(self) -> str:
        """The code that a link in the fact's column of a sheet means, or ''; the link is stored as `_url`."""
        return next((each.code for each in self.values if each.linked), "")

    def token(self, code: str) -> str:
        return f"{self.name}:{code}"

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that readers may ask for; empty for a range, where any number is valid."""
        return tuple(code for code, _label, _spellings in list_known(self, warnings_alone=True))

    @property
    def offered(self) -> dict[str, int]:
        """The codes that visitors choose by, with their weights; a warning is offered as its absence."""
        return {f"{NO * each.warning}{each.code}": each.weight for each in self.values if each.weight}

    def parse(self, text: str) -> str | None:
        """Return the code of a value by its code, its words in either language or another spelling."""
        if self.kind is FactKind.RANGE:
            return _parse_range(fold(text))
        return _index_spellings(self).get(fold(text))

    def parse_wanted(self, text: str) -> str | None:
        """Return the code that a reader asks for; for a range, a number."""
        if self.kind is FactKind.RANGE:
            is_number = text.isascii() and text.isdigit() and len(text) <= len(str(LARGEST))
            return str(int(text)) if is_number and int(text) <= LARGEST else None
        code = self.parse(text)
        return code if code in self.codes else None

    def split(self, stated: str) -> list[str]:
        """Return the codes of a stored text, in the order of the declaration."""
        if self.kind is FactKind.RANGE:
            return [stated] if _RANGE.fullmatch(stated) else []
        codes = set(stated.split())
        return [each for each in _index_labels(self) if each in codes]

    def rank(self, code: str) -> int:
        return _read_range(code)[0] if self.kind is FactKind.RANGE else [*_index_labels(self)].index(code)

    def label(self, code: str) -> Text:
        """Return the words of a value: `barn`, `utan stroboskop`, `6–12 år`."""
        return _label_range(code) if self.kind is FactKind.RANGE else _index_labels(self)[code]

    def phrase(self, code: str) -> Text:
        """Return a value's words outside a sentence: `för barn`, `bokning behövs`, `6–12 år`."""
        label, mark = self.label(code), _index_marks(self).get(code)
        return mark or _format(self.alone, label.sv, label.en)

    def build_tests(self, wanted: Iterable[str]) -> Iterator[Callable[[str], bool]]:
        """Yield tests of tokens; an occasion matches if each test is true for one of its tokens."""
        if self.kind is FactKind.RANGE:
            yield _build_range_test(self.token(""), {*map(int, wanted)})
        elif self.kind is FactKind.STATES:
            yield from (frozenset({self.token(code)}).__contains__ for code in wanted)
        else:
            yield frozenset(map(self.token, wanted)).__contains__


def list_known(fact: Fact, *, warnings_alone: bool = False) -> Iterator[tuple[str, Text, tuple[str, ...]]]:
    """Yield the code, the words and the further spellings of each possible statement of a fact."""
    for value in fact.values:
        label = value.label
        yield value.code, label, value.spellings
        if fact.kind is FactKind.STATES and (value.warning or not warnings_alone):
            spellings = (f"{word} {each}" for word in NOT for each in (label.sv, label.en))
            pattern = WITHOUT if value.warning else LACKING
            yield f"{NO}{value.code}", _format(pattern, label.sv, label.en), tuple(spellings)


@cache
def _index_labels(fact: Fact) -> dict[str, Text]:
    return {code: label for code, label, _spellings in list_known(fact)}


@cache
def _index_spellings(fact: Fact) -> dict[str, str]:
    found: dict[str, str] = {}
    for code, label, others in list_known(fact):
        for text in (code, label.sv, label.en, *others):
            found.setdefault(fold(text), code)
    return found


@cache
def _index_marks(fact: Fact) -> dict[str, Text]:
    """Return the marks of lists as they stand inside a sentence."""
    return {each.code: Text(each.mark.sv.lower(), each.mark.en.lower()) for each in fact.values if each.mark}


def _format(pattern: Text, sv: str, en: str) -> Text:
    return Text(pattern.sv.format(sv), pattern.en.format(en))


# --- Ranges


def _read_range(code: str) -> tuple[int, int]:
    first, dash, last = code.partition("-")
    return int(first or 0), int(last) if last else LARGEST if dash else int(first)


def _build_range_test(prefix: str, wanted: set[int]) -> Callable[[str], bool]:
    def has_any(token: str) -> bool:
        if not token.startswith(prefix):
            return False
        first, last = _read_range(token.removeprefix(prefix))
        return any(first <= each <= last for each in wanted)

    return has_any


def _label_range(code: str) -> Text:
    first, dash, last = code.partition("-")
    if code == _EVERY:
        return _ALL_AGES
    if first and last and first != last:
        return Text(_FROM_TO.sv.format(first, last), _FROM_TO.en.format(first, last))
    pattern = _OF if not dash or first == last else _FROM if first else _TO
    return _format(pattern, first or last, first or last)


def build_range(first: int | None, last: int | None) -> str:
    """Return the code of a range, '' without ends. Raise ValueError if it ends before it begins."""
    if first is not None and last is not None and last < first:
        raise ValueError((first, last))
    ends = ("" if end is None else str(end) for end in (first, last))
    return "" if first is last is None else "-".join(ends)


def _parse_range(text: str) -> str | None:
    text = " ".join(text.split())
    found = _WRITTEN.fullmatch(text)
    if not found:
        return _EVERY if text in _EVERYBODY else None
    first, last = int(found["first"]), int(found["last"]) if found["last"] else None
    if max(first, last or 0) > LARGEST:
        return None
    if found["until"] and last is None:
        return build_range(None, first)
    is_open = bool(found["after"] or found["more"])
    return None if is_open != (last is None) or (last or LARGEST) < first else build_range(first, last)
