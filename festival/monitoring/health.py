"""Whether this process can do its work: the checks of /readyz, in one thread and bounded in time."""

import shutil
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait

from django.conf import settings
from django.db import connection, connections

from festival import clock
from festival.configuration.migrations import explain_newer_database, find_unapplied
from programme.publishing import loading
from programme.publishing.current import DatabaseUnavailable, current

# Seconds for all checks together.
TIMEOUT = 5.0
# Below this, an upload or an import may fail.
MIN_FREE_BYTES = 200_000_000


def check_programme() -> str:
    try:
        current.at(clock.now())
    except DatabaseUnavailable:
        return "There is no programme, neither from the database nor on disk."
    return ""


def check_disk() -> str:
    """Look at the free space where uploads, the SQLite file and the copy of the programme are."""
    free = shutil.disk_usage(settings.DATA_DIR).free
    return f"DATA_DIR has {free // 1_000_000} MB left." if free < MIN_FREE_BYTES else ""


def check_database() -> str:
    loading.fetch_revision()
    return ""


def check_migrations() -> str:
    """Compare the database's migrations with those of this version."""
    if missing := find_unapplied():
        names = ", ".join(f"{each.app_label}.{each.name}" for each in missing)
        return f"The database lacks migrations: run `manage.py migrate` ({names})."
    return explain_newer_database(connection)


# Each returns a sentence if something is wrong. Those that may hang come last.
CHECKS: dict[str, Callable[[], str]] = {
    "programme": check_programme,
    "disk": check_disk,
    "database": check_database,
    "migrations": check_migrations,
}
# One thread: while a check hangs no other is started, so a dead disk uses up no threads of readers.
_pool = ThreadPoolExecutor(1, thread_name_prefix="health")


def run(timeout: float = TIMEOUT) -> dict[str, str]:
    """Return what is wrong; after so many seconds also which check is not done, and those after it."""
    futures = {name: _pool.submit(check) for name, check in CHECKS.items()}
    wait(futures.values(), timeout)
    found = {name: _read(future, timeout) for name, future in futures.items()}
    # The pool's connection would stay open until the next question; `connection.close` is this thread's.
    _pool.submit(connections.close_all)
    return {name: problem for name, problem in found.items() if problem}


def _read(future: Future[str], timeout: float) -> str:
    # What has not begun never does.
    if future.cancel() or not future.done():
        return f"No answer within {timeout:g} seconds."
    if error := future.exception():
        return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
    return future.result()
