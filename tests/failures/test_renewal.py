"""An edit reaches all workers by itself and at one instant, on both databases."""

import json
import re
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any

import pytest

from festival import clock
from tests.failures import sample_festival
from tests.failures.conftest import run_in_service
from tests.failures.editing import Editor
from tests.failures.reading import Question, Readers
from tests.failures.service import WORKERS, Service, get
from tests.failures.sqlite_file import SqliteFile
from tests.failures.wait import wait_until
from tests.failures.workers import Workers

TORGET = "/api/events?area=Torget"
EDITED = "/api/events?area=Redaktionen"
TITLE = re.compile(rb'"title":"Frukost (\d+)"')
# Of the thread that renews: it waits on one, and asks on the other.
CONNECTIONS = 2


def make_sqlite_service(directory: Path) -> tuple[Service, list[dict[str, Any]]]:
    """Return a service on an SQLite file, before its start, and its editors."""
    service = Service(directory, SqliteFile(directory), "")  # type: ignore[arg-type]
    made = run_in_service("sample_festival.create_festival()", service.environment)
    return service, json.loads(made)


@pytest.fixture(params=["postgresql", "sqlite"])
def festival(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[Service, list[dict[str, Any]]]]:
    """The service before its start, whose clock is that of the database, and its editors."""
    if request.param == "sqlite":
        service, editors = make_sqlite_service(tmp_path)
    else:
        service, editors = request.getfixturevalue("stopped"), request.getfixturevalue("editors")
    service.set_clock(clock.now(), whole_seconds=True)
    yield service, editors
    service.stop()


@pytest.fixture
def workers(festival: tuple[Service, Any]) -> Iterator[Workers]:
    service, _editors = festival
    # So much that no process is late, however busy this machine is.
    service.environment["SWITCH_DELAY"] = "1.5"
    service.start()
    with service.connections() as connections:
        yield Workers(service, connections)


def edit(service: Service, number: int) -> None:
    service.sql(f"UPDATE programme_event SET title = 'Frukost {number}' WHERE title LIKE 'Frukost%'")


def read_number(connection: HTTPConnection) -> int:
    found = TITLE.search(get(connection, TORGET).body)
    return int(found[1]) if found else 0


def test_sql_by_hand_reaches_all_workers(workers: Workers) -> None:
    edit(workers.service, 1)
    workers.until_all(TORGET, lambda answer: b"Frukost 1" in answer.body)


def test_readers_open_no_connection_to_the_database(service: Service) -> None:
    with Readers(service.port, [Question(TORGET), Question("/api/events.ics")], number=8) as readers:
        for number in range(1, 4):
            edit(service, number)
            with service.connections() as connections:
                Workers(service, connections).until_all(
                    TORGET, lambda answer, number=number: f"Frukost {number}".encode() in answer.body
                )
        readers.wait_for_reads(20)
        of_service = f"datname = '{service.database}' AND pid <> pg_backend_pid()"
        ((opened,),) = service.sql(f"SELECT count(*) FROM pg_stat_activity WHERE {of_service}")
    assert opened == WORKERS * CONNECTIONS == 4
    assert readers.failed == []


def test_a_reader_who_alternates_between_workers_sees_no_former_state_again(
    workers: Workers, rounds: Callable[[int], int]
) -> None:
    seen, connections = [0], cycle(workers.connections.values())
    for number in range(1, rounds(15) + 1):
        edit(workers.service, number)
        while seen[-WORKERS:] != [number] * WORKERS:
            seen.append(read_number(next(connections)))
    back = [(one, other) for one, other in pairwise(seen) if other < one]
    assert back == []


def test_an_editor_sees_an_edit_at_once_in_every_worker(
    festival: tuple[Service, list[dict[str, Any]]], rounds: Callable[[int], int]
) -> None:
    service, editors = festival
    service.start(back_office=True)
    editor = Editor(service.editors_port, 0, editors[0])
    editor.open()
    with service.connections() as connections:
        for _ in range(rounds(10)):
            assert editor.save(), editor.refused
            title = sample_festival.editors_title(0, editor.confirmed).encode()
            cookie = {"Cookie": f"revision={editor.cookies['revision'].value}"}
            answers = [get(connection, EDITED, cookie) for connection in connections.values()]
            assert [title in answer.body for answer in answers] == [True] * WORKERS
    editor.connection.close()


def test_the_back_office_s_process_writes_the_copy_on_disk(
    festival: tuple[Service, list[dict[str, Any]]],
) -> None:
    service, _editors = festival
    service.start(back_office=True)
    kept = service.directory / "programme.kept"
    wait_until("the programme is saved, though no reader has asked", kept.exists)
    before = kept.read_bytes()
    edit(service, 1)
    wait_until("the edit is saved, though no reader has asked", lambda: kept.read_bytes() != before)
