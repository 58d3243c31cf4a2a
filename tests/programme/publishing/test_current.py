"""The current snapshot: renewed by one thread for all, and never lost."""

import gc
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from threading import Barrier, Event

import pytest
from django.db import OperationalError, connection

from feeds.programme import Programme
from programme import models
from programme.publishing import current as current_module
from programme.publishing import loading
from programme.publishing.current import Current, DatabaseUnavailable
from programme.publishing.serving_snapshot import ServedProgramme, ServingSnapshot
from tests import programmes
from tests.conftest import NOW

THREADS = 8

pytestmark = pytest.mark.django_db(transaction=True)


def test_concurrent_readers_share_a_new_snapshot(current):
    before, barrier = current.at(NOW), Barrier(THREADS)

    def ask(_number: int) -> ServingSnapshot:
        try:
            barrier.wait()
            return current.at(before.ends)
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        snapshots = list(pool.map(ask, range(THREADS)))
    assert [snapshot is snapshots[0] for snapshot in snapshots] == [True] * THREADS
    assert snapshots[0] is not before
    assert snapshots[0].programme is before.programme


def test_a_snapshot_lasts_until_clock_or_revision_move(current):
    snapshot = current.at(NOW)
    assert snapshot.ends is not None
    assert current.at(snapshot.ends - timedelta(microseconds=1)) is snapshot
    assert current.at(NOW - timedelta(seconds=1)) is snapshot


def test_a_clock_set_back_makes_an_older_snapshot(current):
    snapshot = current.at(NOW)
    back = current.at(NOW - timedelta(hours=2))
    assert (back is snapshot, back.now) == (False, NOW - timedelta(hours=2))


def test_readers_are_answered_while_a_newer_programme_cannot_be_loaded(current, monkeypatch):
    snapshot = current.at(NOW)
    models.Event.objects.filter(id=programmes.JAZZ).update(title="Ny titel")

    def refuse(before: Programme) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(loading, "load", refuse)
    assert current.at(NOW) is snapshot
    monkeypatch.undo()
    assert current.at(NOW).programme.by_id[8001].event.title == "Ny titel"


def test_without_a_database_and_a_programme_an_error_is_raised(current, break_down):
    break_down()
    with pytest.raises(DatabaseUnavailable):
        current.at(NOW)


SWITCH = NOW + timedelta(seconds=1)


def begin_at(instant: datetime) -> Callable[[Programme], ServedProgramme]:
    """Return a schedule: a programme begins at an instant."""
    return lambda programme: ServedProgramme(programme, instant)


def rename_jazz(title: str) -> None:
    models.Event.objects.filter(id=programmes.JAZZ).update(title=title)


def read_title(current: Current, instant: datetime) -> str:
    return current.at(instant).programme.by_id[8001].event.title


@pytest.fixture
def renewed(current: Current, monkeypatch: pytest.MonkeyPatch) -> Current:
    """A programme with a new title from SWITCH on; no reader may ask the database."""
    rename_jazz("Jazzkväll")
    current.renew(begin_at(SWITCH))
    rename_jazz("Ny titel")
    current.renew(begin_at(SWITCH))
    monkeypatch.setattr(loading, "fetch_revision", lambda: pytest.fail("a reader has asked"))
    return current


def test_each_request_gets_the_programme_of_its_instant(renewed):
    before = SWITCH - timedelta(microseconds=1)
    titles = [read_title(renewed, instant) for instant in (before, SWITCH, before, SWITCH)]
    assert titles == ["Jazzkväll", "Ny titel"] * 2
    assert [renewed.peek(instant) for instant in (before, SWITCH)] == [renewed.at(before), renewed.at(SWITCH)]


def test_a_programme_that_was_replaced_is_forgotten(renewed):
    former = weakref.ref(renewed.at(NOW).programme)
    renewed.forget_former(NOW)
    assert read_title(renewed, NOW) == "Jazzkväll"
    renewed.forget_former(SWITCH)
    # Also to a request that has begun before, or when the clock is set back.
    assert read_title(renewed, NOW) == "Ny titel"
    gc.collect()
    assert former() is None


def test_the_first_programme_begins_at_once(current):
    rename_jazz("Jazzkväll")
    current.renew(begin_at(SWITCH))
    assert read_title(current, NOW) == "Jazzkväll"
    assert current.catch_up(1, NOW) == NOW


def test_two_edits_begin_one_after_the_other(renewed, monkeypatch):
    monkeypatch.undo()
    rename_jazz("Nyare titel")
    later = SWITCH + timedelta(milliseconds=5)
    renewed.renew(begin_at(later))
    instants = (NOW, SWITCH, later)
    assert [read_title(renewed, instant) for instant in instants] == ["Jazzkväll", "Ny titel", "Nyare titel"]
    renewed.forget_former(later)
    assert [read_title(renewed, instant) for instant in instants] == ["Nyare titel"] * 3


def test_who_has_made_an_edit_gets_it_before_the_others(renewed):
    number = models.Revision.objects.get().number
    assert renewed.catch_up(number, NOW) == SWITCH
    assert renewed.catch_up(number, SWITCH + timedelta(seconds=1)) == SWITCH + timedelta(seconds=1)


def test_who_has_made_an_edit_waits_until_it_is_loaded(current):
    current.renew(begin_at(SWITCH))
    rename_jazz("Ny titel")
    number = models.Revision.objects.get().number
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(current.catch_up, number, NOW)
        assert not wait([waiting], timeout=0.1).done
        current.renew(begin_at(SWITCH))
        assert waiting.result(10) == SWITCH


def test_what_is_written_ahead_is_of_the_programme_that_has_not_begun(renewed):
    with renewed.writing_ahead():
        assert read_title(renewed, NOW) == "Ny titel"
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(read_title, renewed, NOW).result() == "Jazzkväll"
    assert read_title(renewed, NOW) == "Jazzkväll"


def test_who_has_made_an_edit_does_not_wait_for_ever(renewed, monkeypatch):
    monkeypatch.setattr(current_module, "CATCH_UP_TIMEOUT", 0.01)
    assert renewed.catch_up(1_000_000_000, NOW) == SWITCH


def test_readers_do_not_wait_for_a_load(renewed, monkeypatch):
    monkeypatch.undo()
    loading_it, go_on, load = Event(), Event(), loading.load

    def load_slowly(before: Programme) -> Programme:
        loading_it.set()
        assert go_on.wait(20)
        return load(before)

    def renew() -> None:
        try:
            renewed.renew(begin_at(SWITCH))
        finally:
            connection.close()

    monkeypatch.setattr(loading, "load", load_slowly)
    rename_jazz("Nyare titel")
    with ThreadPoolExecutor(1) as pool:
        renewing = pool.submit(renew)
        assert loading_it.wait(20)
        assert (read_title(renewed, SWITCH), renewing.done()) == ("Ny titel", False)
        go_on.set()
        renewing.result(20)
    assert read_title(renewed, SWITCH) == "Nyare titel"


def test_a_load_that_fails_leaves_readers_their_programme(renewed, monkeypatch):
    monkeypatch.undo()
    rename_jazz("Nyare titel")

    def fail(before: Programme) -> Programme:
        raise ValueError("a fault of ours")

    monkeypatch.setattr(loading, "load", fail)
    with pytest.raises(ValueError, match="a fault of ours"):
        renewed.renew(begin_at(SWITCH))
    monkeypatch.setattr(loading, "fetch_revision", lambda: pytest.fail("a reader has asked"))
    assert read_title(renewed, SWITCH) == "Ny titel"
