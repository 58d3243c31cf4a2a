"""What a selection demands of occasions, one thing at a time."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from feeds.grouping import Occasions
from feeds.vocabulary import Occasion


class Criterion(NamedTuple):
    """What a selection demands: the occasions that meet it, as runs in display order, and a test for it."""

    runs: Sequence[Occasions]
    matches: Callable[[Occasion], bool]

    @property
    def size(self) -> int:
        return sum(map(len, self.runs))


def any_of(criteria: list[Criterion]) -> Criterion:
    if len(criteria) == 1:
        return criteria[0]
    runs = [run for criterion in criteria for run in criterion.runs]
    return Criterion(runs, lambda occasion: any(criterion.matches(occasion) for criterion in criteria))


def keep(runs: Iterable[Occasions], matches: Callable[[Occasion], bool]) -> Criterion:
    """Return what demands a test, which no others meet than some of these runs."""
    return Criterion([tuple(filter(matches, run)) for run in runs], matches)
