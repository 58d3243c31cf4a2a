"""Watchers that wait for edits, by LISTEN on PostgreSQL and by polling the file of SQLite."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db import InternalError, connection

from programme.triggers.revision import CHANNEL

# Seconds between two polls of SQLite's file; a poll takes 10 µs.
LOOK_INTERVAL = 0.01


@contextmanager
def open_watcher() -> Iterator["Listener | FileWatcher"]:
    """Yield a watcher with a connection of its own.

    Its `wait` returns whether there may be an edit, after some seconds at the latest. Both raise
    django.db.Error.
    """
    database = connection.copy()
    try:
        database.ensure_connection()
        yield FileWatcher(database) if database.vendor == "sqlite" else Listener(database)
    finally:
        database.close()


class Listener:
    """Waits for PostgreSQL's notifications of transactions that have moved the revision.

    Behind a pooler, where each transaction may use another connection, and on a standby there are no
    notifications, and it only waits.
    """

    def __init__(self, database: Any) -> None:
        self._database = database
        with database.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (server_process,) = cursor.fetchone()
            if server_process == database.connection.info.backend_pid:
                # "Cannot execute LISTEN during recovery."
                with suppress(InternalError):
                    cursor.execute(f"LISTEN {CHANNEL}")

    def wait(self, seconds: float) -> bool:
        with self._database.wrap_database_errors:
            return any(True for _ in self._database.connection.notifies(timeout=seconds, stop_after=1))


class FileWatcher:
    """Polls SQLite's count of transactions of other connections, also those that only write sessions."""

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
