"""Occasions in display order, and groups of them, which an edit changes in part."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from operator import attrgetter
from typing import TypeVar

from feeds.vocabulary import Occasion

Key = TypeVar("Key", bound=Hashable)
Occasions = tuple[Occasion, ...]

by_order = attrgetter("order")
# Where more than one of so many occasions changes, to sort all is quicker than to find each one's place.
SPARSE = 8


def splice(ordered: Occasions, removed: Collection[Occasion], added: Collection[Occasion]) -> Occasions:
    """Return occasions in display order without some of them and with others."""
    if (len(removed) + len(added)) * SPARSE > len(ordered):
        dropped = {occasion.id for occasion in removed}
        kept = (occasion for occasion in ordered if occasion.id not in dropped)
        return tuple(sorted((*kept, *added), key=by_order))
    spliced = list(ordered)
    for occasion in removed:
        del spliced[bisect_left(spliced, occasion.order, key=by_order)]
    for occasion in added:
        insort(spliced, occasion, key=by_order)
    return tuple(spliced)


class Grouping(dict[Key, Occasions]):
    """Occasions in display order by each of the keys that they have; no group is empty."""

    keys_of: Callable[[Occasion], Iterable[Key]]

    @classmethod
    def build(cls, keys_of: Callable[[Occasion], Iterable[Key]], occasions: Occasions) -> "Grouping[Key]":
        """Group occasions that are in display order."""
        grouping = cls((key, tuple(group)) for key, group in _group(keys_of, occasions).items())
        grouping.keys_of = keys_of
        return grouping

    def replace(self, removed: Occasions, added: Occasions) -> "Grouping[Key]":
        replaced = Grouping(self)
        replaced.keys_of = self.keys_of
        leaving, coming = _group(self.keys_of, removed), _group(self.keys_of, added)
        for key in {*leaving, *coming}:
            group = splice(replaced.pop(key, ()), leaving.get(key, ()), coming.get(key, ()))
            if group:
                replaced[key] = group
        return replaced


def _group(
    keys_of: Callable[[Occasion], Iterable[Key]], occasions: Iterable[Occasion]
) -> dict[Key, list[Occasion]]:
    groups: defaultdict[Key, list[Occasion]] = defaultdict(list)
    for occasion in occasions:
        for key in keys_of(occasion):
            groups[key].append(occasion)
    return groups


def unite(runs: Iterable[Occasions]) -> Iterator[Occasion]:
    """Yield the occasions of several runs in display order, each once."""
    every = {occasion.id: occasion for run in runs for occasion in run}
    yield from sorted(every.values(), key=by_order)
