"""Locks between the processes of one machine, which end with the process that holds them at the latest."""

from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path


@contextmanager
def try_lock(path: Path) -> Iterator[bool]:
    """Yield whether this process holds the lock that a file stands for."""
    with path.open("w") as lock:
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
