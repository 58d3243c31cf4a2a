"""The metrics that processes count; docs/monitoring.md explains them.

Under `serve` they count in files of a folder, so that any of them can report for all. Counting in those of
prometheus-client would take eight times as long.
"""

import logging
import os
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate
from mmap import mmap
from operator import add
from pathlib import Path
from shutil import rmtree
from threading import Lock
from typing import Any

from prometheus_client import Histogram
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.utils import floatToGoString

logger = logging.getLogger(__name__)

# The variable with the path of the folder: workers of an earlier release count there with prometheus-client.
FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
# Not on a disk: when it is full, a process that writes to a mapped file is killed.
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108
REQUESTS, SECONDS = "festival_requests", "festival_request_seconds"
SIGN_INS, LOADS = "festival_sign_ins", "festival_programme_loads"
# The help and the labels of each.
COUNTERS: dict[str, tuple[str, tuple[str, ...]]] = {
    REQUESTS: (
        "Responses. format: the API's, or the first part of the path; source: django, or replay.",
        ("format", "status", "source"),
    ),
    SIGN_INS: ("Attempts to sign in: succeeded, failed or refused.", ("result",)),
    LOADS: ("How often processes have loaded the programme.", ()),
}
BUCKETS = Histogram.DEFAULT_BUCKETS
# Eight bytes for the sum of durations in seconds, and for the number in each bucket.
_SIZE = 8 * (1 + len(BUCKETS))
# The numbers of this process.
_counted: dict[str, Any] = {}


@cache
def counter(*labels: str) -> Callable[..., None]:
    """Return a function that counts by a name and labels, with a duration in seconds, in 0.3 µs."""
    name, lock = " ".join((*labels, str(os.getpid()))), Lock()
    memory: bytearray | mmap = bytearray(_SIZE)
    if folder := os.environ.get(FOLDER_VARIABLE):
        with Path(folder, name).open("a+b") as file:
            file.truncate(_SIZE)
            memory = mmap(file.fileno(), _SIZE)
    numbers = _counted[name] = memoryview(memory).cast("d")

    def count(seconds: float = 0.0) -> None:
        bucket = 1 + bisect_left(BUCKETS, seconds)
        with lock:
            numbers[0] += seconds
            numbers[bucket] += 1

    return count


def collect() -> Iterator[Metric]:
    """Yield what all processes have counted."""
    counted = _counted.copy()
    if folder := os.environ.get(FOLDER_VARIABLE):
        files = {each.name: each.read_bytes() for each in Path(folder).glob("festival_*")}
        counted = {name: memoryview(each.ljust(_SIZE, b"\0")).cast("d") for name, each in files.items()}
    nothing = [0.0] * (1 + len(BUCKETS))
    sums = defaultdict[tuple[str, ...], list[float]](lambda: nothing, {(LOADS,): nothing})
    for name, numbers in counted.items():
        labels = tuple(name.split()[:-1])
        for key in (labels, (SECONDS, labels[1])) if labels[0] == REQUESTS else (labels,):
            sums[key] = [*map(add, sums[key], numbers)]
    counters = {name: CounterMetricFamily(name, text, labels=own) for name, (text, own) in COUNTERS.items()}
    text = "Time to first byte in seconds, without the wait for a free thread."
    durations = HistogramMetricFamily(SECONDS, text, labels=("format",))
    for (name, *values), (total, *buckets) in sums.items():
        if name == SECONDS:
            limits = map(floatToGoString, BUCKETS)
            durations.add_metric(values, [*zip(limits, accumulate(buckets), strict=True)], total)
        else:
            counters[name].add_metric(values, sum(buckets))
    yield from (*counters.values(), durations)


def prepare_folder(port: int) -> dict[str, str]:
    """Empty the folder of a server's metrics; return the environment variable with its path."""
    folder = SHARED_MEMORY / f"festival-{os.getuid()}-{port}"
    try:
        if folder.exists():
            rmtree(folder)
        folder.mkdir(mode=0o700)
    except OSError as error:
        logger.warning("Each process answers for its own metrics only: %s", error)
        return {}
    return {FOLDER_VARIABLE: str(folder)}
