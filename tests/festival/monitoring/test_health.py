"""/readyz: each check, and that none of them can hold up the answer."""

from threading import Event
from typing import Any, NamedTuple

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from festival.monitoring import health
from programme.publishing import loading
from tests.conftest import SetClock


class Usage(NamedTuple):
    free: int


def fail(*_arguments: Any) -> Any:
    raise OperationalError("connection refused\nIs the server running?")


def test_a_service_that_works_has_no_problems(sample: None, at: SetClock) -> None:
    checks = [check() for check in health.CHECKS.values()]
    assert checks == ["", "", "", ""]


def test_a_missing_migration_is_named(db: None) -> None:
    last = MigrationRecorder(connection).migration_qs.filter(app="sessions").latest("id")
    last.delete()
    assert health.check_migrations() == (
        f"The database lacks migrations: run `manage.py migrate` (sessions.{last.name})."
    )


def test_a_migration_of_a_newer_version_is_named(db: None) -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("programme", "0999_newer")
    # Of an app that was removed: it does no harm.
    recorder.record_applied("gone", "0001_initial")
    assert health.check_migrations().startswith("The database has migrations that version")


def test_there_is_no_programme(db: None, at: SetClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "load", fail)
    assert health.check_programme() == "There is no programme, neither from the database nor on disk."


@pytest.mark.parametrize(("free", "problem"), [(200_000_000, ""), (199_999_999, "DATA_DIR has 199 MB left.")])
def test_the_disk_has_room(free: int, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health.shutil, "disk_usage", lambda _path: Usage(free))
    assert health.check_disk() == problem


def test_a_check_that_hangs_is_not_waited_for_or_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    end = Event()

    def hang() -> str:
        started.append("hang")
        end.wait()
        return ""

    late = "No answer within 0.2 seconds."
    monkeypatch.setattr(health, "CHECKS", {"quick": lambda: "quick", "disk": hang, "database": lambda: ""})
    assert health.run(timeout=0.2) == {"quick": "quick", "disk": late, "database": late}
    assert health.run(timeout=0.2) == {"quick": late, "disk": late, "database": late}
    end.set()
    # All that waited has had its turn.
    health._pool.submit(end.wait).result()
    assert started == ["hang"]


@pytest.mark.skipif(connection.vendor == "sqlite", reason="A database in memory stays open")
@pytest.mark.django_db(transaction=True)
def test_no_connection_to_the_database_stays_open() -> None:
    health.run()
    assert health._pool.submit(lambda: connection.connection).result() is None


def test_a_check_that_fails_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "CHECKS", {"database": fail, "disk": lambda: ""})
    assert health.run() == {"database": "OperationalError: connection refused"}
