"""Watches the programme for edits and tells the hub: one watcher of a machine, whoever begins."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from threading import Event, Thread

from django.conf import settings

from festival import clock
from programme.publishing.current import DatabaseUnavailable, current
from programme.publishing.websub import Announcer, Hub

logger = logging.getLogger(__name__)

# Seconds between looks at the revision, and between looks whether another process watches still.
LOOKS, TURNS = 1.0, 5.0


def start() -> None:
    """Watch in a thread of this process, if there is a hub and `serve` is to tell it.

    Every worker does; one has the turn, and if it ends another takes over.
    """
    if settings.WEBSUB_HUB and settings.WEBSUB_ANNOUNCE:
        Thread(target=watch, args=(Event(),), name="websub", daemon=True).start()


def watch(ended: Event) -> None:
    """Tell the hub of edits until told to end."""
    while not ended.is_set():
        with _turn(settings.DATA_DIR / "websub.lock") as is_ours:
            if is_ours:
                _watch(ended)
        ended.wait(TURNS)


def _watch(ended: Event) -> None:
    announcer = Announcer(Hub(settings.WEBSUB_HUB), settings.DATA_DIR / "websub.kept")
    while not ended.is_set():
        try:
            announcer.look(current.at(clock.now()).programme)
        except DatabaseUnavailable:
            pass  # said already, by whoever asked
        except Exception:
            logger.exception("The hub could not be told of an edit")
            return
        ended.wait(LOOKS)


@contextmanager
def _turn(path: Path) -> Iterator[bool]:
    """Say whether this process has the turn; the system ends it with the process."""
    with path.open("w") as lock:
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
