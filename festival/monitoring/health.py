"""The health checks of /readyz, in one thread and with a timeout."""

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
    """Check the free space for uploads, the SQLite file and the copy of the programme."""
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


# Each check returns a sentence about a problem, or ''. Checks that may hang come last.
CHECKS: dict[str, Callable[[], str]] = {
    "programme": check_programme,
    "disk": check_disk,
    "database": check_database,
    "migrations": check_migrations,
}
# One thread, so that checks that hang do not use up threads.
_pool = ThreadPoolExecutor(1, thread_name_prefix="health")


def run(timeout: float = TIMEOUT) -> dict[str, str]:
    """Return the problems by check; after `timeout` seconds, unfinished checks count as problems."""
    futures = {name: _pool.submit(check) for name, check in CHECKS.items()}
    wait(futures.values(), timeout)
    found = {name: _read(future, timeout) for name, future in futures.items()}
    # Closes the pool thread's connection, which would remain open until the next request.
    _pool.submit(connections.close_all)
    return {name: problem for name, problem in found.items() if problem}


def _read(future: Future[str], timeout: float) -> str:
    # A check that has not begun is cancelled.
    if future.cancel() or not future.done():
        return f"No answer within {timeout:g} seconds."
    if error := future.exception():
        return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
    return future.result()
