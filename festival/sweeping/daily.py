"""Sweeps once a day, from one process of a machine at a time."""

import logging
import os
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event, Thread

from django.conf import settings
from django.db import Error, connection

from festival import clock
from festival.file_lock import try_lock
from festival.sweeping.tasks import sweep

logger = logging.getLogger(__name__)

INTERVAL = timedelta(days=1)
# Seconds from the start of a process to its first look, and between looks.
FIRST_LOOK, NEXT_LOOK = 60.0, 600.0


def start() -> None:
    """Start a thread that sweeps whenever a day has passed since anybody has."""
    Thread(target=watch, args=(Event(),), name="sweeping", daemon=True).start()


def watch(stop: Event) -> None:
    """Sweep once a day until `stop` is set."""
    pause = FIRST_LOOK
    while not stop.wait(pause):
        pause = NEXT_LOOK
        try:
            sweep_if_due(clock.now())
        except (Error, OSError) as error:
            logger.warning("Nothing was swept (%s); it is tried again", str(error).partition("\n")[0])
        finally:
            connection.close()


def sweep_if_due(instant: datetime) -> dict[str, int] | None:
    """Sweep if the last time was a day ago; return what was deleted, or None."""
    with try_lock(settings.DATA_DIR / "swept.lock") as is_locked:
        if not is_locked or not _is_due(instant):
            return None
        deleted = sweep(instant)
        record(instant)
        return deleted


def record(instant: datetime) -> None:
    """Keep when it was swept: the next time is a day later."""
    path = _path()
    path.touch()
    os.utime(path, times=(instant.timestamp(), instant.timestamp()))


def _is_due(instant: datetime) -> bool:
    try:
        swept = _path().stat().st_mtime
    except FileNotFoundError:
        return True
    return instant.timestamp() - swept >= INTERVAL.total_seconds()


def _path() -> Path:
    return Path(settings.DATA_DIR) / "swept"
