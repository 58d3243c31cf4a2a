"""What this process counts: requests and their durations, and events by name. All counters only increase.

A repeated request takes 3 µs, so counting one must cost next to nothing: it appends its duration to a queue,
which is sorted into a histogram about once a second (`festival/monitoring/process_file.py`).
"""

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable
from itertools import accumulate
from threading import Lock

# Upper bounds in seconds; a last bucket has the rest.
BUCKETS = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

# Requests by format, status and source ("django", or "replay" for a repeat answered ahead of it).
REQUESTS = "requests"
# Time to first byte, by format and number of the bucket; its sum, by format.
DURATIONS, DURATION_SUM = "durations", "duration_sum"
SIGN_INS = "sign_ins"
BACK_OFFICE_BUSY = "back_office_busy"
IMPORTS, IMPORT_ROWS = "imports", "import_rows"

# A counter's name and the values of its labels.
Key = tuple[str, ...]
Record = Callable[[float], None]


class Counters:
    """The counters of one process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._values: Counter[Key] = Counter()
        self._pending: dict[tuple[str, str, str], deque[float]] = {}

    def add(self, *key: str, amount: float = 1) -> None:
        """Increase a counter."""
        with self._lock:
            self._values[key] += amount  # type: ignore[assignment]  # seconds are not whole

    def recorder(self, content: str, status: str, source: str) -> Record:
        """Return a function that counts a request and its duration in seconds."""
        return self._pending.setdefault((content, status, source), deque()).append

    def read(self) -> dict[Key, float]:
        """Return all counters, with the requests that were recorded until now."""
        with self._lock:
            for (content, status, source), pending in list(self._pending.items()):
                # Others append meanwhile, so it is not iterated over.
                durations = [pending.popleft() for _ in range(len(pending))]
                if durations:
                    self._values[REQUESTS, content, status, source] += len(durations)
                    self._add_durations(content, durations)
            return dict(self._values)

    def _add_durations(self, content: str, durations: list[float]) -> None:
        self._values[DURATION_SUM, content] += sum(durations)  # type: ignore[assignment]
        if max(durations) <= BUCKETS[0]:
            self._values[DURATIONS, content, "0"] += len(durations)
            return
        for bucket, number in Counter(bisect_left(BUCKETS, each) for each in durations).items():
            self._values[DURATIONS, content, str(bucket)] += number


def cumulate(by_bucket: dict[int, float]) -> list[tuple[str, float]]:
    """Return a histogram's buckets as Prometheus counts them: each with all that are below it."""
    bounds = [*map(str, BUCKETS), "+Inf"]
    return list(zip(bounds, accumulate(by_bucket.get(each, 0) for each in range(len(bounds))), strict=True))


counters = Counters()
