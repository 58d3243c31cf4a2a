"""Waits until an edit may have been made: PostgreSQL tells, and SQLite's file is looked at."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Protocol

from django.conf import settings
from django.db import InternalError, connection

from programme.triggers.revision import CHANNEL

logger = logging.getLogger(__name__)

# Seconds between two looks at SQLite's file; one takes 10 µs.
LOOK_INTERVAL = 0.01


class Watcher(Protocol):
    def wait(self, seconds: float) -> bool:
        """Wait for an edit, at most so long; return whether there may be one. Raises django.db.Error."""


@contextmanager
def open_watcher() -> Iterator[Watcher]:
    """Yield what waits for edits from now on, with a connection of its own. Raises django.db.Error."""
    database = connection.copy()
    try:
        database.ensure_connection()
        if database.vendor == "sqlite":
            yield FileWatcher(database)
        elif reason := _listen(database):
            _report(reason)
            yield Poller()
        else:
            yield Listener(database)
    finally:
        database.close()


def _listen(database: Any) -> str:
    """Listen for PostgreSQL's notifications; return why that is not possible, if so."""
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (server_process,) = cursor.fetchone()
        if server_process != database.connection.info.backend_pid:
            # What listens is a connection to the server, and each transaction may have another one.
            return "there is a pooler in between"
        try:
            cursor.execute(f"LISTEN {CHANNEL}")
        except InternalError as error:
            return str(error).strip()
    return ""


@cache
def _report(reason: str) -> None:
    logger.warning(
        "PostgreSQL cannot tell this process of edits (%s): it asks every %s ms instead.",
        *(reason, settings.REVISION_TRUST_MS),
    )


class Listener:
    """PostgreSQL tells of each transaction that has moved the revision, once it is committed."""

    def __init__(self, database: Any) -> None:
        self._database = database

    def wait(self, seconds: float) -> bool:
        with self._database.wrap_database_errors:
            return any(True for _ in self._database.connection.notifies(timeout=seconds, stop_after=1))


class FileWatcher:
    """SQLite counts the transactions that others have committed. Sessions are in the same file."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self._version = self._read_version()

    def wait(self, seconds: float) -> bool:
        ends = time.monotonic() + seconds
        while (version := self._read_version()) == self._version:
            left = ends - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(left, LOOK_INTERVAL))
        self._version = version
        return True

    def _read_version(self) -> int:
        with self._database.wrap_database_errors:
            ((version,),) = self._database.connection.execute("PRAGMA data_version").fetchall()
        return int(version)


class Poller:
    """Where PostgreSQL cannot tell, each interval may have brought an edit."""

    def wait(self, seconds: float) -> bool:
        time.sleep(min(seconds, settings.REVISION_TRUST_MS / 1000))
        return True
