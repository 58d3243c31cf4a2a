"""Waiting for a condition instead of for a time."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

# Far beyond what anything here takes: only what never happens waits so long.
DEADLINE = 60.0
PAUSE = 0.005


def until(what: str, condition: Callable[[], Found], seconds: float = DEADLINE) -> Found:
    """Return what the condition returns once that is true of itself; `AssertionError` after the deadline."""
    ends = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < ends, f"still not so after {seconds:g} seconds: {what}"
        time.sleep(PAUSE)
    return found
