"""Measure time and memory."""

import gc
import os
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeVar

# The environment variable with the number of rounds of each measurement.
ROUNDS = "BENCH_ROUNDS"

Name = TypeVar("Name")

# Prepares a measurement, and returns the function to be timed.
Task = Callable[[], Callable[[], object]]


def interleave(tasks: dict[str, Task]) -> dict[str, float]:
    """Return the median of each task in milliseconds; the tasks run in turn."""

    def timed(task: Task) -> float:
        gc.collect()
        return milliseconds(task())

    return medians({name: partial(timed, task) for name, task in tasks.items()})


def medians(measures: dict[Name, Callable[[], float]], rounds: int = 7) -> dict[Name, float]:
    """Return the median of each measure; the measures are taken in turn.

    A warm-up round comes first, unless there is one round only. Each round begins with another measure.
    """
    rounds = int(os.environ.get(ROUNDS, rounds))
    warm_up = int(rounds > 1)
    results: dict[Name, list[float]] = {name: [] for name in measures}
    names = list(measures)
    for number in range(warm_up + rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            results[name].append(measures[name]())
    return {name: median(values[warm_up:]) for name, values in results.items()}


def milliseconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    result = run()
    duration = time.perf_counter() - begin
    # Freed after the measurement.
    del result
    return duration * 1000


def private_kilobytes(process: int | str = "self") -> int:
    """Return the private memory of a process (Linux: USS)."""
    gc.collect()
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    return sum(int(size) for size in re.findall(r"^Private_\w+: +(\d+) kB", rollup, re.MULTILINE))
