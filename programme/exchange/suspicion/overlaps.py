"""What is held at the same time in one place."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

# It has a start, an end, their `order`, and what it `takes`: no other may have that then; '' is nothing.
Held = TypeVar("Held", bound=Any)


def find_clashes(occasions: Iterable[Held]) -> Iterator[list[Held]]:
    """Yield groups of occasions in one place that are connected by overlaps, in their order.

    Intervals are half-open: 20:00-21:00 and 21:00-22:00 do not clash; 20:00-21:00 clashes with itself. What
    is cancelled or takes no time clashes with nothing, a draft does.
    """
    taken = defaultdict[int | str, list[Held]](list)
    for each in sorted(occasions, key=lambda each: each.order):
        if each.takes:
            taken[each.takes].append(each)
    for held in taken.values():
        runs, until = [held[:1]], held[0].end
        for each in held[1:]:
            if each.start >= until:
                runs.append([])
            runs[-1].append(each)
            until = max(until, each.end)
        yield from (run for run in runs if len(run) > 1)
