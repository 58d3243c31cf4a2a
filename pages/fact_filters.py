"""The facts and flags by which visitors choose, as filters with how many occasions each would leave."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from django.utils.text import capfirst
from django.utils.translation import pgettext
from msgspec.structs import replace

from feeds.fact import Kind
from feeds.facts import FACTS, order_tokens, phrase_token, split_token
from feeds.selection import PARAMETERS, Selection
from feeds.vocabulary import Occasion

# Of values: those that stand before all others, and those behind the fold.
FIRST, OTHERS = 2, 1


class FactChip(NamedTuple):
    """A filter by one value: its parameter, and the address that adds it, or takes it off if it is chosen."""

    parameter: str
    value: str
    label: str
    size: int
    chosen: bool
    path: str


@dataclass(eq=False)
class FactFilters:
    """The filters by facts around a selection, of which those `found` are shown: of a day, perhaps."""

    selection: Selection
    build_path: Callable[[Selection], str]
    shown: Selection
    found: Sequence[Occasion]
    find: Callable[[Selection], Sequence[Occasion]]

    @property
    def first(self) -> list[FactChip]:
        return [*self._offer_highlights(), *self._offer(FIRST)]

    @property
    def others(self) -> list[FactChip]:
        return [*self._offer(OTHERS)]

    @cached_property
    def _sizes(self) -> Counter[str]:
        return _count_tokens(self.found)

    def _offer_highlights(self) -> Iterator[FactChip]:
        size, chosen = sum(each.event.highlighted for each in self.found), self.selection.highlighted
        if size or chosen:
            path = self.build_path(replace(self.selection, highlighted=not chosen))
            yield FactChip(
                PARAMETERS["highlighted"], "true", pgettext("page", "Highlight"), size, chosen, path
            )

    def _offer(self, weight: int) -> Iterator[FactChip]:
        for fact in FACTS:
            chosen = {each for each in self.selection.facts if split_token(each)[0] == fact.name}
            tokens = [fact.token(code) for code, each in fact.offered.items() if each == weight]
            # Only what is an alternative to what is chosen finds more than is found.
            if chosen and fact.kind is not Kind.STATES:
                yield from self._offer_more(tokens, chosen)
                continue
            for token in tokens:
                if self._sizes[token] or token in chosen:
                    yield self._build(token, self._sizes[token], self.selection)

    def _offer_more(self, tokens: list[str], chosen: set[str]) -> Iterator[FactChip]:
        others = tuple(each for each in self.shown.facts if each not in chosen)
        every = self.find(replace(self.shown, facts=others)) if tokens else ()
        left = [each for each in every if chosen.isdisjoint(each.facts)]
        sizes, more = _count_tokens(every), _count_tokens(left)
        for token in tokens:
            if token in chosen:
                yield self._build(token, 0, self.selection)
            elif sizes[token]:
                # The day is named, as a larger selection may begin on another one.
                yield self._build(token, len(every) - len(left) + more[token], self.shown)

    def _build(self, token: str, size: int, around: Selection) -> FactChip:
        name, code = split_token(token)
        path = self.build_path(replace(around, facts=order_tokens({*around.facts} ^ {token})))
        label = capfirst(phrase_token(token).within(around.language))
        return FactChip(name, code, label, size, token in self.selection.facts, path)


def _count_tokens(occasions: Iterable[Occasion]) -> Counter[str]:
    return Counter(chain.from_iterable(each.facts for each in occasions))
