"""Memoization of the output for one occasion, across snapshots and edits of other events."""

from collections.abc import Callable
from functools import lru_cache
from typing import Generic, ParamSpec, TypeVar, cast

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

# Two languages, each with the labels of two days: "idag" becomes "igår" in the next snapshot.
VARIANTS = 4
MIN_SIZE = 1024


class MemoizedFunction(Generic[Arguments, Result]):
    """A pure function of values with an `lru_cache` that grows with the programme (`resize_caches`).

    With a fixed bound, a list one longer than the cache, written from end to end, would find no entry of the
    time before. `cachetools.LRUCache` can grow in place but takes 2.5 times as long.
    """

    all: list["MemoizedFunction[..., object]"] = []
    size = MIN_SIZE
    # The number of occasions that got new values since the caches were cleared.
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
    """Resize the caches for a number of occasions.

    Caches that are too small are cleared and get a power of two, so that few additions clear them.
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
    """Clear the caches once as many occasions were replaced as a programme has; return whether they were.

    The output for former occasions would stay until the caches are full, at three times the memory.
    """
    MemoizedFunction.replaced += replaced
    if MemoizedFunction.replaced < max(occasions, MIN_SIZE):
        return False
    clear_caches()
    return True
