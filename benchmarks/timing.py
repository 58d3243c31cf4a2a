"""How things are timed and weighed."""

import gc
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeVar

ROUNDS = 7

Name = TypeVar("Name")

# Prepares what is not to be timed, and returns what is.
Task = Callable[[], Callable[[], object]]


def interleave(tasks: dict[str, Task], rounds: int = ROUNDS) -> dict[str, float]:
    """Return each task's median in milliseconds, all of them run in turn so many times."""

    def timed(task: Task) -> float:
        gc.collect()
        return milliseconds(task())

    return medians({name: partial(timed, task) for name, task in tasks.items()}, rounds)


def medians(measures: dict[Name, Callable[[], float]], rounds: int = ROUNDS) -> dict[Name, float]:
    """Return the median of what each measure gives, all of them taken in turn so many times.

    One round that does not count goes ahead; each round begins with another measure.
    """
    given: dict[Name, list[float]] = {name: [] for name in measures}
    names = list(measures)
    for turn in range(rounds + 1):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            given[name].append(measures[name]())
    return {name: median(values[1:]) for name, values in given.items()}


def milliseconds(run: Callable[[], object]) -> float:
    begun = time.perf_counter()
    made = run()
    taken = time.perf_counter() - begun
    del made
    return taken * 1000


def private_kilobytes() -> int:
    """Return the memory that this process shares with no other (Linux: USS)."""
    gc.collect()
    rollup = Path("/proc/self/smaps_rollup").read_text()
    return sum(int(size) for size in re.findall(r"^Private_\w+: +(\d+) kB", rollup, re.MULTILINE))
