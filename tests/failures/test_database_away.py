"""The database stops under load: readers do not notice, the clock goes on, and the log stays short."""

import time
from collections.abc import Callable, Iterator
from http import HTTPStatus

import pytest

from tests.failures.festival import DAY_ENDS, START
from tests.failures.reading import Question, Readers
from tests.failures.service import WORKERS, Service
from tests.failures.wait import until
from tests.failures.workers import Workers, spans

# What a process says while it is without its database.
AWAY = "The database does not answer"

TORGET = "/api/events?area=Torget"
MIX = (
    Question("/api/events"),
    Question("/api/events.ics"),
    Question("/api/areas", conditional=True),
    Question(TORGET),
    Question("/api/events?date=now", conditional=True),
    Question("/api/events.rss?date=today"),
)


@pytest.fixture
def workers(service: Service) -> Iterator[Workers]:
    """The workers, each with the programme in memory."""
    with service.connections() as connections:
        workers = Workers(service, connections)
        assert [answer.status for answer in workers.ask(TORGET)] == [HTTPStatus.OK] * WORKERS
        yield workers


def test_readers_do_not_notice_that_the_database_stops(
    service: Service, workers: Workers, rounds: Callable[[int], int], measured: Callable[[str, float], None]
) -> None:
    begun = time.perf_counter()
    with Readers(service.port, MIX) as readers:
        for number in range(rounds(2)):
            service.cluster.stop("immediate")
            readers.go_on()
            until("the log says that the database is away", lambda: AWAY in service.log())
            service.cluster.start()
            title = f"Frukost {number}"
            service.sql(f"UPDATE programme_event SET title = '{title}' WHERE title LIKE 'Frukost%'")
            edited = time.perf_counter()
            workers.until_all(TORGET, lambda answer, title=title: title in answer.body.decode())
            measured(f"edit {number} was read in every worker after", time.perf_counter() - edited)
    assert readers.failed == []
    minutes = 1 + int((time.perf_counter() - begun) // 60)
    assert service.log().count(AWAY) <= WORKERS * minutes


def test_the_clock_goes_on_while_the_database_is_away(service: Service, workers: Workers) -> None:
    service.cluster.stop("immediate")
    workers.turn(f"{TORGET}&date=now", START, [], ["Klockan idag 14:00–15:00"])
    workers.turn(
        f"{TORGET}&date=today",
        DAY_ENDS,
        ["Klockan idag 14:00–15:00", "Middag idag 18:00–19:00"],
        ["Frukost idag 10:00–11:00"],
    )
    yesterday = ["Klockan igår 14:00–15:00", "Middag igår 18:00–19:00", "Frukost idag 10:00–11:00"]
    assert [spans(answer.body) for answer in workers.ask(TORGET)] == [yesterday] * WORKERS


def lunch_is_read(service: Service, workers: Workers) -> None:
    """Let an edit be made: each worker comes to tell of it."""
    service.sql("UPDATE programme_event SET title = 'Lunch' WHERE title = 'Frukost'")
    workers.until_all(TORGET, lambda answer: "Lunch" in answer.body.decode())


def test_one_reader_waits_for_a_database_that_hangs_and_the_others_go_on(
    service: Service, workers: Workers
) -> None:
    with Readers(service.port, MIX, number=6) as readers:
        with service.cluster.frozen():
            readers.go_on(without=WORKERS)
        readers.go_on()
        lunch_is_read(service, workers)
    assert readers.failed == []
    assert service.log().count(AWAY) <= WORKERS
