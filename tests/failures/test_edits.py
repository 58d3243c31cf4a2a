"""Edits reach all workers by themselves and at one instant, and none is lost or seen in part."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.failures import sample_festival
from tests.failures.editing import Editor, Editors
from tests.failures.processes import kill
from tests.failures.reading import Question, Readers
from tests.failures.service import CONNECTIONS, WORKERS, Service, create_festival, get, open_connections
from tests.failures.sqlite_file import SqliteFile
from tests.failures.wait import wait_until

TORGET, EDITED = "/api/events?area=Torget", "/api/events?area=Redaktionen"
TITLE = re.compile(rb'"title":"Frukost (\d+)"')
# Of the thread of each process that renews: it waits on one, and asks on the other.
OF_THREAD = 2
# As often as nginx asks with the upstream of docs/install.md.
ASKED_AGAIN = 4


@pytest.fixture(params=["postgresql", "sqlite"])
def festival(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[Service, list[dict[str, Any]]]]:
    """The service on each database, before its start, and its editors."""
    if request.param == "sqlite":
        file = SqliteFile(tmp_path)
        service = Service(tmp_path, file, "")  # type: ignore[arg-type]
        editors = create_festival("sample_festival", tmp_path, file.url(""))
    else:
        service, editors = request.getfixturevalue("stopped"), request.getfixturevalue("editors")
    yield service, editors
    service.stop()


def edit(service: Service, number: int) -> None:
    service.sql(f"UPDATE programme_event SET title = 'Frukost {number}' WHERE title LIKE 'Frukost%'")


def read_number(connection: HTTPConnection) -> int:
    found = TITLE.search(get(connection, TORGET).body)
    return int(found[1]) if found else 0


def test_an_edit_is_its_editors_at_once_and_all_readers_at_one_instant(festival):
    service, editors = festival
    # So much that no process is late, however busy this machine is.
    service.environment["SWITCH_DELAY"] = "1.5"
    service.start()
    kept = service.directory / "programme.kept"
    wait_until("the programme is saved, though no reader has asked", kept.exists)
    before = kept.read_bytes()
    with open_connections(service.port) as opened:
        with closing(Editor(service.back_office_port, editors[0])) as editor:
            editor.open()
            for _ in range(5):
                assert editor.save(), editor.refused
                title = sample_festival.format_title(0, editor.confirmed).encode()
                cookie = {"Cookie": f"revision={editor.cookies['revision'].value}"}
                assert all(title in get(connection, EDITED, cookie).body for connection in opened)
        wait_until("the edit is saved", lambda: kept.read_bytes() != before)
        # Who alternates between workers sees no former state again.
        connections, seen = cycle(opened), [0]
        for number in range(1, 6):
            edit(service, number)
            while seen[-CONNECTIONS:] != [number] * CONNECTIONS:
                seen.append(read_number(next(connections)))
    assert [(one, other) for one, other in pairwise(seen) if other < one] == []


def test_readers_open_no_connection_to_the_database(service):
    with Readers(service.port, [Question(TORGET), Question("/api/events.ics")], number=8) as readers:
        edit(service, 1)
        service.wait_for_all(TORGET, lambda body: b"Frukost 1" in body)
        readers.wait_for_reads(20)
        of_service = f"datname = '{service.database}' AND pid <> pg_backend_pid()"
        ((opened,),) = service.sql(f"SELECT count(*) FROM pg_stat_activity WHERE {of_service}")
    # And that of the thread that publishes as planned.
    assert opened == (WORKERS + 1) * OF_THREAD + 1
    assert readers.failed == []


Edits = tuple[int, ...]
EDIT = re.compile(r"Redaktör (\d+) ändring (\d+)")


def read_edits(body: bytes) -> Edits:
    """Return each editor's last edit; the event and its occasion must agree."""
    elements = sorted(
        (*map(int, EDIT.fullmatch(element["title"]).groups()), element["occation"]["endTime"])
        for element in json.loads(body)
    )
    assert [number for number, _edit, _end in elements] == list(range(sample_festival.EDITORS))
    for number, edit, end in elements:
        assert end == f"{sample_festival.format_end(edit)}:00", f"editor {number}: title {edit}, end {end}"
    return tuple(edit for _number, edit, _end in elements)


def is_older(one: Edits, other: Edits) -> bool:
    return any(mine < others for mine, others in zip(one, other, strict=True))


def find_unordered(states: Iterable[Edits]) -> list[tuple[Edits, Edits]]:
    """Return neighbors of which neither is older: no two revisions are like that."""
    return [(one, other) for one, other in pairwise(sorted(set(states), key=sum)) if is_older(other, one)]


def test_no_edit_is_lost_or_seen_in_part_while_workers_are_replaced_and_killed(stopped, editors):
    stopped.start()
    questions = [Question(EDITED, read_edits), Question(EDITED, read_edits, conditional=True)]
    writing = (
        f"SELECT 1 FROM pg_stat_activity WHERE datname = '{stopped.database}' AND backend_xid IS NOT NULL"
    )
    with (
        # A worker that ends closes its connections; readers ask again as nginx does.
        Readers(stopped.port, questions, attempts=ASKED_AGAIN) as readers,
        Editors(stopped.back_office_port, editors) as editing,
    ):
        editing.wait_for_saves()
        stopped.reload()
        editing.wait_for_saves()
        refused = editing.refused
        wait_until("an editor writes", lambda: stopped.sql(writing))
        kill(*stopped.back_office_workers())
        editing.wait_for_saves()
    assert refused == []
    assert editing.refused != []
    assert readers.failed == []
    assert readers.find_regressions(is_older) == []
    assert find_unordered(read.content for read in readers.reads) == []
    confirmed = tuple(editor.confirmed for editor in editing.editors)
    wait_until("all see the last edits", lambda: read_edits(stopped.get(EDITED).body) == confirmed)
