"""Processes are killed with SIGKILL at random moments: no confirmed edit is lost, and none is half written."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.failures import sample_festival, schedules
from tests.failures.editing import Editor, Editors
from tests.failures.processes import frozen, is_running, kill
from tests.failures.reading import Question, Readers
from tests.failures.service import Service, connect, get
from tests.failures.task_runner import TaskRunner, run_tasks
from tests.failures.wait import wait_until

FEW = 4
# Seconds.
CRASH_LOOP = 6

QUESTIONS = (
    Question("/api/events"),
    Question("/api/areas"),
    Question(f"/api/events?area={quote('Redaktionen')}", conditional=True),
)


@pytest.fixture
def children(stopped: Service) -> Iterator[TaskRunner]:
    with run_tasks(stopped.environment) as children:
        yield children


def pause_randomly(longest: float) -> None:
    time.sleep(random.uniform(0, longest))  # noqa: S311 - nothing is kept secret by it


# --- Servers ------------------------------------------------------------------------------------


def read_stored_edit(service: Service, editor: Editor) -> int:
    """Return the editor's last edit in the database; the event and its occasion must agree."""
    local_end = """to_char("end" AT TIME ZONE 'Europe/Stockholm', 'HH24:MI')"""
    joined = "programme_event e JOIN programme_occasion o ON o.event_id = e.id"
    ((title, end),) = service.sql(f"SELECT title, {local_end} FROM {joined} WHERE e.id = {editor.event}")
    edit = int(title.split()[-1])
    assert (title, end) == (
        sample_festival.editors_title(editor.number, edit),
        sample_festival.editors_end(edit),
    )
    return edit


def assert_nothing_is_lost(service: Service, editing: Editors) -> None:
    for editor in editing.editors:
        assert editor.confirmed <= read_stored_edit(service, editor) <= editor.tried


def test_the_back_office_is_killed_while_editors_save(
    stopped: Service, editors: list[dict[str, Any]], rounds: Callable[[int], int]
) -> None:
    stopped.start(back_office=True)
    service = stopped

    def at_work() -> int | None:
        workers = service.back_office_workers()
        return next((port for port in service.writers() if service.worker_at(port) in workers), None)

    with (
        Readers(service.port, QUESTIONS) as readers,
        Editors(service.editors_port, editors[:FEW], pause=0.1) as editing,
    ):
        for _ in range(rounds(1)):
            wait_until("an editor writes", at_work)
            kill(*service.back_office_workers())
            editing.wait_for_saves()
            readers.wait_for_reads()
            # granian ends if a worker dies twice within this time, and systemd starts it again.
            time.sleep(CRASH_LOOP)
    assert readers.failed == []
    assert editing.refused != []
    assert_nothing_is_lost(service, editing)


def test_nobody_waits_for_the_replacement_of_a_killed_worker(service: Service) -> None:
    with service.connections() as connections:
        killed, other = connections
        kill(killed)
        replacement = wait_until(
            "the worker is replaced", lambda: next(iter({*service.workers()} - {killed, other}), None)
        )
        with frozen(replacement):
            # It listens once it has the programme, so all of them reach the other worker.
            statuses = [service.get("/api/areas").status for _ in range(40)]
            statuses.append(get(connections[other], "/api/areas").status)
        assert set(statuses) == {200}
        wait_until("the replacement answers, too", lambda: replacement in reached_workers(service))


def reached_workers(service: Service) -> set[int | None]:
    with closing(connect(service.port)) as connection:
        get(connection, "/api/areas")
        return {service.worker_of(connection)}


def test_the_database_is_killed_while_editors_save(
    stopped: Service, editors: list[dict[str, Any]], rounds: Callable[[int], int]
) -> None:
    cluster = stopped.cluster
    with cluster.with_fsync():
        stopped.start()
        with (
            Readers(stopped.port, QUESTIONS) as readers,
            Editors(stopped.port, editors[:FEW], pause=0.1) as editing,
        ):
            for _ in range(rounds(1)):
                editing.wait_for_saves()
                wait_until("an editor writes", stopped.writers)
                cluster.kill()
                readers.wait_for_reads()
                cluster.start()
            editing.wait_for_saves()
        assert readers.failed == []
        assert editing.refused != []
        assert_nothing_is_lost(stopped, editing)


# --- An import ----------------------------------------------------------------------------------

ITEMS = """
SELECT substring(title FROM 'version (.*)')::int, extract(minute FROM o."end" - o.start)::int,
    e.published_at IS NOT NULL AND o.published_at IS NOT NULL AND e.last_modified <= programme_revision.moved_at
FROM programme_revision, programme_event e LEFT JOIN programme_occasion o ON o.event_id = e.id
WHERE title LIKE 'Punkt%'
"""


def read_state(service: Service) -> tuple[int, int]:
    """Return the schedule's version, which all its rows must have, and the programme's revision."""
    wait_until("the killed process has left the database", service.has_left)
    rows = service.sql(ITEMS)
    ((version, minutes, is_kept),) = set(rows)
    assert (minutes, is_kept) == (schedules.duration_minutes(version), True)
    assert len(rows) == schedules.count_events(sample_festival.EVENTS, version)
    ((revision,),) = service.sql("SELECT number FROM programme_revision")
    return version, revision


def test_an_import_is_killed(
    children: TaskRunner, stopped: Service, tmp_path: Path, rounds: Callable[[int], int]
) -> None:
    def write_next() -> str:
        return str(
            schedules.write_schedule(
                tmp_path / "schedule.xml", sample_festival.DAY, sample_festival.EVENTS, version + 1
            )
        )

    def while_it_writes(process: int) -> None:
        wait_until("it writes, or is done", lambda: stopped.writers() or not is_running(process))
        pause_randomly(took / 2)

    version, revision = read_state(stopped)
    started_at = time.perf_counter()
    assert children.run("import_file", write_next())
    took = time.perf_counter() - started_at
    assert read_state(stopped) == (version + 1, revision + 1)
    moments = (lambda _process: pause_randomly(took), while_it_writes)
    for number in range(rounds(6)):
        version, revision = read_state(stopped)
        children.run("import_file", write_next(), wait=moments[number % len(moments)])
        assert read_state(stopped) in {(version, revision), (version + 1, revision + 1)}
    version, revision = read_state(stopped)
    assert children.run("import_file", write_next())
    assert read_state(stopped) == (version + 1, revision + 1)


# --- The saved programme ------------------------------------------------------------------------


def test_saving_the_programme_is_killed(
    children: TaskRunner, stopped: Service, rounds: Callable[[int], int]
) -> None:
    kept, number = stopped.directory / "programme.kept", stopped.directory / "number"

    def while_it_writes(process: int) -> None:
        before = kept.stat().st_mtime_ns if kept.exists() else 0
        wait_until("it has written", lambda: kept.exists() and kept.stat().st_mtime_ns != before)
        pause_randomly(0.05)

    last = 0
    for _ in range(rounds(10)):
        children.run("save_repeatedly", wait=while_it_writes)
        assert children.run("write_saved_revision", str(number))
        assert int(number.read_text()) > last
        last = int(number.read_text())
