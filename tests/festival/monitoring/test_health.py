"""/readyz: each check, and that none of them can hold up the answer."""

import socket
from threading import Event, Thread
from typing import Any, NamedTuple

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from festival.monitoring import health
from festival.monitoring.health import Outcome
from programme import models
from programme.publishing import loading
from tests.conftest import NOW, SetClock


class Usage(NamedTuple):
    free: int


def fail(*_arguments: Any) -> Any:
    raise OperationalError("connection refused\nIs the server running?")


def test_the_database_answers(sample: None) -> None:
    revision = models.Revision.objects.get().number
    assert health.check_database() == Outcome(figures={"vendor": connection.vendor, "revision": revision})
    assert health.check_migrations() == Outcome()


def test_a_missing_migration_is_named(db: None) -> None:
    last = MigrationRecorder(connection).migration_qs.filter(app="sessions").latest("id")
    last.delete()
    assert health.check_migrations() == Outcome(
        "The database lacks migrations: run `manage.py migrate`.",
        {"unapplied": [f"sessions.{last.name}"]},
    )


def test_a_migration_of_a_newer_version_is_named(db: None) -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("programme", "0999_newer")
    # Of an app that was removed: it does no harm.
    recorder.record_applied("gone", "0001_initial")
    assert health.check_migrations().problem.startswith(
        "The database was migrated by a newer version, on which"
    )


def test_the_programme_has_an_age(sample: None, at: SetClock) -> None:
    revision = models.Revision.objects.get()
    models.Revision.objects.update(moved_at=NOW.replace(hour=11))
    outcome = health.check_programme()
    assert outcome == Outcome(
        figures={
            "revision": revision.number,
            "edited": "2026-07-29T11:00:00+00:00",
            "edited_seconds_ago": 3600,
            "occasions": outcome.figures["occasions"],
        }
    )
    assert outcome.figures["occasions"] > 10


def test_there_is_no_programme(db: None, at: SetClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "load", fail)
    assert health.check_programme() == Outcome(
        "There is no programme, neither from the database nor on disk."
    )


@pytest.mark.parametrize(("free", "problem"), [(200_000_000, ""), (199_999_999, "DATA_DIR has 199 MB left.")])
def test_the_disk_has_room(free: int, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health.shutil, "disk_usage", lambda _path: Usage(free))
    assert health.check_disk() == Outcome(problem, {"free_bytes": free})


def test_a_check_that_hangs_is_not_waited_for_or_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    end = Event()

    def hang() -> Outcome:
        started.append("hang")
        end.wait()
        return Outcome()

    quick = Outcome(figures={"a": 1})
    late = Outcome("No answer within 0.2 seconds.")
    monkeypatch.setattr(health, "CHECKS", {"quick": lambda: quick, "disk": hang, "database": lambda: quick})
    assert health.run(timeout=0.2) == {"quick": quick, "disk": late, "database": late}
    assert health.run(timeout=0.2) == {"quick": late, "disk": late, "database": late}
    end.set()
    assert started == ["hang"]


@pytest.mark.skipif(connection.vendor == "sqlite", reason="A database in memory stays open")
@pytest.mark.django_db(transaction=True)
def test_no_connection_to_the_database_stays_open() -> None:
    health.run()
    assert health._pool.submit(lambda: connection.connection).result() is None


def test_a_check_that_fails_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "CHECKS", {"database": fail})
    assert health.run() == {"database": Outcome("OperationalError: connection refused")}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\nok", ""),
        (b"HTTP/1.1 500 Sorry\r\n\r\n", "It answers 500."),
        (b"", "RemoteDisconnected: Remote end closed connection without response"),
    ],
)
def test_the_back_office_answers(
    settings: Any, content: bytes, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "CHECKS", {"back office": health.check_back_office})
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def run() -> None:
            with listener.accept()[0] as connection:
                connection.recv(1000)
                connection.sendall(content)

        thread = Thread(target=run)
        thread.start()
        settings.BACK_OFFICE_PORT = listener.getsockname()[1]
        assert health.run() == {"back office": Outcome(problem)}
        thread.join()


def test_there_is_no_back_office(settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        settings.BACK_OFFICE_PORT = closed.getsockname()[1]
    with pytest.raises(ConnectionRefusedError):
        health.check_back_office()
    settings.BACK_OFFICE_PORT = 0
    assert health.check_back_office() == Outcome()
