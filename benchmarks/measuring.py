"""How things are timed and weighed."""

import gc
import re
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROUNDS = 7

# Prepares what is not to be timed, and returns what is.
Task = Callable[[], Callable[[], object]]


def alternate(tasks: dict[str, Task], rounds: int = ROUNDS) -> dict[str, float]:
    """Return each task's median in milliseconds, all of them run in turn so many times.

    One unmeasured round goes ahead; each round begins with another task.
    """
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    names = list(tasks)
    for turn in range(rounds + 1):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            taken[name].append(_time(tasks[name]))
    return {name: median(times[1:]) for name, times in taken.items()}


def _time(task: Task) -> float:
    gc.collect()
    run = task()
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
