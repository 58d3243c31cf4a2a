"""Occasions in display order, and groups of occasions, of which an edit rebuilds only the affected ones."""

from array import array
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

from feeds.layered import Layered
from feeds.vocabulary import Occasion

Key = TypeVar("Key", bound=Hashable)
Occasions = Sequence[Occasion]
ById = Mapping[int, Occasion]

by_order = attrgetter("order")
# If more than one of this many occasions changes, sorting all is faster than finding each place.
SPARSE = 8
# If more than one of this many occasions matches, testing all in order is faster than sorting the matches.
DENSE = 32


def splice(ordered: tuple[Any, ...], removed: Collection[Any], added: Collection[Any]) -> tuple[Any, ...]:
    """Return values, sorted by `order`, without the removed and with the added ones."""
    if (len(removed) + len(added)) * SPARSE > len(ordered):
        dropped = set(map(by_order, removed))
        return tuple(sorted((*(each for each in ordered if each.order not in dropped), *added), key=by_order))
    spliced = list(ordered)
    for each in removed:
        del spliced[bisect_left(spliced, each.order, key=by_order)]
    for each in added:
        insort(spliced, each, key=by_order)
    return tuple(spliced)


class Run(Sequence[Occasion]):
    """A sequence of occasions, stored as their IDs."""

    __slots__ = ("_by_id", "ids")

    def __init__(self, ids: Sequence[int], by_id: ById) -> None:
        self.ids = ids
        self._by_id = by_id

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Occasion]:
        return map(self._by_id.__getitem__, self.ids)

    def __getitem__(self, place: Any) -> Any:
        return self._by_id[self.ids[place]]


@dataclass(frozen=True, eq=False)
class Replacement:
    """Removed and added occasions, and all occasions by ID before and after."""

    removed: Occasions
    added: Occasions
    before: ById
    after: ById

    @cached_property
    def placed(self) -> set[int]:
        """The IDs of the changed occasions whose place in display order is the same."""
        former = ((self.before.get(each.id), each) for each in self.added)
        return {each.id for known, each in former if known and known.order == each.order}


class Grouping(Mapping[Key, Run]):
    """Occasions in display order by each of their keys; no group is empty.

    A group stores IDs, so an edit that changes no key and no order does not change the group.
    """

    def __init__(
        self, keys_of: Callable[[Occasion], Iterable[Key]], ids: Layered[Key, "array[int]"], by_id: ById
    ) -> None:
        self.keys_of = keys_of
        self.ids = ids
        self._by_id = by_id

    @classmethod
    def build(
        cls, keys_of: Callable[[Occasion], Iterable[Key]], occasions: Occasions, by_id: ById
    ) -> "Grouping[Key]":
        """Group occasions that are in display order."""
        groups: defaultdict[Key, array[int]] = defaultdict(lambda: array("q"))
        for occasion in occasions:
            for key in keys_of(occasion):
                groups[key].append(occasion.id)
        return cls(keys_of, Layered(dict(groups)), by_id)

    def replace(self, replacement: Replacement) -> "Grouping[Key]":
        leaving, coming = self._pair(replacement.removed), self._pair(replacement.added)
        stays = {pair for pair in leaving.keys() & coming.keys() if pair[1] in replacement.placed}
        changed: defaultdict[Key, tuple[list[Occasion], list[Occasion]]] = defaultdict(lambda: ([], []))
        for side, pairs in enumerate((leaving, coming)):
            for pair in pairs.keys() - stays:
                changed[pair[0]][side].append(pairs[pair])
        spliced = {key: self._splice(key, *sides, replacement) for key, sides in changed.items()}
        return Grouping(self.keys_of, self.ids.derive(spliced), replacement.after)

    def _pair(self, occasions: Occasions) -> dict[tuple[Key, int], Occasion]:
        return {(key, each.id): each for each in occasions for key in self.keys_of(each)}

    def _splice(
        self, key: Key, leaving: list[Occasion], coming: list[Occasion], replacement: Replacement
    ) -> "array[int]":
        ids = self.ids.find(key) or array("q")
        if (len(leaving) + len(coming)) * SPARSE > len(ids):
            left = {each.id for each in leaving}
            every = (*(each for each in ids if each not in left), *(each.id for each in coming))
            return array("q", sorted(every, key=lambda each: replacement.after[each].order))
        spliced = ids[:]
        for each in leaving:
            del spliced[_find_place(spliced, each, replacement.before)]
        for each in coming:
            spliced.insert(_find_place(spliced, each, replacement.after), each.id)
        return spliced

    def __getitem__(self, key: Key) -> Run:
        return Run(self.ids[key], self._by_id)

    def __contains__(self, key: object) -> bool:
        return key in self.ids

    def __iter__(self) -> Iterator[Key]:
        return iter(self.ids)

    def __len__(self) -> int:
        return len(self.ids)


def _find_place(ids: Sequence[int], occasion: Occasion, by_id: ById) -> int:
    """Return the place of an occasion among others in display order."""
    # Building sort keys is slow, so they are compared only among occasions with the same start.
    low = bisect_left(ids, occasion.start, key=lambda each: by_id[each].start)
    high = bisect_right(ids, occasion.start, lo=low, key=lambda each: by_id[each].start)
    return bisect_left(ids, occasion.order, low, high, key=lambda each: by_id[each].order)


def unite(runs: Iterable[Occasions]) -> Iterator[Occasion]:
    """Yield the occasions of several runs in display order, each once."""
    every = {occasion.id: occasion for run in runs for occasion in run}
    yield from sorted(every.values(), key=by_order)
