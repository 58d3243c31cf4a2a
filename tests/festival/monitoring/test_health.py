"""/readyz: each check, and that none of them can hold up the answer."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, NamedTuple

import pytest
from django.db import DatabaseError, OperationalError, connection
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


def test_the_database_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "fetch_revision", fail)
    assert health.check_database() == Outcome("The database does not answer: connection refused")


def test_all_migrations_are_applied(db: None) -> None:
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
            "snapshot_age_seconds": 0,
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
    late = Outcome("No answer within 0.05 seconds.")
    monkeypatch.setattr(health, "CHECKS", {"quick": lambda: quick, "disk": hang, "database": lambda: quick})
    for _ in range(2):
        assert health.run(timeout=0.05) == {"quick": quick, "disk": late, "database": late}
    end.set()
    assert started == ["hang"]


def test_a_check_that_fails_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Outcome:
        raise DatabaseError("the disk is gone\nat line 3")

    monkeypatch.setattr(health, "CHECKS", {"disk": fail})
    monkeypatch.setattr(health, "_running", None)
    assert health.run() == {"disk": Outcome("DatabaseError: the disk is gone")}


@contextmanager
def answer_with(content: bytes) -> Iterator[int]:
    """Answer one connection; yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def run() -> None:
            connection, _peer = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(content)

        thread = Thread(target=run)
        thread.start()
        yield listener.getsockname()[1]
        thread.join()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\nok", ""),
        (b"HTTP/1.1 500 Sorry\r\n\r\n", "The back office answers 500."),
        (b"", "The back office does not answer: Remote end closed connection without response"),
    ],
)
def test_the_back_office_answers(settings: Any, content: bytes, problem: str) -> None:
    with answer_with(content) as settings.BACK_OFFICE_PORT:
        assert health.check_back_office() == Outcome(problem)


def test_there_is_no_back_office(settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        settings.BACK_OFFICE_PORT = closed.getsockname()[1]
    assert health.check_back_office().problem.endswith("Connection refused")
    settings.BACK_OFFICE_PORT = 0
    assert health.check_back_office() == Outcome()
