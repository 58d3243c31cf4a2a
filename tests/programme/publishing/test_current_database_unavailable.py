"""What a process answers while its database is unavailable, hangs or flaps, and while its revision is trusted."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection

from feeds.vocabulary import Revision
from programme import models
from programme.publishing import current as current_module
from programme.publishing import loading, outage
from programme.publishing.current import Current, DatabaseUnavailable
from programme.publishing.served_programmes import ServedProgramme
from programme.publishing.serving_snapshot import ServingSnapshot
from tests import programmes
from tests.conftest import NOW

pytestmark = pytest.mark.django_db(transaction=True)


class Server:
    """A database that tests can make unavailable, and that counts its queries."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_unavailable, self.queries = False, 0
        self._revision = loading.fetch_revision
        monkeypatch.setattr(loading, "fetch_revision", self.revision)

    def revision(self) -> Revision:
        self.queries += 1
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
        for module in (current_module, outage):
            monkeypatch.setattr(module, "time", clock)

    set_seconds(0)
    return set_seconds


def let_query_hang(monkeypatch: pytest.MonkeyPatch) -> tuple[Event, Event]:
    """Let the next queries of the revision hang; return what says that one does, and what ends it."""
    hanging, answers = Event(), Event()
    revision = loading.fetch_revision

    def hang() -> Revision:
        hanging.set()
        assert answers.wait(20)
        return revision()

    monkeypatch.setattr(loading, "fetch_revision", hang)
    return hanging, answers


def test_an_outage_is_logged_once_a_minute(
    current: Current, server: Server, seconds: Callable[[float], None], caplog: pytest.LogCaptureFixture
) -> None:
    snapshot = current.at(NOW)
    server.is_unavailable = True
    for passed in range(150):
        seconds(passed)
        assert current.at(NOW) is snapshot
    messages = [record.getMessage() for record in caplog.records]
    moment = f"{snapshot.programme.revision.moved_at:%Y-%m-%d %H:%M:%S} UTC"
    expected = f"The database does not answer (connection refused); readers get the programme of {moment}."
    assert messages == [expected] * 3
    server.is_unavailable = False
    seconds(151)
    assert current.at(NOW) is snapshot
    assert caplog.records[-1].getMessage() == "The database answers again."


def test_a_flapping_database_is_logged_once_a_minute(
    current: Current, server: Server, seconds: Callable[[float], None], caplog: pytest.LogCaptureFixture
) -> None:
    current.at(NOW)
    for passed in range(61):
        seconds(passed)
        server.is_unavailable = passed % 2 == 0
        current.at(NOW)
    outage, again = "The database does not answer", "The database answers again."
    messages = [record.getMessage() for record in caplog.records]
    assert [message.partition(" (")[0] for message in messages] == [outage, again, outage]


def test_an_unavailable_database_is_tried_twice_a_second(
    current: Current, server: Server, seconds: Callable[[float], None]
) -> None:
    current.at(NOW)
    server.is_unavailable, server.queries = True, 0
    for passed in range(100):
        seconds(passed / 20)
        current.at(NOW)
    # The first time twice: a server that was restarted leaves dead connections behind.
    assert server.queries == 11


def test_one_reader_alone_waits_for_a_hanging_database(
    current: Current, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = current.at(NOW)
    server.is_unavailable = True
    current.at(NOW)
    current.invalidate()
    hanging, answers = Event(), Event()

    def hang() -> Revision:
        hanging.set()
        assert answers.wait(20)
        raise OperationalError("timeout")

    monkeypatch.setattr(loading, "fetch_revision", hang)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(current.at, NOW)
        assert hanging.wait(20)
        assert current.at(NOW) is snapshot
        assert not waiting.done()
        answers.set()
        assert waiting.result() is snapshot


def test_readers_with_a_programme_do_not_wait_long_for_another_ones_query(
    current: Current, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    snapshot = current.at(NOW)

    def ask_and_leave() -> ServingSnapshot:
        try:
            return current.at(NOW)
        finally:
            connection.close()

    hanging, answers = let_query_hang(monkeypatch)
    monkeypatch.setattr(current_module, "LOCK_TIMEOUT", 0.01)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(ask_and_leave)
        assert hanging.wait(20)
        assert [current.at(NOW), current.at(NOW)] == [snapshot] * 2
        assert "no reply for 0.01 seconds" in caplog.records[-1].getMessage()
        answers.set()
        assert waiting.result() is snapshot
    assert [record.getMessage() for record in caplog.records][1:] == ["The database answers again."]


def test_a_query_that_has_just_begun_is_no_outage(
    current: Current, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    current.renew(ServedProgramme)
    snapshot = current.at(NOW)

    def renew() -> bool:
        try:
            return current.renew(ServedProgramme)
        finally:
            connection.close()

    hanging, answers = let_query_hang(monkeypatch)
    current.invalidate()
    with ThreadPoolExecutor(1) as pool:
        renewing = pool.submit(renew)
        assert hanging.wait(20)
        assert current.at(NOW) is snapshot
        assert (current.offline_since, caplog.records) == (None, [])
        monkeypatch.setattr(current_module, "LOCK_TIMEOUT", 0)
        assert current.at(NOW) is snapshot
        assert current.offline_since is not None
        answers.set()
        assert renewing.result()
    assert current.offline_since is None


def test_readers_without_a_programme_wait_for_another_ones_query(
    sample: None, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    current, hanging, answers = Current(), Event(), Event()
    server.is_unavailable = True
    with pytest.raises(DatabaseUnavailable):
        current.at(NOW)
    current.invalidate()

    def hang() -> Revision:
        hanging.set()
        assert answers.wait(20)
        raise OperationalError("timeout")

    monkeypatch.setattr(loading, "fetch_revision", hang)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(current.at, NOW)
        assert hanging.wait(20)
        second = pool.submit(current.at, NOW)
        assert wait([second], timeout=0.2).done == set()
        answers.set()
        assert [type(each.exception()) for each in (first, second)] == [DatabaseUnavailable] * 2


def test_readers_without_a_programme_share_one_failed_query(
    server: Server, seconds: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    current, queries = Current(), []

    def refuse() -> None:
        queries.append(NOW)
        raise OperationalError("connection refused")

    monkeypatch.setattr(loading, "fetch_revision", refuse)
    monkeypatch.setattr(loading, "load", lambda _before: refuse())
    for _ in range(5):
        with pytest.raises(DatabaseUnavailable, match="connection refused"):
            current.at(NOW)
    # Both at once: an old connection may have been to blame.
    assert len(queries) == 2
    seconds(1)
    with pytest.raises(DatabaseUnavailable):
        current.at(NOW)
    assert len(queries) == 3


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite knows no locks on tables for readers")
@pytest.mark.django_db(transaction=True)
def test_a_locked_table_counts_as_unavailable(
    sample: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    current = Current()
    snapshot = current.at(NOW)
    monkeypatch.setattr(loading, "REVISION_SQL", loading.REVISION_SQL.replace("3s", "20ms"))
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("LOCK TABLE programme_revision IN ACCESS EXCLUSIVE MODE")
        current.invalidate()
        assert current.at(NOW) is snapshot
        cursor.execute("ROLLBACK")
    other.close()
    assert "canceling statement due to statement timeout" in caplog.records[-1].getMessage()
    current.invalidate()
    assert current.at(NOW) is snapshot
    assert caplog.records[-1].getMessage() == "The database answers again."


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite knows no locks on tables for readers")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("table", ["programme_revision", "programme_event"])
def test_readers_do_not_wait_for_a_migration(
    sample: None, caplog: pytest.LogCaptureFixture, table: str
) -> None:
    current = Current()
    snapshot = current.at(NOW)
    models.Event.objects.filter(id=programmes.JAZZ).update(title="Ny titel")
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        current.invalidate()
        assert current.at(NOW) is snapshot
        cursor.execute("ROLLBACK")
    other.close()
    assert "canceling statement due to lock timeout" in caplog.records[-1].getMessage()
    current.invalidate()
    assert current.at(NOW) is not snapshot


def test_a_dead_connection_is_replaced_silently(
    current: Current, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = current.at(NOW)
    models.Event.objects.filter(id=programmes.JAZZ).update(title="Ny titel")
    revision, dead = loading.fetch_revision, iter([OperationalError("server closed the connection")])

    def once_dead() -> Revision:
        if error := next(dead, None):
            raise error
        return revision()

    monkeypatch.setattr(loading, "fetch_revision", once_dead)
    assert current.at(NOW) is not before
    assert caplog.records == []


def test_during_an_outage_no_old_connection_is_tried(
    current: Current, server: Server, seconds: Callable[[float], None]
) -> None:
    current.at(NOW)
    server.is_unavailable = True
    current.at(NOW)
    connection.ensure_connection()
    old = connection.connection
    server.is_unavailable = False
    seconds(1)
    current.at(NOW)
    assert connection.connection is not old


# --- Trust ------------------------------------------------------------------------------------


def test_a_save_during_another_readers_query_is_not_hidden_by_its_result(
    current: Current, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.REVISION_TRUST_MS = 60_000
    current.at(NOW)
    current.invalidate()
    revision = loading.fetch_revision

    def answered_before_the_save() -> Revision:
        answer = revision()
        models.Event.objects.filter(id=programmes.JAZZ).update(title="Ny titel")
        current.invalidate()
        return answer

    with monkeypatch.context() as patched:
        patched.setattr(loading, "fetch_revision", answered_before_the_save)
        current.at(NOW)
    assert current.at(NOW).programme.by_id[8001].event.title == "Ny titel"


def test_the_interval_of_trust_begins_with_the_query(
    current: Current, server: Server, seconds: Callable[[float], None], settings: Any
) -> None:
    settings.REVISION_TRUST_MS = 250
    queries = []
    for milliseconds in (0, 100, 249, 250, 400, 499, 500):
        seconds(milliseconds / 1000)
        before = server.queries
        current.at(NOW)
        queries.append(server.queries > before)
    assert queries == [True, False, False, True, False, False, True]


def test_peek_returns_a_snapshot_only_without_a_query(
    current: Current, server: Server, seconds: Callable[[float], None], settings: Any
) -> None:
    settings.REVISION_TRUST_MS = 250
    assert current.peek(NOW) is None
    snapshot = current.at(NOW)
    assert snapshot.ends
    assert [current.peek(instant) for instant in (NOW, snapshot.ends)] == [snapshot, None]
    seconds(0.25)
    before = server.queries
    assert (current.peek(NOW), server.queries) == (None, before)
