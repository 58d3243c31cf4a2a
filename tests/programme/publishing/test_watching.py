"""What tells a process of edits: PostgreSQL, SQLite's file, or asking where a pooler is in between."""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import Error, InternalError, connection, transaction
from django.db.backends.utils import CursorWrapper

from programme.models import Event
from programme.publishing import watching
from programme.publishing.watching import FileWatcher, Listener, Poller, Watcher, open_watcher
from tests.programmes import JAZZ

pytestmark = pytest.mark.django_db(transaction=True)

# Seconds that nobody waits if all is well.
LONG = 20.0

on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="of PostgreSQL")


@pytest.fixture
def watcher(sample: None) -> Iterator[Watcher]:
    with open_watcher() as opened:
        yield opened


def rename(title: str) -> None:
    Event.objects.filter(id=JAZZ).update(title=title)


def test_a_database_tells_of_edits_as_it_can(watcher: Watcher) -> None:
    assert type(watcher) is {"postgresql": Listener, "sqlite": FileWatcher}[connection.vendor]


def test_each_edit_is_told_once(watcher: Watcher) -> None:
    for title in ("Ny titel", "Nyare titel"):
        rename(title)
        assert [watcher.wait(LONG), watcher.wait(0)] == [True, False]


def test_an_edit_is_told_while_it_is_waited_for(watcher: Watcher) -> None:
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(watcher.wait, LONG)
        rename("Ny titel")
        assert waiting.result() is True


def test_an_edit_is_not_told_before_it_is_committed(watcher: Watcher) -> None:
    with transaction.atomic():
        rename("Ny titel")
        assert watcher.wait(0.05) is False
    assert watcher.wait(LONG) is True


@on_postgresql
def test_a_connection_that_is_lost_is_an_error(watcher: Watcher) -> None:
    with connection.cursor() as cursor:
        # Other tests listen to databases of their own at the same time.
        own = "datname = current_database() AND query LIKE 'LISTEN%'"
        cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {own}")
    with pytest.raises(Error):
        watcher.wait(LONG)


@pytest.fixture
def _forget_reports() -> None:
    watching._report.cache_clear()


@on_postgresql
@pytest.mark.usefixtures("_forget_reports")
def test_behind_a_pooler_the_process_asks_and_the_log_says_so_once(
    sample: None, monkeypatch: pytest.MonkeyPatch, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REVISION_TRUST_MS = 20
    # A pooler gives its clients process IDs of its own.
    monkeypatch.setattr("psycopg.ConnectionInfo.backend_pid", 1)
    for _ in range(2):
        with open_watcher() as opened:
            assert type(opened) is Poller
            assert opened.wait(LONG) is True
    assert [record.getMessage() for record in caplog.records] == [
        "PostgreSQL cannot tell this process of edits (there is a pooler in between): it asks every 20 ms instead."
    ]


@on_postgresql
@pytest.mark.usefixtures("_forget_reports")
def test_a_standby_is_asked(
    sample: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(cursor: Any, sql: str, *arguments: Any) -> Any:
        if sql.startswith("LISTEN"):
            raise InternalError("cannot execute LISTEN during recovery\n")
        return execute(cursor, sql, *arguments)

    execute = CursorWrapper.execute
    monkeypatch.setattr(CursorWrapper, "execute", refuse)
    with open_watcher() as opened:
        assert type(opened) is Poller
    assert caplog.records[0].levelno == logging.WARNING
    assert "(cannot execute LISTEN during recovery)" in caplog.records[0].getMessage()


def test_asking_waits_no_longer_than_it_may(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.REVISION_TRUST_MS = 250
    slept: list[float] = []
    monkeypatch.setattr(watching, "time", SimpleNamespace(sleep=slept.append))
    assert [Poller().wait(seconds) for seconds in (1.0, 0.1)] == [True, True]
    assert slept == [0.25, 0.1]
