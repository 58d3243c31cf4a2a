"""Memoization of what is written of an occasion, an event and so on, for as long as that is in memory."""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, TypeVar, TypeVarTuple

Holder = TypeVar("Holder")
Others = TypeVarTuple("Others")
Result = TypeVar("Result")

# The results that a value holds at most. In two languages, all formats and pages write about thirty.
MOST = 64


def memoize(function: Callable[[Holder, *Others], Result]) -> Callable[[Holder, *Others], Result]:
    """Memoize a pure function of a `TextHolder` and of others, whose result is not None.

    The value itself holds the results, so they need no bound that grows with the programme: they stay through
    snapshots and edits of other events, and an edit of this one drops them with the former value.
    """

    @wraps(function)
    def memoized(holder: Holder, *others: *Others) -> Result:
        texts: dict[Any, Result] = vars(holder)
        key = function, others
        if (known := texts.get(key)) is not None:
            return known
        result = function(holder, *others)
        if len(texts) >= MOST:
            texts.clear()
        texts[_share(key)] = result
        return result

    return memoized


@lru_cache(256)
def _share(key: Hashable) -> Hashable:
    """Return one object for equal keys: those of most values are equal."""
    return key
