"""Memoization of what is written for one occasion, across snapshots and edits of other events."""

from collections.abc import Callable
from functools import lru_cache
from typing import Generic, ParamSpec, TypeVar, cast

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

# Two languages, and the labels of two days: what was "idag" is "igår" in the next snapshot.
VARIANTS = 4
MIN_SIZE = 1024


class MemoizedFunction(Generic[Arguments, Result]):
    """A pure function of values with an `lru_cache` that grows with the programme (`resize_caches`).

    A fixed bound would not do: a list written from end to end through a cache that is too small by one
    finds nothing of the last time. `cachetools.LRUCache` can grow in place, and takes 2.5 times as long.
    """

    all: list["MemoizedFunction[..., object]"] = []
    size = MIN_SIZE
    # How many occasions have had new values since the caches started.
    replaced = 0

    def __init__(self, function: Callable[Arguments, Result]) -> None:
        self.function = function
        self.clear()
        MemoizedFunction.all.append(cast("MemoizedFunction[..., object]", self))

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        return self._cached(*args, **kwargs)

    def clear(self) -> None:
        self._cached = cast("Callable[Arguments, Result]", lru_cache(maxsize=self.size)(self.function))


memoize = MemoizedFunction


def resize_caches(occasions: int) -> None:
    """Make room for a programme of so many occasions.

    Caches that are too small start again, with a power of two: not at each occasion that is added.
    """
    size = 1 << (VARIANTS * occasions - 1).bit_length()
    if size > MemoizedFunction.size:
        MemoizedFunction.size = size
        clear_caches()


def clear_caches() -> None:
    MemoizedFunction.replaced = 0
    for each in MemoizedFunction.all:
        each.clear()


def count_replaced(replaced: int, occasions: int) -> bool:
    """Start again once as many occasions as a programme has were replaced; return whether that was done.

    What was written of the former ones would stay until the caches are full, at three times the memory.
    """
    MemoizedFunction.replaced += replaced
    if MemoizedFunction.replaced < max(occasions, MIN_SIZE):
        return False
    clear_caches()
    return True
