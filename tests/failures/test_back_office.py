"""The back office in a process of its own: readers notice nothing of it, whatever it does or is sent."""

import os
import socket
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from http import HTTPStatus
from typing import Any

import pytest

from tests.failures import sample_festival
from tests.failures.cluster import Cluster
from tests.failures.conftest import TEMPLATE
from tests.failures.processes import frozen
from tests.failures.reading import Question, Readers
from tests.failures.service import EDITORS, WORKERS, Service, connect
from tests.failures.wait import wait_until

LOGIN = "/admin/login/"
QUESTIONS = (Question("/api/events"), Question("/api/areas"), Question("/"))
HOST = b"Host: 127.0.0.1\r\n"


@pytest.fixture(scope="module")
def service(_cluster: Cluster, editors: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The running service of all these tests, whose back office has a process of its own."""
    if _cluster.server is None:
        _cluster.start()
    _cluster.copy("back_office", TEMPLATE)
    service = Service(tmp_path_factory.mktemp("service"), _cluster, "back_office")
    service.set_clock(sample_festival.START - sample_festival.HOUR)
    service.start(back_office=True)
    yield service
    service.stop()


def open_connection(service: Service, sent: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", service.port), timeout=30)
    connection.sendall(sent)
    return connection


def read_status(connection: socket.socket) -> int:
    with connection.makefile("rb") as file:
        return int(file.readline().split()[1])


def ask(service: Service, sent: bytes) -> int:
    """Return the status of the response to a raw request."""
    with open_connection(service, sent) as connection:
        return read_status(connection)


def test_only_the_back_offices_process_answers_below_admin(service: Service) -> None:
    (worker,) = service.back_office_workers()
    made_by = {
        path: int(service.get(path).headers["X-Process"])
        for path in (LOGIN, "/admin", "/admin/none/", "/none")
    }
    assert {path for path, process in made_by.items() if process == worker} == {
        LOGIN,
        "/admin",
        "/admin/none/",
    }
    assert made_by["/none"] in service.workers()
    assert (os.getpriority(os.PRIO_PROCESS, worker), os.getpriority(os.PRIO_PROCESS, made_by["/none"])) == (
        10,
        0,
    )
    path = service.back_office_socket
    assert [stat.S_IMODE(each.stat().st_mode) for each in (path, path.parent)] == [0o600, 0o700]


def test_readers_do_not_wait_for_slow_editors(service: Service) -> None:
    service.get(LOGIN)
    request = b"GET /admin/login/ HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
    (worker,) = service.back_office_workers()
    with Readers(service.port, QUESTIONS) as readers, ExitStack() as opened:
        with frozen(worker):
            # Some more than are forwarded at a time.
            editors = [
                opened.enter_context(open_connection(service, request)) for _ in range(WORKERS * EDITORS + 10)
            ]
            readers.wait_for_reads()
        statuses = [read_status(each) for each in editors]
        readers.wait_for_reads()
    assert readers.failed == []
    assert set(statuses) == {HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE}
    assert 10 <= statuses.count(HTTPStatus.SERVICE_UNAVAILABLE) <= EDITORS + 10
    assert service.get(LOGIN).status == HTTPStatus.OK


def test_readers_do_not_wait_for_slow_uploads(service: Service) -> None:
    begun = b"POST /admin/login/ HTTP/1.1\r\n" + HOST + b"Content-Length: 100\r\n\r\nusername="
    with Readers(service.port, QUESTIONS) as readers, ExitStack() as opened:
        for _ in range(WORKERS * EDITORS + 10):
            opened.enter_context(open_connection(service, begun))
        readers.wait_for_reads()
    assert readers.failed == []
    wait_until("their slots are free again", lambda: service.get(LOGIN).status == HTTPStatus.OK)


SMUGGLED = b"GET /admin/smuggled HTTP/1.1\r\n" + HOST + b"\r\n"
ATTACKS = {
    "length and chunks": (
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
        411,
    ),
    "chunks": (b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED, 411),
    "an unknown coding": (b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + SMUGGLED, 400),
    "two lengths": (b"Content-Length: 0\r\nContent-Length: 5\r\n\r\n" + SMUGGLED, 400),
    "an underscore in the length's name": (
        b"Content_Length: 0\r\nContent-Length: 3\r\n\r\na=1" + SMUGGLED,
        403,
    ),
    "an underscore in the coding's name": (
        b"Transfer_Encoding: chunked\r\nContent-Length: 3\r\n\r\na=1",
        411,
    ),
    "too much": (b"Content-Length: 99999999999\r\n\r\n", 413),
    "huge headers": (b"X-Large: " + b"x" * 1_000_000 + b"\r\n\r\n", 431),
    "a forged connection": (b"X-Reader-Connection: 127.0.0.1 https a 1\r\nContent-Length: 0\r\n\r\n", 403),
}


def test_no_request_hides_in_another(service: Service) -> None:
    found = {
        name: ask(service, b"POST /admin/login/ HTTP/1.1\r\n" + HOST + sent)
        for name, (sent, _status) in ATTACKS.items()
    }
    assert found == {name: status for name, (_sent, status) in ATTACKS.items()}
    assert (
        ask(service, b"GET http://evil.example/admin/login/ HTTP/1.1\r\n" + HOST + b"\r\n") == HTTPStatus.OK
    )
    assert ask(service, b"GET /admin/login/ HTTP/1.1\r\nHost: evil.example\r\n\r\n") == HTTPStatus.BAD_REQUEST
    assert "smuggled" not in service.log()
    assert service.get(LOGIN).status == HTTPStatus.OK


def test_an_answer_that_nobody_reads_frees_its_slot(service: Service) -> None:
    request = b"GET /admin/login/ HTTP/1.1\r\n" + HOST + b"\r\n"
    for _ in range(WORKERS * EDITORS + 10):
        open_connection(service, request).close()
    wait_until("the slots are free again", lambda: set(statuses_of_all(service)) == {HTTPStatus.OK})


def statuses_of_all(service: Service) -> Iterator[int]:
    with service.connections() as connections:
        for connection in connections.values():
            connection.request("GET", LOGIN)
            response = connection.getresponse()
            response.read()
            yield response.status


def test_a_reload_loses_no_request_of_an_editor(service: Service) -> None:
    statuses = set()
    (former,) = service.back_office_workers()
    with Readers(service.port, QUESTIONS) as readers:
        service.reload()

        def is_replaced() -> bool:
            connection = connect(service.port)
            connection.request("POST", LOGIN, "username=a", {"Cookie": "csrftoken=none"})
            response = connection.getresponse()
            statuses.add(response.status)
            process = response.headers["X-Process"]
            connection.close()
            return former not in service.back_office_workers() and process != str(former)

        wait_until("the back office's worker is replaced", is_replaced)
    # Refused for the missing token, and not by anything in between.
    assert statuses == {HTTPStatus.FORBIDDEN}
    assert readers.failed == []
