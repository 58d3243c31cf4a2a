"""A process that starts without the database answers from the programme on disk."""

import json
from http import HTTPStatus
from pathlib import Path

from tests.failures.reading import Question, Readers
from tests.failures.sample_festival import START
from tests.failures.service import WORKERS, Answer, Service
from tests.failures.wait import wait_until
from tests.failures.workers import Workers, spans

TORGET = "/api/events?area=Torget"


def saved_programme(service: Service) -> Path:
    return service.directory / "programme.kept"


def save_and_stop(service: Service) -> Answer:
    """Let the service save its programme, stop it and its database, and return its last answer."""
    service.start()
    answer = service.get(TORGET)
    wait_until("the programme is saved", saved_programme(service).exists)
    service.stop()
    service.cluster.stop("immediate")
    return answer


def start_without_database(service: Service, *, by_command: bool = False) -> list[Answer]:
    """Start the service, and return the answer of each worker."""
    service.start(by_command=by_command)
    with service.connections() as connections:
        return Workers(service, connections).get(TORGET)


def assert_recovers(service: Service) -> None:
    """Start the database, and wait until every worker answers from it."""
    service.cluster.start()
    service.sql("UPDATE programme_event SET title = 'Lunch' WHERE title = 'Frukost'")
    with service.connections() as connections:
        Workers(service, connections).until_all(TORGET, lambda answer: b"Lunch" in answer.body)


def test_the_last_programme_is_served(stopped: Service) -> None:
    last = save_and_stop(stopped)
    responses = start_without_database(stopped, by_command=True)
    assert [answer.status for answer in responses] == [HTTPStatus.OK] * WORKERS
    assert [(answer.body, answer.headers["ETag"]) for answer in responses] == [
        (last.body, last.headers["ETag"])
    ] * WORKERS
    with stopped.connections() as connections:
        now = f"{TORGET}&date=now"
        Workers(stopped, connections).pass_instant(now, START, [], ["Klockan idag 14:00–15:00"])
    assert_recovers(stopped)


def test_a_damaged_file_is_refused(stopped: Service) -> None:
    save_and_stop(stopped)
    content = bytearray(saved_programme(stopped).read_bytes())
    content[len(content) // 2] ^= 1
    saved_programme(stopped).write_bytes(content)
    for answer in start_without_database(stopped):
        assert answer.status == HTTPStatus.SERVICE_UNAVAILABLE
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert int(answer.headers["Retry-After"]) > 0
        assert sorted(json.loads(answer.body)) == ["detail", "status", "title", "type"]
    with Readers(stopped.port, [Question(TORGET)]) as readers:
        readers.wait_for_reads()
    assert {read.status for read in readers.reads} == {HTTPStatus.SERVICE_UNAVAILABLE}
    # The damage is logged once per worker, not once per request.
    assert stopped.log().count(" is damaged") == WORKERS
    page = stopped.get("/")
    assert (page.status, page.headers["Content-Type"]) == (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "text/html; charset=utf-8",
    )
    assert "Traceback" not in page.body.decode() + stopped.log()
    assert_recovers(stopped)
    assert spans(stopped.get(TORGET).body)[-1].startswith("Lunch")
