"""Whether this process can do its work: the checks of /readyz, each of them bounded in time."""

import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPException
from threading import Lock
from typing import Any, NamedTuple

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

from festival import clock
from festival.server.back_office_client import UnixConnection
from festival.upgrades.versions import explain_newer_database
from programme.publishing import loading
from programme.publishing.current import DatabaseUnavailable, current

# Seconds for all checks together.
TIMEOUT = 5.0
# Seconds for the back office's process.
BACK_OFFICE_TIMEOUT = 3.0
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
        executor = MigrationExecutor(connection)
    except Error as error:
        return Outcome(f"The database does not answer: {_first_line(error)}")
    known = executor.loader.disk_migrations
    apps = executor.loader.migrated_apps
    missing = [_name(each) for each, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]
    unknown = [".".join(each) for each in executor.loader.applied_migrations if each not in known]
    unknown = sorted(each for each in unknown if each.partition(".")[0] in apps)
    figures = {"unapplied": missing, "unknown": unknown}
    if missing:
        return Outcome("The database lacks migrations: run `manage.py migrate`.", figures)
    if unknown and explain_newer_database():
        return Outcome("The database has migrations of another version of the service.", figures)
    return Outcome()


def _name(migration: Any) -> str:
    return f"{migration.app_label}.{migration.name}"


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
    if not settings.BACK_OFFICE_SOCKET:
        return Outcome()
    with closing(UnixConnection(settings.BACK_OFFICE_SOCKET)) as connection:
        connection.timeout = BACK_OFFICE_TIMEOUT
        try:
            connection.request("GET", "/healthz")
            status = connection.getresponse().status
        except (OSError, HTTPException) as error:
            return Outcome(f"The back office does not answer: {_first_line(error)}")
    return Outcome("" if status == HTTPStatus.OK else f"The back office answers {status}.")


CHECKS: dict[str, Check] = {
    "database": check_database,
    "migrations": check_migrations,
    "programme": check_programme,
    "disk": check_disk,
    "back office": check_back_office,
}


class Runner:
    """Runs checks beside each other, and reports those that take too long without waiting for them.

    A check that still hangs from last time is not started again, so a dead disk does not use up threads.
    """

    def __init__(self, checks: dict[str, Check]) -> None:
        self._checks = checks
        self._lock = Lock()
        self._running: dict[str, Future[Outcome]] = {}
        self._pool = ThreadPoolExecutor(len(checks), thread_name_prefix="health")

    def run(self, timeout: float = TIMEOUT) -> dict[str, Outcome]:
        with self._lock:
            futures = {name: self._start(name) for name in self._checks}
        wait(futures.values(), timeout)
        return {name: _result(each, timeout) for name, each in futures.items()}

    def _start(self, name: str) -> "Future[Outcome]":
        running = self._running.get(name)
        if running is None or running.done():
            running = self._running[name] = self._pool.submit(_run_and_disconnect, self._checks[name])
        return running


def _run_and_disconnect(check: Check) -> Outcome:
    try:
        return check()
    finally:
        # The thread's own connection, which would stay open until the next question.
        connection.close()


def _result(future: "Future[Outcome]", timeout: float) -> Outcome:
    if not future.done():
        return Outcome(f"No answer within {timeout:g} seconds.")
    if error := future.exception():
        return Outcome(f"{type(error).__name__}: {_first_line(error)}")
    return future.result()


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]


runner = Runner(CHECKS)
