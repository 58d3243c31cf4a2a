"""Remembers what was written for one occasion, across snapshots and edits of other events."""

from collections import OrderedDict
from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, ParamSpec, TypeVar, cast

Arguments = ParamSpec("Arguments")
Written = TypeVar("Written")

# Two languages, and the labels of two days: what was "idag" is "igår" in the next snapshot.
VARIANTS = 4


class Remembered(Generic[Arguments, Written]):
    """A pure function of values whose latest results are kept: an `lru_cache` that can grow.

    Its bound follows the programme (`make_room`), because a list written from end to end through a
    bound that is too small by one finds nothing of what it wrote the time before.
    """

    all: list["Remembered[..., object]"] = []
    occasions = 1000

    def __init__(self, function: Callable[Arguments, Written]) -> None:
        self.function = function
        self.kept: OrderedDict[tuple[object, ...], Written] = OrderedDict()
        update_wrapper(cast("Callable[Arguments, Written]", self), function)
        Remembered.all.append(cast("Remembered[..., object]", self))

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Written:
        kept = self.kept
        try:
            written = kept[args]
            kept.move_to_end(args)
        except KeyError:
            written = kept[args] = self.function(*args, **kwargs)
            while len(kept) > VARIANTS * self.occasions:
                _drop_oldest(kept)
        return written


def _drop_oldest(kept: OrderedDict[tuple[object, ...], Written]) -> None:
    try:
        kept.popitem(last=False)
    except KeyError:  # another thread was first
        return


def resize_caches(occasions: int) -> None:
    """Let every remembered function keep the writings of a programme of so many occasions."""
    Remembered.occasions = max(occasions, 250)
