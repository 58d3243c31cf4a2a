"""The current snapshot: renewed by one thread for all, and never lost."""

import gc
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test import Client

from feeds.formats import FORMATS
from feeds.programme import Programme
from programme import models
from programme.publishing import loading
from programme.publishing.current import Current, DatabaseUnavailable, ServingSnapshot
from tests import programmes
from tests.conftest import NOW

THREADS = 8

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[Programme]:
    """Every programme that is loaded."""
    loaded: list[Programme] = []
    load = loading.load

    def load_and_note(before: Programme | None) -> Programme:
        programme = load(before)
        loaded.append(programme)
        return programme

    monkeypatch.setattr(loading, "load", load_and_note)
    return loaded


def at_once(ask: Callable[[], ServingSnapshot]) -> list[ServingSnapshot]:
    """Ask in as many threads, all at the same moment."""
    barrier = Barrier(THREADS)

    def run(_number: int) -> ServingSnapshot:
        try:
            barrier.wait()
            return ask()
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def test_concurrent_first_readers_load_one_programme(current: Current, loads: list[Programme]) -> None:
    snapshots = at_once(lambda: current.at(NOW))
    assert len(loads) == 1
    assert [snapshot is snapshots[0] for snapshot in snapshots] == [True] * THREADS


def test_concurrent_readers_share_a_new_snapshot(current: Current, loads: list[Programme]) -> None:
    before = current.at(NOW)
    snapshots = at_once(lambda: current.at(before.ends))
    assert len(loads) == 1
    assert [snapshot is snapshots[0] for snapshot in snapshots] == [True] * THREADS
    assert snapshots[0] is not before
    assert snapshots[0].programme is before.programme


def test_concurrent_readers_of_a_new_revision_load_one_programme(
    current: Current, loads: list[Programme]
) -> None:
    before = current.at(NOW)
    models.Event.objects.filter(id=programmes.JAZZ).update(title="Ny titel")
    snapshots = at_once(lambda: current.at(NOW))
    assert len(loads) == 2
    assert [snapshot is snapshots[0] for snapshot in snapshots] == [True] * THREADS
    assert snapshots[0].programme.revision.number > before.programme.revision.number
    assert snapshots[0].programme.by_id[8001].event.title == "Ny titel"


def test_a_snapshot_lasts_until_clock_or_revision_move(current: Current, loads: list[Programme]) -> None:
    snapshot = current.at(NOW)
    assert snapshot.ends is not None
    assert current.at(snapshot.ends - timedelta(microseconds=1)) is snapshot
    assert current.at(NOW - timedelta(seconds=1)) is snapshot
    assert len(loads) == 1


def test_a_clock_set_back_makes_an_older_snapshot(current: Current) -> None:
    snapshot = current.at(NOW)
    back = current.at(NOW - timedelta(hours=2))
    assert (back is snapshot, back.now) == (False, NOW - timedelta(hours=2))


def test_a_trusted_revision_is_not_queried(current: Current, settings: Any) -> None:
    settings.REVISION_TRUST_MS = 60_000
    snapshot = current.at(NOW)
    models.Event.objects.all().delete()
    assert current.at(NOW) is snapshot


def test_a_cleared_programme_is_loaded_again(current: Current, loads: list[Programme]) -> None:
    snapshot = current.at(NOW)
    current.clear()
    assert current.at(NOW) is not snapshot
    assert len(loads) == 2


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_readers_are_answered_during_an_outage(
    current: Current, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    snapshot = current.at(NOW)

    def refuse() -> None:
        raise error("connection refused")

    monkeypatch.setattr(loading, "fetch_revision", refuse)
    assert current.at(NOW) is snapshot
    tomorrow: datetime = NOW + timedelta(days=1)
    assert current.at(tomorrow).programme is snapshot.programme
    monkeypatch.undo()
    current.invalidate()
    models.Event.objects.filter(id=programmes.JAZZ).update(title="Åter")
    assert current.at(NOW).programme.by_id[8001].event.title == "Åter"


def test_readers_are_answered_while_a_newer_programme_cannot_be_loaded(
    current: Current, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = current.at(NOW)
    models.Event.objects.filter(id=programmes.JAZZ).update(title="Ny titel")

    def refuse(before: Programme) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(loading, "load", refuse)
    assert current.at(NOW) is snapshot
    monkeypatch.undo()
    current.invalidate()
    assert current.at(NOW).programme.by_id[8001].event.title == "Ny titel"


def test_without_a_database_and_a_programme_an_error_is_raised(
    current: Current, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(loading, "fetch_revision", refuse)
    with pytest.raises(DatabaseUnavailable):
        current.at(NOW)


def test_the_next_response_contains_an_edit(client: Client, sample: None, at: Any) -> None:
    before = client.get("/api/events?organizer=Föreningen%20Jazz").json()
    models.Organizer.objects.filter(id=programmes.FORENINGEN).update(name="Jazzens vänner")
    after = [
        client.get(f"/api/events?organizer={name}").json() for name in ("Föreningen Jazz", "jazzens vänner")
    ]
    assert [len(elements) for elements in (before, *after)] == [6, 0, 6]


# --- Memory -----------------------------------------------------------------------------------


def test_a_replaced_snapshot_is_freed_at_once(client: Client, sample: None, at: Any) -> None:
    from programme.publishing.current import current as of_requests  # noqa: PLC0415 - not the fixture of that name

    models.Revision.objects.update(moved_at=NOW - timedelta(hours=1))
    snapshot = of_requests.at(NOW)
    for path in [
        *(f"/api/events.{each.extension}" for each in FORMATS),
        "/api/areas",
        "/",
        "/tillfalle/8001",
    ]:
        for coding in ("identity", "gzip"):
            client.get(path, headers={"Accept-Encoding": coding})
    references = [weakref.ref(snapshot), weakref.ref(snapshot.programme)]
    del snapshot
    gc.collect()
    gc.disable()
    try:
        models.Event.objects.filter(id=programmes.JAZZ).update(title="Ny titel")
        of_requests.at(NOW)
        assert [reference() for reference in references] == [None, None]
    finally:
        gc.enable()
