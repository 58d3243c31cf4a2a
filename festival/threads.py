"""Threads of the processes that serve."""

from collections.abc import Callable
from threading import Event, Thread


def start(name: str, run: Callable[[Event], None]) -> None:
    """Start a thread that runs as long as its process."""
    Thread(target=run, args=(Event(),), name=name, daemon=True).start()
