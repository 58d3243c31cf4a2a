"""The documented nginx in front of both services: readers notice nothing of editors, of a reload or of a kill."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http import HTTPStatus
from select import select

import pytest

from tests.failures import nginx
from tests.failures.processes import free_port, frozen, kill
from tests.failures.reading import Question, Readers
from tests.failures.service import EDITORS, WORKERS, Answer, Service, connect, get
from tests.failures.wait import wait_until

LOGIN = "/admin/login/"
CALENDAR, LIST = "/api/events.ics", "/api/events.json"
QUESTIONS = (Question("/api/events", conditional=True), Question("/api/areas"), Question("/en/"))
HOST = b"Host: 127.0.0.1\r\n"
TWELVE = 12


@pytest.fixture(scope="module")
def service(shared: Service) -> Service:
    return shared


@pytest.fixture(scope="module")
def port(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    if nginx.BINARY is None:
        pytest.skip("nginx is not installed here (Debian: nginx-light)")
    folder = tmp_path_factory.mktemp("nginx")
    with nginx.as_documented(service.port, service.back_office_port, folder) as port:
        yield port


def ask(port: int, path: str) -> Answer:
    with closing(connect(port)) as connection:
        return get(connection, path)


def open_connection(port: int, sent: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    connection.sendall(sent)
    return connection


def test_readers_do_not_wait_for_slow_editors_nor_anybody_for_slow_uploads(service, port):
    request = b"GET /admin/password/ HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
    begun = b"POST /admin/logout/ HTTP/1.1\r\n" + HOST + b"Content-Length: 100\r\n\r\nusername="
    (worker,) = service.back_office_workers()
    with Readers(port, QUESTIONS) as readers, ExitStack() as opened:
        for _ in range(2 * EDITORS):
            opened.enter_context(open_connection(port, begun))
        assert ask(port, LOGIN).status == HTTPStatus.OK
        with frozen(worker):
            editors = [opened.enter_context(open_connection(port, request)) for _ in range(2 * EDITORS)]
            readers.wait_for_reads()
        statuses = {connection.makefile("rb").readline().split()[1] for connection in editors}
    assert (readers.failed, b"504" in statuses) == ([], False)


def test_who_tries_many_passwords_waits_and_is_then_refused_by_nginx(service, port):
    sent = b"POST /admin/login/ HTTP/1.1\r\n" + HOST + b"Content-Length: 0\r\n\r\n"
    with ExitStack() as opened:
        attempts = [opened.enter_context(open_connection(port, sent)) for _ in range(80)]
        # Refused for the missing token, and by nginx; the others wait for their turn.
        answered = wait_until("they are answered", lambda: find_answered(attempts, 1 + 20 + 19))
        statuses = sorted(each.recv(100).split()[1] for each in answered)
    assert (statuses[0], statuses[-1]) == (b"403", b"429")
    assert 21 <= statuses.count(b"403") <= 25
    assert ask(port, LOGIN).status == HTTPStatus.OK


def test_who_searches_all_the_time_is_refused_by_nginx_and_other_readers_are_not(service, port):
    sent = b"GET %s HTTP/1.1\r\n" + HOST + b"\r\n"
    paths = (b"/?q=%d", b"/api/events?modified_since=2026-01-01T00:00:%02dZ", b"/api/events.ics?%%71=%d")
    with ExitStack() as opened, Readers(port, QUESTIONS) as readers:
        searches = [
            opened.enter_context(open_connection(port, sent % (paths[number % 3] % (number % 60))))
            for number in range(180)
        ]
        answered = wait_until("they are answered", lambda: find_answered(searches, 180))
        statuses = [each.recv(100).split()[1] for each in answered]
        readers.wait_for_reads()
    # Those of the burst, and the first of all; some more on a slow machine.
    assert set(statuses) == {b"200", b"429"}
    assert 61 <= statuses.count(b"200") < 120
    assert readers.failed == []


def find_answered(connections: list[socket.socket], least: int) -> list[socket.socket]:
    answered, _, _ = select(connections, [], [], 0)
    return answered if len(answered) >= least else []


def test_no_read_fails_while_workers_are_replaced_and_killed(service, port):
    former = set(service.workers())
    with Readers(port, QUESTIONS, number=TWELVE, pause=0.001) as readers:
        service.reload()
        wait_until("all workers are replaced", lambda: not former & {*service.workers()})
        readers.wait_for_reads()
        wait_until("all listen", service.has_all_workers)
        kill(service.workers()[0])
        readers.wait_for_reads()
        wait_until("the killed one is replaced", service.has_all_workers)
        readers.wait_for_reads()
    assert readers.failed == []
    assert len(service.workers()) == WORKERS


def test_a_back_office_that_is_away_says_so_and_readers_notice_nothing(service, port):
    service.back_office.terminate()
    service.back_office.wait()
    with Readers(port, QUESTIONS) as readers:
        answer = ask(port, "/admin/programme/event/")
        of_editors = [
            ask(port, path).status
            for path in ("/admin", "/admin/none/", "/admin/import/", "/admin/organizer/")
        ]
        readers.wait_for_reads()
    assert readers.failed == []
    assert (answer.status, answer.headers["Retry-After"]) == (HTTPStatus.BAD_GATEWAY, "5")
    assert "<h1>Redaktionen svarar inte just nu</h1>" in answer.body.decode()
    assert set(of_editors) == {HTTPStatus.BAD_GATEWAY}
    # From outside that page is not there.
    assert ask(port, "/back-office-away").status == HTTPStatus.NOT_FOUND
    service.start_back_office()
    service.wait_for_workers()
    assert ask(port, LOGIN).status == HTTPStatus.OK


def test_the_calendar_is_answered_while_the_service_is_away(service, port):
    assert {ask(port, path).status for path in (CALENDAR, LIST)} == {HTTPStatus.OK}
    service.stop()
    # What depends on the clock must not be late.
    wait_until("the list is too old", lambda: ask(port, LIST).status == HTTPStatus.BAD_GATEWAY)
    answer = ask(port, CALENDAR)
    assert (answer.status, answer.headers["X-Cache"]) == (HTTPStatus.OK, "STALE")


SECRET = "c8w4g5-7c1c0f0b1f6d1a1f2e3d"
ADDRESSES = {
    "/admin/password/": "/admin/password/",
    f"/admin/password/MQ/{SECRET}/": "/admin/password/REDACTED",
    f"/admin//%70assword/MQ/{SECRET}/": "/admin/password/REDACTED",
    f"/admin/organizer/{SECRET}/": "/admin/organizer/REDACTED",
    f"/admin/account/oidc/login/callback/?code={SECRET}": "/admin/account/oidc/login/callback/",
    f"/my-list/{SECRET}.ics": "/my-list/REDACTED",
    f"/mitt-program?occation={SECRET}": "/mitt-program",
    f"/api/events.ics?occation={SECRET}": "/api/events.ics",
    "/media/%0aforged": r"/media/\x0Aforged",
}


@pytest.mark.skipif(nginx.BINARY is None, reason="nginx is not installed here (Debian: nginx-light)")
@pytest.mark.parametrize("read", [nginx.read_page, nginx.read_composition])
def test_no_log_of_nginx_has_a_link_or_somebodys_stars_or_a_line_that_was_sent(read, tmp_path):
    # Nothing listens behind it, which nginx would report as an error with the address.
    with nginx.as_documented(free_port(), free_port(), tmp_path, read()) as port:
        for path in ADDRESSES:
            with closing(connect(port)) as connection:
                get(connection, path, headers={"Referer": f"http://127.0.0.1/mitt-program?occation={SECRET}"})
    lines = (tmp_path / "access.log").read_text().splitlines()
    assert [line.split('"')[1] for line in lines] == [f"GET {path}" for path in ADDRESSES.values()]
    assert SECRET not in "".join(each.read_text() for each in tmp_path.glob("*.log"))
