"""Whether this process can do its work: the checks of /readyz, in one thread and bounded in time."""

import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection, connections

from festival import clock
from festival.upgrades.versions import explain_newer_database, find_unapplied
from programme.publishing import loading
from programme.publishing.current import DatabaseUnavailable, current

# Seconds for all checks together, and for the back office's process.
TIMEOUT, BACK_OFFICE_TIMEOUT = 5.0, 3.0
# Where to ask a process that listens on all addresses.
ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
# Below this, an upload or an import may fail.
MIN_FREE_BYTES = 200_000_000


class Outcome(NamedTuple):
    """What a check has found: a sentence if something is wrong, and figures."""

    problem: str = ""
    figures: Mapping[str, Any] = {}


def check_programme() -> Outcome:
    """Return the revision and the age of the programme that readers get."""
    now = clock.now()
    try:
        snapshot = current.at(now)
    except DatabaseUnavailable:
        return Outcome("There is no programme, neither from the database nor on disk.")
    revision = snapshot.programme.revision
    return Outcome(
        figures={
            "revision": revision.number,
            "edited": revision.moved_at.isoformat(),
            "edited_seconds_ago": round((now - revision.moved_at).total_seconds()),
            "occasions": len(snapshot.programme.occasions),
        }
    )


def check_back_office() -> Outcome:
    """Ask the back office's process whether it lives, if there is one."""
    if not settings.BACK_OFFICE_PORT:
        return Outcome()
    host = ANY_ADDRESS.get(settings.WEB_HOST, settings.WEB_HOST)
    with closing(HTTPConnection(host, settings.BACK_OFFICE_PORT, timeout=BACK_OFFICE_TIMEOUT)) as connection:
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
    return Outcome("" if status == HTTPStatus.OK else f"It answers {status}.")


def check_disk() -> Outcome:
    """Return the free space where uploads, the SQLite file and the copy of the programme are."""
    free = shutil.disk_usage(settings.DATA_DIR).free
    problem = f"DATA_DIR has {free // 1_000_000} MB left." if free < MIN_FREE_BYTES else ""
    return Outcome(problem, {"free_bytes": free})


def check_database() -> Outcome:
    return Outcome(figures={"vendor": connection.vendor, "revision": loading.fetch_revision().number})


def check_migrations() -> Outcome:
    """Compare the database's migrations with those of this version."""
    if missing := [f"{each.app_label}.{each.name}" for each in find_unapplied()]:
        return Outcome("The database lacks migrations: run `manage.py migrate`.", {"unapplied": missing})
    return Outcome(explain_newer_database())


# Those that may hang come last.
CHECKS: dict[str, Callable[[], Outcome]] = {
    "programme": check_programme,
    "back office": check_back_office,
    "disk": check_disk,
    "database": check_database,
    "migrations": check_migrations,
}
# One thread: while a check hangs no other is started, so a dead disk uses up no threads of readers.
_pool = ThreadPoolExecutor(1, thread_name_prefix="health")


def run(timeout: float = TIMEOUT) -> dict[str, Outcome]:
    """Run all checks; after so many seconds the one that is not done, and those after it, have no answer."""
    futures = {name: _pool.submit(check) for name, check in CHECKS.items()}
    wait(futures.values(), timeout)
    found = {name: _read(future, timeout) for name, future in futures.items()}
    # The pool's connection would stay open until the next question; `connection.close` is this thread's.
    _pool.submit(connections.close_all)
    return found


def _read(future: Future[Outcome], timeout: float) -> Outcome:
    # What has not begun never does.
    if future.cancel() or not future.done():
        return Outcome(f"No answer within {timeout:g} seconds.")
    if error := future.exception():
        return Outcome(f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}")
    return future.result()
