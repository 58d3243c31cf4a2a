"""Whether this process can do its work: the checks of /readyz, each of them bounded in time."""

import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from threading import Lock
from typing import Any, NamedTuple

from django.conf import settings
from django.db import Error, connection

from festival import clock
from festival.upgrades.versions import explain_newer_database, find_unapplied
from programme.publishing import loading
from programme.publishing.current import DatabaseUnavailable, current

# Seconds for all checks together.
TIMEOUT = 5.0
# Seconds for the back office's process.
BACK_OFFICE_TIMEOUT = 3.0
# Where to ask a process that listens on all addresses.
ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
# Below this, an upload or an import may fail.
MIN_FREE_BYTES = 200_000_000


class Outcome(NamedTuple):
    """What a check has found: a sentence if something is wrong, and figures."""

    problem: str = ""
    figures: Mapping[str, Any] = {}


Check = Callable[[], Outcome]


def check_database() -> Outcome:
    try:
        revision = loading.fetch_revision()
    except Error as error:
        return Outcome(f"The database does not answer: {_first_line(error)}")
    return Outcome(figures={"vendor": connection.vendor, "revision": revision.number})


def check_migrations() -> Outcome:
    """Compare the database's migrations with those of this version."""
    try:
        missing = [f"{each.app_label}.{each.name}" for each in find_unapplied()]
        newer = explain_newer_database()
    except Error as error:
        return Outcome(f"The database does not answer: {_first_line(error)}")
    if missing:
        return Outcome("The database lacks migrations: run `manage.py migrate`.", {"unapplied": missing})
    return Outcome(newer)


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
            "snapshot_age_seconds": round((now - snapshot.now).total_seconds()),
            "occasions": len(snapshot.programme.occasions),
        }
    )


def check_disk() -> Outcome:
    """Return the free space where uploads, the SQLite file and the copy of the programme are."""
    free = shutil.disk_usage(settings.DATA_DIR).free
    problem = f"DATA_DIR has {free // 1_000_000} MB left." if free < MIN_FREE_BYTES else ""
    return Outcome(problem, {"free_bytes": free})


def check_back_office() -> Outcome:
    """Ask the back office's process whether it lives, if there is one."""
    if not settings.BACK_OFFICE_PORT:
        return Outcome()
    host = ANY_ADDRESS.get(settings.WEB_HOST, settings.WEB_HOST)
    with closing(HTTPConnection(host, settings.BACK_OFFICE_PORT, timeout=BACK_OFFICE_TIMEOUT)) as connection:
        try:
            connection.request("GET", "/healthz")
            status = connection.getresponse().status
        except (OSError, HTTPException) as error:
            return Outcome(f"The back office does not answer: {_first_line(error)}")
    return Outcome("" if status == HTTPStatus.OK else f"The back office answers {status}.")


# Those that may hang come last.
CHECKS: dict[str, Check] = {
    "programme": check_programme,
    "back office": check_back_office,
    "disk": check_disk,
    "database": check_database,
    "migrations": check_migrations,
}


# One thread: a check that still hangs is not started again, so a dead disk uses up no threads of readers.
_pool = ThreadPoolExecutor(1, thread_name_prefix="health")
_lock = Lock()
_running: tuple[Future[None], dict[str, Outcome]] | None = None


def run(timeout: float = TIMEOUT) -> dict[str, Outcome]:
    """Run all checks; after so many seconds the one that is not done, and those after it, have no answer."""
    global _running  # noqa: PLW0603
    with _lock:
        if _running is None or _running[0].done():
            found: dict[str, Outcome] = {}
            _running = _pool.submit(_run_all, found), found
        future, found = _running
    wait([future], timeout)
    late = Outcome(f"No answer within {timeout:g} seconds.")
    return {name: found.get(name, late) for name in CHECKS}


def _run_all(found: dict[str, Outcome]) -> None:
    try:
        for name, check in CHECKS.items():
            try:
                found[name] = check()
            except Exception as error:  # noqa: BLE001
                found[name] = Outcome(f"{type(error).__name__}: {_first_line(error)}")
    finally:
        # The thread's own connection, which would stay open until the next question.
        connection.close()


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]
