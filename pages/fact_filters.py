"""Filters by facts and flags, each with the resulting number of occasions."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from msgspec.structs import replace

from feeds.fact import Fact, FactKind
from feeds.facts import FACTS, FREE, order_tokens, phrase_token, split_token
from feeds.search import name_facts, split_typed, split_words
from feeds.selection import PARAMETERS, Selection
from feeds.vocabulary import Occasion
from pages.choices import Toggle
from pages.query import ALL_DAYS

# The weights of values that are filters above a programme, and of other values.
FIRST, OTHERS = 2, 1


@dataclass(eq=False)
class FactFilters:
    """The filters by facts for a selection; `shown` is its part on the page, with the occasions `found`."""

    selection: Selection
    build_path: Callable[..., str]
    shown: Selection
    found: Sequence[Occasion]
    find: Callable[[Selection], Sequence[Occasion]]

    @property
    def first(self) -> list[Toggle]:
        return [*self._offer_highlights(), *chain.from_iterable(self._offer(each, FIRST) for each in FACTS)]

    @cached_property
    def groups(self) -> list[tuple[str, list[Toggle]]]:
        """All filters, in groups with their titles."""
        language, others = self.selection.language, [each for each in FACTS if each is not FREE]
        groups = [(_("Popular"), [*self._offer_highlights(), *self._offer(FREE)])]
        groups += [(each.title.within(language), [*self._offer(each)]) for each in others]
        return [each for each in groups if each[1]]

    @property
    def named(self) -> list[Toggle]:
        """The filters that words of the search name, as replacements of these words."""
        return [*chain.from_iterable(map(self._offer_named, split_typed(self.selection.words[:1])))]

    def _offer_named(self, typed: set[str]) -> Iterator[Toggle]:
        for token, words in name_facts(frozenset(typed)).items():
            left = [each for each in self.selection.words[0].split() if not split_words(each) <= words]
            around = replace(self.shown, words=(" ".join(left),) if left else ())
            size = len(self.find(replace(around, facts=order_tokens({*around.facts, token}))))
            if size and token not in around.facts:
                yield self._build(token, size, around, "" if around.during or around.days else ALL_DAYS)

    @cached_property
    def _sizes(self) -> Counter[str]:
        return _count_tokens(self.found)

    def _offer_highlights(self) -> Iterator[Toggle]:
        size, chosen = sum(each.event.highlighted for each in self.found), self.selection.highlighted
        if size or chosen:
            path = self.build_path(replace(self.selection, highlighted=not chosen))
            yield Toggle(PARAMETERS["highlighted"], "true", pgettext("page", "Highlight"), size, chosen, path)

    def _offer(self, fact: Fact, least: int = OTHERS) -> Iterator[Toggle]:
        chosen = {each for each in self.selection.facts if split_token(each)[0] == fact.name}
        tokens = [fact.token(code) for code, weight in fact.offered.items() if weight >= least]
        # Alternatives to chosen values find more occasions.
        if chosen and fact.kind is not FactKind.STATES:
            yield from self._offer_more(tokens, chosen)
            return
        for token in tokens:
            if self._sizes[token] or token in chosen:
                yield self._build(token, self._sizes[token], self.selection)

    def _offer_more(self, tokens: list[str], chosen: set[str]) -> Iterator[Toggle]:
        others = tuple(each for each in self.shown.facts if each not in chosen)
        every = self.find(replace(self.shown, facts=others)) if tokens else ()
        left = [each for each in every if chosen.isdisjoint(each.facts)]
        sizes, more = _count_tokens(every), _count_tokens(left)
        for token in tokens:
            if token in chosen:
                yield self._build(token, 0, self.selection)
            elif sizes[token]:
                # With the day, because a larger selection may begin on another one.
                yield self._build(token, len(every) - len(left) + more[token], self.shown)

    def _build(self, token: str, size: int, around: Selection, days: str = "") -> Toggle:
        name, code = split_token(token)
        path = self.build_path(replace(around, facts=order_tokens({*around.facts} ^ {token})), days=days)
        label = capfirst(phrase_token(token).within(around.language))
        return Toggle(name, code, label, size, token in self.selection.facts, path)


def _count_tokens(occasions: Iterable[Occasion]) -> Counter[str]:
    return Counter(chain.from_iterable(each.facts for each in occasions))
