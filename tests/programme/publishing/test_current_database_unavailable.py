"""What a process answers while its database is unavailable, flaps, hangs or is locked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection

from feeds.vocabulary import Revision
from programme import models
from programme.publishing import current as current_module
from programme.publishing import loading
from programme.publishing.current import PATIENCE
from tests import programmes
from tests.conftest import NOW

pytestmark = pytest.mark.django_db(transaction=True)


class Server:
    """A database that tests can make unavailable."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_unavailable = False
        self._revision = loading.fetch_revision
        monkeypatch.setattr(loading, "fetch_revision", self.revision)

    def revision(self) -> Revision:
        if self.is_unavailable:
            raise OperationalError("connection refused\n\tIs the server running?")
        return self._revision()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    return Server(monkeypatch)


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Set the seconds that have passed, which stand at 0 until then."""

    def set_seconds(passed: float) -> None:
        clock = SimpleNamespace(monotonic=lambda: 1_000.0 + passed)
        monkeypatch.setattr(current_module, "time", clock)

    set_seconds(0)
    return set_seconds


def test_an_outage_is_logged_once_a_minute(current, server, seconds, caplog):
    snapshot = current.at(NOW)
    server.is_unavailable = True
    for passed in range(150):
        seconds(passed)
        assert current.at(NOW) is snapshot
    # The clock goes on.
    assert current.at(NOW + timedelta(days=1)).programme is snapshot.programme
    messages = [record.getMessage() for record in caplog.records]
    moment = f"{snapshot.programme.revision.moved_at:%Y-%m-%d %H:%M:%S} UTC"
    expected = f"The database does not answer (connection refused); readers get the programme of {moment}."
    assert messages == [expected] * 3
    server.is_unavailable = False
    seconds(151)
    current.at(NOW)
    assert caplog.records[-1].getMessage() == "The database answers again."


def test_a_flapping_database_is_logged_once_a_minute(current, server, seconds, caplog):
    current.at(NOW)
    for passed in range(61):
        seconds(passed)
        server.is_unavailable = passed % 2 == 0
        current.at(NOW)
    outage, again = "The database does not answer", "The database answers again."
    messages = [record.getMessage() for record in caplog.records]
    assert [message.partition(" (")[0] for message in messages] == [outage, again, outage]


def test_a_connection_that_has_failed_is_not_used_again(current, server):
    current.at(NOW)
    failed = connection.connection
    server.is_unavailable = True
    current.at(NOW)
    server.is_unavailable = False
    current.at(NOW)
    assert connection.connection is not failed


def test_a_database_that_hangs_counts_as_unavailable_until_it_answers(current, seconds, monkeypatch):
    current.renew()
    found: list[float | None] = []
    revision = loading.fetch_revision

    def hang() -> Revision:
        for passed in (PATIENCE - 1, PATIENCE):
            seconds(passed)
            found.append(current.offline_since)
        return revision()

    monkeypatch.setattr(loading, "fetch_revision", hang)
    assert current.renew()
    assert (found, current.offline_since) == ([None, 1_000.0], None)


on_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite locks nothing for readers"
)


@contextmanager
def lock(table: str) -> Iterator[None]:
    """Lock a table as a migration does."""
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield
        cursor.execute("ROLLBACK")
    other.close()


@on_postgresql
def test_a_question_that_takes_long_counts_as_unanswered(current, monkeypatch, caplog):
    snapshot = current.at(NOW)
    monkeypatch.setattr(loading, "REVISION_SQL", loading.REVISION_SQL.replace("3s", "20ms"))
    with lock("programme_revision"):
        assert current.at(NOW) is snapshot
    assert "canceling statement due to statement timeout" in caplog.records[-1].getMessage()


@on_postgresql
@pytest.mark.parametrize("table", ["programme_revision", "programme_event"])
def test_readers_do_not_wait_for_a_migration(current, caplog, table):
    snapshot = current.at(NOW)
    models.Event.objects.filter(id=programmes.JAZZ).update(title="Ny titel")
    with lock(table):
        assert current.at(NOW) is snapshot
    assert "canceling statement due to lock timeout" in caplog.records[-1].getMessage()
    assert current.at(NOW) is not snapshot
