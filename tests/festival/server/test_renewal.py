"""The thread that renews the programme: notified of edits, at the instant of all processes, whatever goes wrong."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection

from festival import clock
from festival.server import renewal
from festival.server.renewal import LOOK_INTERVAL, MICROSECOND, Renewal
from programme import models
from programme.publishing import current as current_module
from programme.publishing import loading
from programme.publishing.current import Current
from programme.publishing.serving_snapshot import ServedProgramme
from tests import programmes
from tests.conftest import NOW

pytestmark = pytest.mark.django_db(transaction=True)

MS = timedelta(milliseconds=1)
SECOND = timedelta(seconds=1)


class Time:
    """The clock and the monotonic one of a process, which go on together when a test says so."""

    def __init__(self) -> None:
        self.instant, self.seconds = NOW, 1_000.0

    def pass_by(self, duration: timedelta) -> None:
        self.instant += duration
        self.seconds += duration.total_seconds()


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> Time:
    found = Time()
    monkeypatch.setattr(clock, "now", lambda: found.instant)
    for module in (renewal, current_module):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: found.seconds))
    return found


@pytest.fixture
def current(sample: None, monkeypatch: pytest.MonkeyPatch, passing: Time) -> Current:
    """The programme of a process, which has been loaded."""
    rename("Första")
    found = Current()
    monkeypatch.setattr(renewal, "current", found)
    found.renew(ServedProgramme)
    return found


class StopRunning(BaseException):
    """The script has ended."""


class ScriptedWatcher:
    """A watcher whose waits end as a test prescribes: a step returns whether it tells of an edit."""

    def __init__(self, steps: tuple[Callable[[], bool], ...]) -> None:
        self.steps = iter(steps)
        self.waits: list[float] = []

    def wait(self, seconds: float) -> bool:
        self.waits.append(round(seconds, 6))
        step = next(self.steps, None)
        if step is None:
            raise StopRunning
        return step()


Run = Callable[..., list[float]]


@pytest.fixture
def run(current: Current, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a renewal until the script of its watcher ends; return for how long it waited each time."""

    def run_script(*steps: Callable[[], bool], warm_up: Any = lambda _until: None) -> list[float]:
        watcher = ScriptedWatcher(steps)

        @contextmanager
        def open_watcher() -> Iterator[ScriptedWatcher]:
            yield watcher

        monkeypatch.setattr(renewal, "open_watcher", open_watcher)
        with pytest.raises(StopRunning):
            Renewal(warm_up).run(Event())
        return watcher.waits

    return run_script


def rename(title: str) -> bool:
    """Edit, and tell of it."""
    models.Event.objects.filter(id=programmes.JAZZ).update(title=title)
    return True


def read_title(current: Current, instant: datetime) -> str:
    return current.at(instant).programme.by_id[8001].event.title


def test_a_process_has_its_programme_before_it_answers_readers(sample, monkeypatch):
    ended = Event()

    def end(_self: Renewal, stop: Event) -> None:
        connection.close()
        stop.set()
        ended.set()

    found = Current()
    monkeypatch.setattr(renewal, "current", found)
    monkeypatch.setattr(Renewal, "_watch", end)
    renewal.start(lambda _until: None)
    assert found.revisions == [loading.fetch_revision()]
    assert ended.wait(30)


def edit(title: str, edited_at: datetime) -> bool:
    """Edit at an instant of the database's clock, and tell of it."""
    rename(title)
    models.Revision.objects.update(moved_at=edited_at)
    return True


@pytest.mark.parametrize(
    ("edited_at", "begins"),
    [
        (NOW - 7 * MS, NOW + 93 * MS),
        # The database's clock is ahead of ours.
        (NOW + 5 * SECOND, NOW + 100 * MS),
        # This process is late.
        (NOW - 5 * SECOND, NOW + MICROSECOND),
    ],
    ids=["in time", "clock ahead", "late"],
)
def test_an_edit_begins_a_moment_after_its_commit(current, run, edited_at, begins):
    waits = run(lambda: edit("Andra", edited_at), lambda: False)
    assert waits == [1.0, LOOK_INTERVAL, LOOK_INTERVAL]
    titles = [read_title(current, each) for each in (NOW, begins - MICROSECOND, begins)]
    assert titles == ["Första", "Första", "Andra"]


@pytest.mark.parametrize("goes_on", [100 * MS, -timedelta(hours=1)], ids=["on", "back"])
def test_the_former_programme_is_forgotten_when_the_next_has_begun(current, passing, run, goes_on):
    def begin() -> bool:
        passing.pass_by(101 * MS)
        passing.instant = NOW + goes_on
        return False

    run(lambda: edit("Andra", NOW), begin)
    assert (read_title(current, passing.instant), len(current.revisions)) == ("Andra", 1)


def test_the_database_is_asked_when_listening_begins_and_each_second(current, passing, run, monkeypatch):
    asked: list[float] = []
    fetch = loading.fetch_revision

    def fetch_and_note() -> Any:
        asked.append(passing.seconds - 1_000)
        return fetch()

    def pass_quietly() -> bool:
        passing.pass_by(timedelta(seconds=0.5))
        return False

    monkeypatch.setattr(loading, "fetch_revision", fetch_and_note)
    waits = run(*[pass_quietly] * 5)
    # Once before the watcher is opened, and once more because of what was edited before it listened.
    assert asked == [0, 0, 1, 2]
    assert waits == [1, 0.5, 1, 0.5, 1, 0.5]


def test_what_was_asked_for_most_is_written_before_it_begins(current, run):
    written: list[tuple[str, float]] = []

    def warm_up(until: float) -> None:
        written.append((read_title(current, NOW), until))

    run(lambda: edit("Andra", NOW), lambda: False, warm_up=warm_up)
    assert (written, read_title(current, NOW)) == ([("Andra", 1_000 + renewal.WARM_UP_TIME)], "Första")


def test_formats_are_prepared_once_readers_get_the_first_programme(current, monkeypatch):
    found: list[str] = []
    monkeypatch.setattr(loading, "prepare", lambda _programme: found.append(read_title(current, NOW)))
    current.clear()
    first = Renewal(lambda _until: None)
    assert (first._renew(), first._renew(), found) == (True, True, ["Första"])


def test_a_database_that_is_away_is_asked_until_it_is_back(current, passing, monkeypatch, caplog):
    waits: list[float] = []
    fetch = loading.fetch_revision

    class Stop(Event):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append(timeout or 0)
            passing.pass_by(timedelta(seconds=timeout or 0))
            if len(waits) == 3:
                monkeypatch.setattr(loading, "fetch_revision", fetch)
            return False

    def refuse() -> None:
        raise OperationalError("connection refused")

    @contextmanager
    def open_watcher() -> Iterator[None]:
        raise StopRunning
        yield

    monkeypatch.setattr(loading, "fetch_revision", refuse)
    monkeypatch.setattr(renewal, "open_watcher", open_watcher)
    with pytest.raises(StopRunning):
        Renewal(lambda _until: None).run(Stop())
    assert waits == [renewal.RETRY_INTERVAL] * 3
    assert [record.getMessage().partition(" (")[0] for record in caplog.records] == [
        "The database does not answer",
        "The database answers again.",
    ]


def test_a_fault_of_ours_does_not_end_the_thread(current, run, caplog):
    def fail() -> bool:
        raise ValueError("a fault of ours")

    run(fail, lambda: edit("Andra", NOW))
    assert read_title(current, NOW + SECOND) == "Andra"
    assert [record.getMessage() for record in caplog.records] == ["The programme could not be renewed"]
