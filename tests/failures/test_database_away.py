"""The database becomes unavailable under load: readers do not notice, and the log stays short."""

import time
from collections.abc import Callable, Iterator
from http import HTTPStatus

import pytest

from tests.failures.reading import Question, Readers
from tests.failures.sample_festival import DAY_ENDS, START
from tests.failures.service import WORKERS, Service
from tests.failures.wait import wait_until
from tests.failures.workers import Workers, spans

# The log message of a process without its database.
UNAVAILABLE = "The database does not answer"

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
    """All workers, with the programme in memory."""
    with service.connections() as connections:
        workers = Workers(service, connections)
        assert [answer.status for answer in workers.get(TORGET)] == [HTTPStatus.OK] * WORKERS
        yield workers


def test_readers_do_not_notice_that_the_database_stops(
    service: Service,
    workers: Workers,
    rounds: Callable[[int], int],
    report_duration: Callable[[str, float], None],
) -> None:
    started_at = time.perf_counter()
    with Readers(service.port, MIX) as readers:
        for number in range(rounds(2)):
            service.cluster.stop("immediate")
            readers.wait_for_reads()
            wait_until("the log says that the database is away", lambda: UNAVAILABLE in service.log())
            service.cluster.start()
            title = f"Frukost {number}"
            service.sql(f"UPDATE programme_event SET title = '{title}' WHERE title LIKE 'Frukost%'")
            edited = time.perf_counter()
            workers.until_all(TORGET, lambda answer, title=title: title in answer.body.decode())
            report_duration(f"edit {number} was read in every worker after", time.perf_counter() - edited)
    assert readers.failed == []
    minutes = 1 + int((time.perf_counter() - started_at) // 60)
    assert service.log().count(UNAVAILABLE) <= WORKERS * minutes


def test_the_clock_goes_on_while_the_database_is_away(service: Service, workers: Workers) -> None:
    service.cluster.stop("immediate")
    workers.pass_instant(f"{TORGET}&date=now", START, [], ["Klockan idag 14:00–15:00"])
    workers.pass_instant(
        f"{TORGET}&date=today",
        DAY_ENDS,
        ["Klockan idag 14:00–15:00", "Middag idag 18:00–19:00"],
        ["Frukost idag 10:00–11:00"],
    )
    yesterday = ["Klockan igår 14:00–15:00", "Middag igår 18:00–19:00", "Frukost idag 10:00–11:00"]
    assert [spans(answer.body) for answer in workers.get(TORGET)] == [yesterday] * WORKERS


def edit_and_wait(service: Service, workers: Workers) -> None:
    """Edit an event, and wait until each worker shows it."""
    service.sql("UPDATE programme_event SET title = 'Lunch' WHERE title = 'Frukost'")
    workers.until_all(TORGET, lambda answer: "Lunch" in answer.body.decode())


def test_one_reader_waits_for_a_database_that_hangs_and_the_others_go_on(
    service: Service, workers: Workers
) -> None:
    with Readers(service.port, MIX, number=6) as readers:
        with service.cluster.frozen():
            readers.wait_for_reads(without=WORKERS)
        readers.wait_for_reads()
        edit_and_wait(service, workers)
    assert readers.failed == []
    assert service.log().count(UNAVAILABLE) <= WORKERS
