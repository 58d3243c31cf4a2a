"""What a process answers while its database is away, hangs or comes and goes, and while it is trusted."""

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
from programme.publishing import loading
from programme.publishing.current import Current, DatabaseUnavailable, ServingSnapshot
from tests import programmes
from tests.conftest import NOW
from tests.programme.publishing.test_current import current

__all__ = ["current"]

pytestmark = pytest.mark.django_db(transaction=True)


class Server:
    """A database that tests take away and bring back, and that counts how often it is asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_away, self.asked = False, 0
        self._revision = loading.revision
        monkeypatch.setattr(loading, "revision", self.revision)

    def revision(self) -> Revision:
        self.asked += 1
        if self.is_away:
            raise OperationalError("connection refused\n\tIs the server running?")
        return self._revision()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    return Server(monkeypatch)


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Set the seconds that have passed, which stand at 0 until then."""

    def set_seconds(passed: float) -> None:
        monkeypatch.setattr(current_module, "time", SimpleNamespace(monotonic=lambda: 1_000.0 + passed))

    set_seconds(0)
    return set_seconds


def test_the_log_says_once_a_minute_that_the_database_is_away(
    current: Current, server: Server, seconds: Callable[[float], None], caplog: pytest.LogCaptureFixture
) -> None:
    present = current.at(NOW)
    server.is_away = True
    for passed in range(150):
        seconds(passed)
        assert current.at(NOW) is present
    messages = [record.getMessage() for record in caplog.records]
    moment = f"{present.programme.revision.moved_at:%Y-%m-%d %H:%M:%S} UTC"
    said = f"The database does not answer (connection refused); readers get the programme of {moment}."
    assert messages == [said] * 3
    server.is_away = False
    seconds(151)
    assert current.at(NOW) is present
    assert caplog.records[-1].getMessage() == "The database answers again."


def test_the_log_says_so_once_a_minute_of_a_database_that_comes_and_goes_too(
    current: Current, server: Server, seconds: Callable[[float], None], caplog: pytest.LogCaptureFixture
) -> None:
    current.at(NOW)
    for passed in range(61):
        seconds(passed)
        server.is_away = passed % 2 == 0
        current.at(NOW)
    away, again = "The database does not answer", "The database answers again."
    said = [record.getMessage() for record in caplog.records]
    assert [message.partition(" (")[0] for message in said] == [away, again, away]


def test_a_database_that_is_away_is_asked_twice_a_second_and_not_by_every_reader(
    current: Current, server: Server, seconds: Callable[[float], None]
) -> None:
    current.at(NOW)
    server.is_away, server.asked = True, 0
    for passed in range(100):
        seconds(passed / 20)
        current.at(NOW)
    # The first time twice: a server that was restarted leaves dead connections behind.
    assert server.asked == 11


def test_one_reader_waits_for_a_database_that_hangs_and_the_others_do_not(
    current: Current, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    present = current.at(NOW)
    server.is_away = True
    current.at(NOW)
    current.doubt()
    hanging, answers = Event(), Event()

    def hang() -> Revision:
        hanging.set()
        assert answers.wait(20)
        raise OperationalError("timeout")

    monkeypatch.setattr(loading, "revision", hang)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(current.at, NOW)
        assert hanging.wait(20)
        assert current.at(NOW) is present
        assert not waiting.done()
        answers.set()
        assert waiting.result() is present


def test_readers_with_a_programme_do_not_wait_long_for_one_who_asks(
    current: Current, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    present = current.at(NOW)
    hanging, answers = Event(), Event()
    revision = loading.revision

    def hang() -> Revision:
        hanging.set()
        assert answers.wait(20)
        return revision()

    def ask_and_leave() -> ServingSnapshot:
        try:
            return current.at(NOW)
        finally:
            connection.close()

    monkeypatch.setattr(loading, "revision", hang)
    monkeypatch.setattr(current_module, "PATIENCE", 0.01)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(ask_and_leave)
        assert hanging.wait(20)
        assert [current.at(NOW), current.at(NOW)] == [present] * 2
        assert "it has said nothing for 0.01 seconds" in caplog.records[-1].getMessage()
        answers.set()
        assert waiting.result() is present
    assert [record.getMessage() for record in caplog.records][1:] == ["The database answers again."]


def test_readers_without_a_programme_wait_for_the_one_who_asks(
    sample: None, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    current, hanging, answers = Current(), Event(), Event()
    server.is_away = True
    with pytest.raises(DatabaseUnavailable):
        current.at(NOW)
    current.doubt()

    def hang() -> Revision:
        hanging.set()
        assert answers.wait(20)
        raise OperationalError("timeout")

    monkeypatch.setattr(loading, "revision", hang)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(current.at, NOW)
        assert hanging.wait(20)
        second = pool.submit(current.at, NOW)
        assert wait([second], timeout=0.2).done == set()
        answers.set()
        assert [type(each.exception()) for each in (first, second)] == [DatabaseUnavailable] * 2


def test_readers_without_a_programme_are_told_so_without_asking_each(
    server: Server, seconds: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    current, asked = Current(), []

    def refuse() -> None:
        asked.append(NOW)
        raise OperationalError("connection refused")

    monkeypatch.setattr(loading, "revision", refuse)
    monkeypatch.setattr(loading, "load", lambda _before: refuse())
    for _ in range(5):
        with pytest.raises(DatabaseUnavailable, match="connection refused"):
            current.at(NOW)
    # Both at once: an old connection may have been to blame.
    assert len(asked) == 2
    seconds(1)
    with pytest.raises(DatabaseUnavailable):
        current.at(NOW)
    assert len(asked) == 3


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite knows no locks on tables for readers")
@pytest.mark.django_db(transaction=True)
def test_a_locked_table_is_as_if_the_database_were_away(
    sample: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    current = Current()
    present = current.at(NOW)
    monkeypatch.setattr(loading, "REVISION_SOON", loading.REVISION_SOON.replace("3s", "20ms"))
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("LOCK TABLE programme_revision IN ACCESS EXCLUSIVE MODE")
        current.doubt()
        assert current.at(NOW) is present
        cursor.execute("ROLLBACK")
    other.close()
    assert "canceling statement due to statement timeout" in caplog.records[-1].getMessage()
    current.doubt()
    assert current.at(NOW) is present
    assert caplog.records[-1].getMessage() == "The database answers again."


def test_a_dead_connection_is_replaced_without_a_word(
    current: Current, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = current.at(NOW)
    models.Event.objects.filter(id=programmes.JAZZ).update(title="Ny titel")
    revision, dead = loading.revision, iter([OperationalError("server closed the connection")])

    def once_dead() -> Revision:
        if error := next(dead, None):
            raise error
        return revision()

    monkeypatch.setattr(loading, "revision", once_dead)
    assert current.at(NOW) is not before
    assert caplog.records == []


def test_while_the_database_is_away_no_old_connection_is_tried(
    current: Current, server: Server, seconds: Callable[[float], None]
) -> None:
    current.at(NOW)
    server.is_away = True
    current.at(NOW)
    connection.ensure_connection()
    old = connection.connection
    server.is_away = False
    seconds(1)
    current.at(NOW)
    assert connection.connection is not old


# --- Trust ------------------------------------------------------------------------------------


def test_a_save_while_another_reader_asks_is_not_hidden_by_its_answer(
    current: Current, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.REVISION_TRUST_MS = 60_000
    current.at(NOW)
    current.doubt()
    revision = loading.revision

    def answered_before_the_save() -> Revision:
        answer = revision()
        models.Event.objects.filter(id=programmes.JAZZ).update(title="Ny titel")
        current.doubt()
        return answer

    with monkeypatch.context() as patched:
        patched.setattr(loading, "revision", answered_before_the_save)
        current.at(NOW)
    assert current.at(NOW).programme.by_id[8001].event.title == "Ny titel"


def test_the_interval_of_trust_begins_with_the_question(
    current: Current, server: Server, seconds: Callable[[float], None], settings: Any
) -> None:
    settings.REVISION_TRUST_MS = 250
    asked = []
    for milliseconds in (0, 100, 249, 250, 400, 499, 500):
        seconds(milliseconds / 1000)
        before = server.asked
        current.at(NOW)
        asked.append(server.asked > before)
    assert asked == [True, False, False, True, False, False, True]


def test_only_what_is_ready_is_had_without_asking(
    current: Current, server: Server, seconds: Callable[[float], None], settings: Any
) -> None:
    settings.REVISION_TRUST_MS = 250
    assert current.ready(NOW) is None
    present = current.at(NOW)
    assert present.ends
    assert [current.ready(instant) for instant in (NOW, present.ends)] == [present, None]
    seconds(0.25)
    before = server.asked
    assert (current.ready(NOW), server.asked) == (None, before)
