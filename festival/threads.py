"""Threads of the processes that serve, and locks by which one process of a machine does what all could."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from threading import Event, Thread


def start(name: str, run: Callable[[Event], None]) -> None:
    """Start a thread that runs as long as its process."""
    Thread(target=run, args=(Event(),), name=name, daemon=True).start()


@contextmanager
def try_lock(path: Path) -> Iterator[bool]:
    """Yield whether this process holds the lock that a file stands for, which ends with it at the latest."""
    with path.open("a") as lock:
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
