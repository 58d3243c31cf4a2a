"""Wait for a condition."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

# Far longer than anything here takes.
DEADLINE = 60.0
PAUSE = 0.005


def wait_until(what: str, condition: Callable[[], Found], seconds: float = DEADLINE) -> Found:
    """Return the first true result of the condition; raise `AssertionError` after the deadline."""
    ends = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < ends, f"not true after {seconds:g} seconds: {what}"
        time.sleep(PAUSE)
    return found
