"""The database becomes unavailable under load: readers do not notice, and editors lose nothing."""

import time
from contextlib import closing
from http import HTTPStatus

import pytest

from tests.failures.editing import Editor, assert_away
from tests.failures.reading import Question, Readers
from tests.failures.service import WORKERS, Service, get, open_connections
from tests.failures.wait import wait_until
from tests.programme.backoffice.requests import submission

# The log message of a process without its database.
UNAVAILABLE = "The database does not answer"
PROCESSES = WORKERS + 1

TORGET = "/api/events?area=Torget"
MIX = (
    Question("/api/events"),
    Question("/api/events.ics"),
    Question("/api/areas", conditional=True),
    Question(TORGET),
    Question("/api/events?date=now", conditional=True),
    Question("/api/events.rss?date=today"),
)


@pytest.fixture(scope="module")
def service(shared: Service) -> Service:
    return shared


def edit_and_wait(service: Service, title: str = "Lunch") -> None:
    """Edit an event, and wait until each worker shows it."""
    service.sql(
        f"UPDATE programme_event SET title = '{title}' WHERE title IN ('Frukost', 'Lunch', 'Kvällsmat')"
    )
    service.wait_for_all(TORGET, lambda body: title.encode() in body)


def test_readers_do_not_notice_that_the_database_stops(service):
    started_at = time.perf_counter()
    with Readers(service.port, MIX) as readers:
        for title in ("Lunch", "Kvällsmat"):
            service.cluster.stop("immediate")
            readers.wait_for_reads()
            wait_until("the log says that the database is away", lambda: UNAVAILABLE in service.log())
            service.cluster.start()
            edit_and_wait(service, title)
    assert readers.failed == []
    minutes = 1 + int((time.perf_counter() - started_at) // 60)
    assert service.log().count(UNAVAILABLE) <= PROCESSES * minutes


def test_one_reader_waits_for_a_database_that_hangs_and_the_others_go_on(service):
    before = service.log().count(UNAVAILABLE)
    with Readers(service.port, MIX, number=6) as readers:
        with service.cluster.frozen():
            readers.wait_for_reads(without=WORKERS)
        readers.wait_for_reads()
        edit_and_wait(service)
    assert readers.failed == []
    assert service.log().count(UNAVAILABLE) - before <= PROCESSES


def test_a_process_that_starts_without_the_database_answers_from_disk(stopped):
    stopped.start()
    last = stopped.get(TORGET)
    wait_until("the programme is saved", (stopped.directory / "programme.kept").exists)
    stopped.stop()
    stopped.cluster.stop("immediate")
    stopped.start_by_command()
    with open_connections(stopped.port) as opened:
        answers = [get(connection, TORGET) for connection in opened]
    assert {(answer.status, answer.body, answer.headers["ETag"]) for answer in answers} == {
        (HTTPStatus.OK, last.body, last.headers["ETag"])
    }
    stopped.cluster.start()
    edit_and_wait(stopped)


def test_a_form_is_sent_again_after_the_database_was_stopped(service, editors):
    before = len(service.log())
    with closing(Editor(service.back_office_port, editors[0])) as editor:
        form = submission(editor.send()) | {"title": "Kören"}
        service.cluster.stop("immediate")
        assert_away(editor.send(form))
        assert_away(editor.send())
        # Once more while it is still away.
        assert_away(editor.send(form))
        service.cluster.start()
        assert editor.send(form).status == HTTPStatus.FOUND
    assert service.sql("SELECT count(*) FROM programme_event WHERE title = 'Kören'") == [(1,)]
    assert "Traceback" not in service.log()[before:]
