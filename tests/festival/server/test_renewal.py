"""The thread that renews the programme: notified of edits, in step with other processes, whatever goes wrong."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection

from feeds.vocabulary import Revision
from festival import clock
from festival.server import renewal
from festival.server.renewal import LONGEST_WAIT, LOOK_INTERVAL, Renewal
from programme import models
from programme.publishing import current as current_module
from programme.publishing import loading
from programme.publishing.current import Current
from programme.publishing.served_programmes import ServedProgramme
from tests import programmes
from tests.conftest import NOW

pytestmark = pytest.mark.django_db(transaction=True)

MS = timedelta(milliseconds=1)
SECOND = timedelta(seconds=1)
LONGEST = timedelta(seconds=LONGEST_WAIT)


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


class Others:
    """An agreement with processes that have a revision when a test says so."""

    def __init__(self) -> None:
        self.published: list[list[int]] = []
        self.begins: dict[int, datetime] = {}
        self.retry_at: float | None = None

    def publish(self, revisions: list[Revision], _now: Callable[[], datetime]) -> None:
        self.published.append([each.number for each in revisions])

    def find(self, revision: Revision) -> datetime | None:
        return self.begins.get(revision.number)

    def find_retry(self, _revisions: list[Revision]) -> float | None:
        return self.retry_at

    def agree(self, instant: datetime) -> None:
        """Let the latest revision begin at an instant."""
        self.begins[models.Revision.objects.get().number] = instant


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
def others() -> Others:
    return Others()


@pytest.fixture
def run(current: Current, others: Others, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a renewal until the script of its watcher ends; return for how long it waited each time."""

    def run_script(*steps: Callable[[], bool], warm_up: Any = None) -> list[float]:
        watcher = ScriptedWatcher(steps)

        @contextmanager
        def open_watcher() -> Iterator[ScriptedWatcher]:
            yield watcher

        monkeypatch.setattr(renewal, "open_watcher", open_watcher)
        with pytest.raises(StopRunning):
            Renewal(warm_up, others).run(Event())  # type: ignore[arg-type]
        return watcher.waits

    return run_script


def rename(title: str) -> bool:
    """Edit, and tell of it."""
    models.Event.objects.filter(id=programmes.JAZZ).update(title=title)
    return True


def read_title(current: Current, instant: datetime) -> str:
    return current.at(instant).programme.by_id[8001].event.title


def test_a_process_has_its_programme_before_it_answers_readers(
    sample: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(_self: Renewal, stop: Event) -> None:
        connection.close()
        stop.set()

    found = Current()
    monkeypatch.setattr(renewal, "current", found)
    monkeypatch.setattr(Renewal, "_watch", end)
    monkeypatch.setattr(renewal, "_join", lambda: None)
    renewal.start(lambda _until: None)
    assert found.revisions == [loading.fetch_revision()]


def test_an_edit_begins_when_all_have_agreed(current: Current, others: Others, run: Run) -> None:
    def wait_for_others() -> bool:
        assert read_title(current, NOW + LONGEST - MS) == "Första"
        others.agree(NOW + 30 * MS)
        return False

    waits = run(lambda: rename("Andra"), wait_for_others)
    assert waits == [1.0, LOOK_INTERVAL, LOOK_INTERVAL]
    titles = [read_title(current, NOW + milliseconds * MS) for milliseconds in (0, 29, 30)]
    assert titles == ["Första", "Första", "Andra"]
    first, second = (each.number for each in current.revisions)
    assert others.published == [[first], [first], [first, second]]


def test_others_are_not_waited_for_long(current: Current, run: Run) -> None:
    run(lambda: rename("Andra"))
    titles = [read_title(current, NOW + each) for each in (LONGEST - MS, LONGEST)]
    assert titles == ["Första", "Andra"]


@pytest.mark.parametrize("goes_on", [30 * MS, -timedelta(hours=1)], ids=["on", "back"])
def test_the_former_programme_is_forgotten_when_the_next_has_begun(
    current: Current, others: Others, passing: Time, run: Run, goes_on: timedelta
) -> None:
    def begin() -> bool:
        others.agree(NOW + 30 * MS)
        passing.pass_by(LONGEST)
        passing.instant = NOW + goes_on
        return False

    run(lambda: rename("Andra"), begin)
    assert (read_title(current, passing.instant), len(current.revisions)) == ("Andra", 1)
    assert current.unshown_since is None


def test_edits_that_come_faster_than_they_begin_are_loaded_together(
    current: Current, others: Others, passing: Time, run: Run
) -> None:
    def begin() -> bool:
        others.agree(NOW)
        return False

    edits = [lambda number=number: rename(f"Ändring {number}") for number in range(10)]
    run(*edits)
    assert (current.loads, len(current.revisions)) == (1 + 1, 1 + 1)
    run(begin)
    assert read_title(current, NOW) == "Ändring 9"
    assert len(current.revisions) == 1


def test_an_edit_that_waited_for_another_one_waits_no_longer_than_that(
    current: Current, passing: Time, run: Run
) -> None:
    def edit_again() -> bool:
        passing.pass_by(SECOND / 2)
        return rename("Tredje")

    def begin() -> bool:
        passing.pass_by(LONGEST - SECOND / 2)
        return False

    run(lambda: rename("Andra"), edit_again, begin, lambda: False)
    edited = NOW + SECOND / 2
    titles = [read_title(current, edited + each) for each in (LONGEST - MS, LONGEST)]
    assert titles == ["Andra", "Tredje"]


def test_what_another_process_has_missed_is_loaded_again(
    current: Current, others: Others, passing: Time, run: Run
) -> None:
    def miss() -> bool:
        others.retry_at = passing.seconds + 0.005
        return rename("Tredje")

    def pass_by() -> bool:
        passing.pass_by(5 * MS)
        return False

    waits = run(lambda: rename("Andra"), miss, pass_by)
    assert waits == [1.0, LOOK_INTERVAL, 0.005, 0]
    assert (current.loads, len(current.revisions)) == (1 + 2, 1 + 1)
    # Those who are not agreed upon together wait no longer than the first of them.
    titles = [read_title(current, NOW + each) for each in (LONGEST - MS, LONGEST)]
    assert titles == ["Första", "Tredje"]


def test_others_are_waited_for_as_long_as_loading_took(
    current: Current, passing: Time, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = loading.load

    def load_slowly(before: Any) -> Any:
        passing.pass_by(3 * SECOND)
        return load(before)

    monkeypatch.setattr(loading, "load", load_slowly)
    run(lambda: rename("Andra"))
    titles = [read_title(current, NOW + each) for each in (6 * SECOND - MS, 6 * SECOND)]
    assert titles == ["Första", "Andra"]


def test_the_database_is_asked_when_listening_begins_and_each_second(
    current: Current, passing: Time, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_what_was_asked_for_most_is_written_before_the_others_are_told(
    current: Current, others: Others, run: Run
) -> None:
    written: list[tuple[str, int, float]] = []

    def warm_up(until: float) -> None:
        written.append((read_title(current, NOW), len(others.published), until))

    run(lambda: rename("Andra"), lambda: False, warm_up=warm_up)
    assert written == [("Andra", 2, 1_000 + renewal.WARM_UP_TIME)]


@pytest.mark.parametrize(("warm_up", "prepared"), [(lambda _until: None, ["Första"]), (None, [])])
def test_formats_are_prepared_for_readers_once_they_get_the_first_programme(
    current: Current, monkeypatch: pytest.MonkeyPatch, warm_up: Any, prepared: list[str]
) -> None:
    found: list[str] = []
    monkeypatch.setattr(loading, "prepare", lambda _programme: found.append(read_title(current, NOW)))
    current.clear()
    first = Renewal(warm_up)
    assert (first._renew(), first._renew(), found) == (True, True, prepared)


def test_a_process_without_readers_waits_for_nobody(current: Current, run: Run) -> None:
    rename("Andra")
    Renewal()._renew()
    assert (read_title(current, NOW), len(current.revisions)) == ("Andra", 1)


def test_its_file_belongs_to_the_service(tmp_path: Path, settings: Any, monkeypatch: Any) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(renewal, "_start", lambda each: each.has_tried.set())
    renewal.start(lambda _until: None)
    assert [each.name for each in tmp_path.glob("*.lock")] == ["renewal.lock"]


def test_where_nothing_can_be_written_edits_are_shown_all_the_same(
    current: Current, tmp_path: Path, settings: Any, monkeypatch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def renew(started: Renewal) -> None:
        rename("Andra")
        started._renew()

    settings.DATA_DIR = tmp_path / "unmounted"
    monkeypatch.setattr(renewal, "_start", renew)
    renewal.start(lambda _until: None)
    assert (read_title(current, NOW), len(current.revisions)) == ("Andra", 1)
    assert "shows edits without waiting for the others" in caplog.text


def test_a_database_that_is_away_is_asked_until_it_is_back(
    current: Current, passing: Time, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
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
        Renewal().run(Stop())
    assert waits == [renewal.RETRY_INTERVAL] * 3
    assert [record.getMessage().partition(" (")[0] for record in caplog.records] == [
        "The database does not answer",
        "The database answers again.",
    ]


def test_a_fault_of_ours_does_not_end_the_thread(
    current: Current, others: Others, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> bool:
        raise ValueError("a fault of ours")

    run(fail, lambda: rename("Andra"))
    others.agree(NOW)
    assert read_title(current, NOW) == "Andra"
    assert [record.getMessage() for record in caplog.records] == ["The programme could not be renewed"]
