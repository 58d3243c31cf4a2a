"""A process that starts while the database is away answers from the programme that was kept on disk."""

import json
from http import HTTPStatus
from pathlib import Path

from tests.failures.festival import START
from tests.failures.reading import Question, Readers
from tests.failures.service import WORKERS, Answer, Service
from tests.failures.wait import until
from tests.failures.workers import Workers, spans

TORGET = "/api/events?area=Torget"


def kept(service: Service) -> Path:
    return service.directory / "programme.kept"


def keep(service: Service) -> Answer:
    """Let the service keep its programme, stop it and its database, and return its last answer."""
    service.start()
    answer = service.get(TORGET)
    until("the programme is kept", kept(service).exists)
    service.stop()
    service.cluster.stop("immediate")
    return answer


def start_without_database(service: Service, *, by_command: bool = False) -> list[Answer]:
    """Start the service, and return what each worker answers."""
    service.start(by_command=by_command)
    with service.connections() as connections:
        return Workers(service, connections).ask(TORGET)


def heals(service: Service) -> None:
    """Start the database: every worker comes to answer from it."""
    service.cluster.start()
    service.sql("UPDATE programme_event SET title = 'Lunch' WHERE title = 'Frukost'")
    with service.connections() as connections:
        Workers(service, connections).until_all(TORGET, lambda answer: b"Lunch" in answer.body)


def test_the_last_programme_is_served(stopped: Service) -> None:
    last = keep(stopped)
    told = start_without_database(stopped, by_command=True)
    assert [answer.status for answer in told] == [HTTPStatus.OK] * WORKERS
    assert [(answer.body, answer.headers["ETag"]) for answer in told] == [
        (last.body, last.headers["ETag"])
    ] * WORKERS
    with stopped.connections() as connections:
        now = f"{TORGET}&date=now"
        Workers(stopped, connections).turn(now, START, [], ["Klockan idag 14:00–15:00"])
    heals(stopped)


def test_a_damaged_file_is_refused(stopped: Service) -> None:
    keep(stopped)
    content = bytearray(kept(stopped).read_bytes())
    content[len(content) // 2] ^= 1
    kept(stopped).write_bytes(content)
    for answer in start_without_database(stopped):
        assert answer.status == HTTPStatus.SERVICE_UNAVAILABLE
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert int(answer.headers["Retry-After"]) > 0
        assert sorted(json.loads(answer.body)) == ["detail", "status", "title", "type"]
    with Readers(stopped.port, [Question(TORGET)]) as readers:
        readers.go_on()
    assert {read.status for read in readers.reads} == {HTTPStatus.SERVICE_UNAVAILABLE}
    # Whatever is wrong is said once, and not to every reader anew.
    assert stopped.log().count(" is damaged") == WORKERS
    page = stopped.get("/")
    assert (page.status, page.headers["Content-Type"]) == (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "text/html; charset=utf-8",
    )
    assert "Traceback" not in page.body.decode() + stopped.log()
    heals(stopped)
    assert spans(stopped.get(TORGET).body)[-1].startswith("Lunch")
