"""Processes killed with SIGKILL at any moment: nothing confirmed is lost, and nothing is left half done."""

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.failures import festival, schedules
from tests.failures.editing import Editor, Editors
from tests.failures.processes import is_running, kill
from tests.failures.reading import Question, Readers
from tests.failures.service import Service
from tests.failures.task_runner import TaskRunner, run_tasks
from tests.failures.wait import until

FEW = 4

QUESTIONS = (
    Question("/api/events"),
    Question("/api/areas"),
    Question(f"/api/events?area={quote('Redaktionen')}", conditional=True),
)


@pytest.fixture
def children(stopped: Service) -> Iterator[TaskRunner]:
    with run_tasks(stopped.environment) as children:
        yield children


def a_moment(longest: float) -> None:
    time.sleep(random.uniform(0, longest))  # noqa: S311 - nothing is kept secret by it


# --- Servers ------------------------------------------------------------------------------------


def stored(service: Service, editor: Editor) -> int:
    """Return an editor's last edit in the database, which the event and its occasion must agree on."""
    local_end = """to_char("end" AT TIME ZONE 'Europe/Stockholm', 'HH24:MI')"""
    joined = "programme_event e JOIN programme_occasion o ON o.event_id = e.id"
    ((title, end),) = service.sql(f"SELECT title, {local_end} FROM {joined} WHERE e.id = {editor.event}")
    edit = int(title.split()[-1])
    assert (title, end) == (festival.editors_title(editor.number, edit), festival.editors_end(edit))
    return edit


def assert_nothing_is_lost(service: Service, editing: Editors) -> None:
    for editor in editing.editors:
        assert editor.confirmed <= stored(service, editor) <= editor.tried


def test_a_worker_is_killed_while_editors_save(service: Service, editors: list[dict[str, Any]]) -> None:
    def at_work() -> int | None:
        workers = (service.worker_at(port) for port in service.writers())
        return next((worker for worker in workers if worker in killed), None)

    # Each once: the server takes a second end within five seconds for a fault that new ones share.
    killed = set(service.workers())
    with (
        Readers(service.port, QUESTIONS, attempts=5) as readers,
        Editors(service.port, editors[:FEW], pause=0.1) as editing,
    ):
        while killed:
            worker = until("a worker that is to be killed writes", at_work)
            kill(worker)
            killed.remove(worker)
            service.wait_for_workers()
            editing.go_on()
            readers.go_on()
    assert readers.failed == []
    assert_nothing_is_lost(service, editing)


def test_the_database_is_killed_while_editors_save(
    stopped: Service, editors: list[dict[str, Any]], rounds: Callable[[int], int]
) -> None:
    cluster = stopped.cluster
    with cluster.waiting_for_the_disk():
        stopped.start()
        with (
            Readers(stopped.port, QUESTIONS) as readers,
            Editors(stopped.port, editors[:FEW], pause=0.1) as editing,
        ):
            for _ in range(rounds(1)):
                editing.go_on()
                until("an editor writes", stopped.writers)
                cluster.kill()
                readers.go_on()
                cluster.start()
            editing.go_on()
        assert readers.failed == []
        assert editing.refused != []
        assert_nothing_is_lost(stopped, editing)


# --- An import ----------------------------------------------------------------------------------

ITEMS = """
SELECT substring(title FROM 'version (.*)')::int, extract(minute FROM o."end" - o.start)::int,
    e.published_at IS NOT NULL AND o.published_at IS NOT NULL AND e.last_modified <= moved_at
FROM programme_revision, programme_event e LEFT JOIN programme_occasion o ON o.event_id = e.id
WHERE title LIKE 'Punkt%'
"""


def state(service: Service) -> tuple[int, int]:
    """Return the schedule's version, which all of its rows are of, and the programme's revision."""
    until("the killed process has left the database", service.has_left)
    rows = service.sql(ITEMS)
    ((version, minutes, is_kept),) = set(rows)
    assert (minutes, is_kept) == (schedules.minutes(version), True)
    assert len(rows) == schedules.count(festival.EVENTS, version)
    ((revision,),) = service.sql("SELECT number FROM programme_revision")
    return version, revision


def test_an_import_is_killed(
    children: TaskRunner, stopped: Service, tmp_path: Path, rounds: Callable[[int], int]
) -> None:
    def write_next() -> str:
        return str(schedules.write(tmp_path / "schedule.xml", festival.DAY, festival.EVENTS, version + 1))

    def while_it_writes(process: int) -> None:
        until("it writes, or is done", lambda: stopped.writers() or not is_running(process))
        a_moment(took / 2)

    version, revision = state(stopped)
    begun = time.perf_counter()
    assert children.run("import_schedule", write_next())
    took = time.perf_counter() - begun
    assert state(stopped) == (version + 1, revision + 1)
    moments = (lambda _process: a_moment(took), while_it_writes)
    for number in range(rounds(6)):
        version, revision = state(stopped)
        children.run("import_schedule", write_next(), wait=moments[number % len(moments)])
        assert state(stopped) in {(version, revision), (version + 1, revision + 1)}
    version, revision = state(stopped)
    assert children.run("import_schedule", write_next())
    assert state(stopped) == (version + 1, revision + 1)


# --- The kept programme -------------------------------------------------------------------------


def test_keeping_the_programme_is_killed(
    children: TaskRunner, stopped: Service, rounds: Callable[[int], int]
) -> None:
    kept, number = stopped.directory / "programme.kept", stopped.directory / "number"

    def while_it_writes(process: int) -> None:
        before = kept.stat().st_mtime_ns if kept.exists() else 0
        until("it has written", lambda: kept.exists() and kept.stat().st_mtime_ns != before)
        a_moment(0.05)

    last = 0
    for _ in range(rounds(10)):
        children.run("save_repeatedly", wait=while_it_writes)
        assert children.run("write_saved_revision", str(number))
        assert int(number.read_text()) > last
        last = int(number.read_text())
