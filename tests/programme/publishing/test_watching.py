"""What tells a process of edits: PostgreSQL, or SQLite's file."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import Error, InternalError, connection, transaction
from django.db.backends.utils import CursorWrapper

from programme.models import Event
from programme.publishing.watching import FileWatcher, Listener, open_watcher
from tests.programmes import JAZZ

pytestmark = pytest.mark.django_db(transaction=True)

# Seconds that nobody waits if all is well.
LONG = 20.0

on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="of PostgreSQL")


@pytest.fixture
def watcher(sample: None) -> Iterator[FileWatcher | Listener]:
    with open_watcher() as opened:
        yield opened


def rename(title: str) -> None:
    Event.objects.filter(id=JAZZ).update(title=title)


def test_each_edit_is_told_once(watcher):
    for title in ("Ny titel", "Nyare titel"):
        rename(title)
        assert [watcher.wait(LONG), watcher.wait(0)] == [True, False]


def test_an_edit_is_told_while_it_is_waited_for(watcher):
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(watcher.wait, LONG)
        rename("Ny titel")
        assert waiting.result() is True


def test_an_edit_is_not_told_before_it_is_committed(watcher):
    with transaction.atomic():
        rename("Ny titel")
        assert watcher.wait(0.05) is False
    assert watcher.wait(LONG) is True


@on_postgresql
def test_a_connection_that_is_lost_is_an_error(watcher):
    with connection.cursor() as cursor:
        # Other tests listen to databases of their own at the same time.
        own = "datname = current_database() AND query LIKE 'LISTEN%'"
        cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {own}")
    with pytest.raises(Error):
        watcher.wait(LONG)


@on_postgresql
@pytest.mark.parametrize("place", ["behind a pooler", "on a standby"])
def test_where_postgresql_cannot_tell_it_is_only_waited(sample, monkeypatch, place):
    execute = CursorWrapper.execute

    def refuse(cursor: Any, sql: str, *arguments: Any) -> Any:
        if sql.startswith("LISTEN"):
            raise InternalError("cannot execute LISTEN during recovery\n")
        return execute(cursor, sql, *arguments)

    if place == "behind a pooler":
        # It gives its clients process IDs of its own.
        monkeypatch.setattr("psycopg.ConnectionInfo.backend_pid", 1)
    else:
        monkeypatch.setattr(CursorWrapper, "execute", refuse)
    with open_watcher() as opened:
        rename("Ny titel")
        assert opened.wait(0.05) is False
