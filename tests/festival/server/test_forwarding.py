"""Requests for the back office, forwarded over a Unix socket to a server that each test prescribes."""

import errno
import io
import os
import re
import runpy
import socket
import stat
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, NamedTuple

import pytest
from django.http import Http404, HttpRequest
from django.urls import URLResolver
from django.urls.resolvers import RegexPattern

from festival import urls
from festival.http import errors, refused_senders
from festival.http.client_address import get_client_address
from festival.http.refused_senders import PAUSE
from festival.metrics import BACK_OFFICE_BUSY, SIGN_INS
from festival.server import forwarding
from festival.server import forwarding_pages as pages
from festival.server.back_office_process import BackOfficeProcess
from festival.server.forwarding import MAX_BODY_MB, ForwardedRequests, Forwarder

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)\r\n")
HERE = "X-Reader-Connection: 192.0.2.1 http 127.0.0.1 8000"


class Response(NamedTuple):
    status: str
    headers: list[tuple[str, str]]
    body: bytes


def read_request(connection: socket.socket) -> bytes:
    read = b""
    while b"\r\n\r\n" not in read:
        read += connection.recv(65536)
    length = LENGTH.search(read)
    while len(read.partition(b"\r\n\r\n")[2]) < (int(length[1]) if length else 0):
        read += connection.recv(65536)
    return read


class BackOffice:
    """A server that answers each connection with the next answer: bytes, or a function of the connection."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.requests: list[bytes] = []
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(path))
        self._listener.listen()

    def answer(self, *answers: bytes | Callable[[socket.socket], Any]) -> None:
        Thread(target=self._run, args=answers, daemon=True).start()

    def _run(self, *answers: bytes | Callable[[socket.socket], Any]) -> None:
        for answer in answers:
            connection, _address = self._listener.accept()
            with connection:
                if isinstance(answer, bytes):
                    self.requests.append(read_request(connection))
                    connection.sendall(answer)
                else:
                    answer(connection)

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def back_office() -> Iterable[BackOffice]:
    # pytest's own folders have too long a name.
    with TemporaryDirectory() as folder:
        found = BackOffice(Path(folder, "socket"))
        yield found
        found.close()


@pytest.fixture
def forwarder(back_office: BackOffice) -> Forwarder:
    def readers_application(_environ: Any, start_response: Any) -> list[bytes]:
        start_response("200 OK", [])
        return [b"for readers"]

    return Forwarder(readers_application, str(back_office.path), 2)


def build_environ(method: str, path: str, body: bytes = b"", **more: str) -> dict[str, Any]:
    length = {"CONTENT_LENGTH": str(len(body))} if body else {}
    return {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "REMOTE_ADDR": "192.0.2.1",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "HTTP_HOST": "program.example",
        **length,
        **more,
    }


def ask(
    application: Any, method: str = "GET", path: str = "/admin/", body: bytes = b"", **more: str
) -> Response:
    started: list[Any] = []
    answer = application(build_environ(method, path, body, **more), lambda *start: started.append(start))
    with ExitStack() as stack:
        if hasattr(answer, "close"):
            stack.callback(answer.close)
        content = b"".join(answer)
    return Response(*started[0], content)


def sent_lines(back_office: BackOffice) -> list[str]:
    """Return the first line and the headers of a request, all but its ID, which is another one each time."""
    (request,) = back_office.requests
    lines = request.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    assert [len(each) for each in lines if each.startswith("X-Request-Id: ")] == [len("X-Request-Id: ") + 32]
    return [each for each in lines if not each.startswith("X-Request-Id: ")]


def page(found: Response) -> tuple[str, str, str]:
    """Return the status, Retry-After and the English heading of a page."""
    headings = re.findall("<h1>(.*?)</h1>", found.body.decode())
    return found.status, dict(found.headers).get("Retry-After", ""), headings[1]


# --- What is forwarded, and how -----------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/administration", "/api/admin/", "//admin/", "/Admin/", "/admin.html"]
)
def test_everything_else_is_answered_here(forwarder, path):
    assert ask(forwarder, path=path).body == b"for readers"


def test_a_request_is_forwarded_as_it_came(forwarder, back_office):
    back_office.answer(OK)
    sent = {"HTTP_COOKIE": "a=1; b=2", "HTTP_X_FORWARDED_FOR": "203.0.113.9", "CONTENT_TYPE": "text/plain"}
    found = ask(forwarder, "POST", "/admin/login/", b"name=\xe5", QUERY_STRING="next=/admin/?a=%20b", **sent)
    assert (found.status, found.body) == ("200 OK", b"ok")
    assert sent_lines(back_office) == [
        "POST /admin/login/?next=/admin/?a=%20b HTTP/1.1",
        "Host: program.example",
        "Cookie: a=1; b=2",
        "X-Forwarded-For: 203.0.113.9",
        HERE,
        "Connection: close",
        "Content-Type: text/plain",
        "Content-Length: 6",
    ]
    assert back_office.requests[0].endswith(b"\r\n\r\nname=\xe5")


def test_a_path_is_encoded_again(forwarder, back_office):
    back_office.answer(OK)
    ask(forwarder, path="/admin/å ?#\r\nX: y".encode().decode("latin-1"))
    assert sent_lines(back_office)[0] == "GET /admin/%C3%A5%20%3F%23%0D%0AX:%20y HTTP/1.1"


def test_a_response_is_returned_with_each_cookie_and_without_what_concerns_its_connection(
    forwarder, back_office
):
    headers = (
        b"Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\nServer: x\r\nDate: y\r\nKeep-Alive: 5"
    )
    back_office.answer(b"HTTP/1.1 302 Found\r\nLocation: /admin/\r\n" + headers + b"\r\n\r\n")
    expected = [
        ("Location", "/admin/"),
        ("Set-Cookie", "a=1"),
        ("Set-Cookie", "b=2"),
        ("Content-Length", "0"),
    ]
    assert ask(forwarder) == Response("302 Found", expected, b"")


def test_the_response_to_head_has_no_body(forwarder, back_office):
    back_office.answer(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n")
    assert ask(forwarder, "HEAD") == Response("200 OK", [("Content-Length", "500")], b"")


def test_a_stream_is_passed_on_as_it_comes(forwarder, back_office):
    go_on = Event()

    def send_in_parts(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
        assert go_on.wait(10)
        connection.sendall(b"3\r\ntwo\r\n0\r\n\r\n")

    back_office.answer(send_in_parts)
    answer = forwarder(build_environ("POST", "/admin/import/1/apply/"), lambda *_start: None)
    parts = iter(answer)
    assert next(parts) == b"one"
    go_on.set()
    assert list(parts) == [b"two"]
    answer.close()


def test_the_back_office_sees_the_connection_of_the_client(back_office, forwarder, known_settings):
    known_settings.TRUSTED_PROXIES = ["192.0.2.1"]
    back_office.answer(OK)
    forged = {
        "HTTP_X_READER_CONNECTION": "127.0.0.1 https evil.example 1",
        "HTTP_X_FORWARDED_FOR": "9.9.9.9, 203.0.113.5",
    }
    ask(forwarder, **forged)
    lines = sent_lines(back_office)
    assert [line for line in lines if line.startswith("X-Reader-Connection")] == [HERE]
    there: dict[str, Any] = {}
    seen = ForwardedRequests(lambda environ, _start: there.update(environ) or [])
    seen(
        {
            "REMOTE_ADDR": "",
            "SERVER_NAME": "/run/socket",
            "SERVER_PORT": "0",
            "wsgi.url_scheme": "http",
            "HTTP_X_READER_CONNECTION": HERE.partition(": ")[2],
            "HTTP_X_FORWARDED_FOR": "9.9.9.9, 203.0.113.5",
            "HTTP_X_REQUEST_ID": "0123456789abcdef",
        },
        None,
    )
    assert there == {
        "REMOTE_ADDR": "192.0.2.1",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "wsgi.url_scheme": "http",
        "HTTP_X_FORWARDED_FOR": "9.9.9.9, 203.0.113.5",
        "HTTP_X_REQUEST_ID": "0123456789abcdef",
        "festival.request_id": "0123456789abcdef",
    }
    assert get_client_address(there) == "203.0.113.5"


# --- What is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"CONTENT_LENGTH": str(MAX_BODY_MB * 1_000_000 + 1)}, pages.TOO_LARGE),
        ({"CONTENT_LENGTH": "-1"}, pages.MALFORMED),
        ({"CONTENT_LENGTH": "5"}, pages.MALFORMED),
        ({"HTTP_TRANSFER_ENCODING": "chunked"}, pages.NO_LENGTH),
        ({"HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": "5"}, pages.NO_LENGTH),
        ({"HTTP_COOKIE": "a\r\nContent-Length: 9"}, pages.MALFORMED),
        ({"HTTP_COOKIE": "☃"}, pages.MALFORMED),
    ],
)
def test_what_cannot_be_forwarded_is_refused(forwarder, back_office, sent, expected):
    found = ask(forwarder, "POST", **sent)
    assert page(found) == (f"{expected.status.value} {expected.status.phrase}", "", expected.en.heading)
    assert back_office.requests == []


def test_headers_that_look_like_the_length_are_dropped(forwarder, back_office):
    back_office.answer(OK)
    # granian turns underscores in names into hyphens.
    sent = {
        "HTTP_CONTENT_LENGTH": "99",
        "HTTP_CONTENT_TYPE": "x",
        "HTTP_CONNECTION": "Cookie",
        "HTTP_EXPECT": "x",
    }
    ask(forwarder, "POST", body=b"abc", HTTP_COOKIE="a=1", **sent)
    assert sent_lines(back_office)[1:] == [
        "Host: program.example",
        "Cookie: a=1",
        HERE,
        "Connection: close",
        "Content-Length: 3",
    ]


def test_more_than_the_slots_are_refused_at_once_until_one_is_free(forwarder, back_office):
    go_on, arrived = Event(), [Event(), Event()]

    def wait(which: Event) -> Callable[[socket.socket], None]:
        def answer(connection: socket.socket) -> None:
            read_request(connection)
            which.set()
            assert go_on.wait(10)
            connection.sendall(OK)

        return answer

    # One thread for each, because they overlap.
    back_office.answer(wait(arrived[0]))
    waiting = [Thread(target=ask, args=(forwarder,)) for _ in arrived]
    waiting[0].start()
    assert arrived[0].wait(10)
    back_office.answer(wait(arrived[1]))
    waiting[1].start()
    assert arrived[1].wait(10)
    assert page(ask(forwarder)) == ("503 Service Unavailable", "5", "The back office is busy right now")
    assert ask(forwarder, path="/").body == b"for readers"
    go_on.set()
    for thread in waiting:
        thread.join()
    back_office.answer(OK)
    assert ask(forwarder).body == b"ok"


def test_what_is_refused_to_a_whole_network_is_refused_here(forwarder, back_office, monkeypatch):
    pauses: list[float] = []
    monkeypatch.setattr(refused_senders, "sleep", pauses.append)
    before = SIGN_INS.labels("refused")._value.get()
    refusal = (
        b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 2\r\nRetry-After: 900\r\n"
        b"X-Network-Refused: 900\r\nConnection: close\r\n\r\nno"
    )
    back_office.answer(refusal, OK, OK, OK)
    sent = {"method": "POST", "path": "/admin/login/", "body": b"username=anna"}
    first = ask(forwarder, **sent)
    assert first == ("429 Too Many Requests", [("Content-Length", "2"), ("Retry-After", "900")], b"no")
    found = [ask(forwarder, **sent, HTTP_COOKIE=f"a={number}") for number in range(3)]
    refused = ("429 Too Many Requests", "900", "Too many attempts to sign in from your network")
    assert [page(each) for each in found] == [refused] * 3
    assert "Försök igen om 15 minuter. Brådskar det" in found[0].body.decode()
    assert (len(back_office.requests), pauses) == (1, [PAUSE] * 3)
    assert SIGN_INS.labels("refused")._value.get() == before + 3
    # Pages, and what is sent elsewhere or by others, are forwarded as before.
    assert ask(forwarder, path="/admin/login/").body == b"ok"
    assert ask(forwarder, "POST", "/admin/logout/", b"a=b").body == b"ok"
    assert ask(forwarder, **sent, REMOTE_ADDR="192.0.2.2").body == b"ok"


def test_what_is_refused_to_one_account_is_asked_for_each_time(forwarder, back_office):
    refusal = b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\nRetry-After: 900\r\n\r\n"
    back_office.answer(refusal, OK)
    sent = {"method": "POST", "path": "/admin/login/", "body": b"username=anna"}
    assert ask(forwarder, **sent).status == "429 Too Many Requests"
    assert ask(forwarder, **sent).body == b"ok"


class SlowBody:
    """A body that does not arrive before `go_on`."""

    def __init__(self) -> None:
        self.is_read, self.go_on = Event(), Event()

    def read(self, size: int) -> bytes:
        self.is_read.set()
        assert self.go_on.wait(10)
        return b"x" * size


def test_slow_bodies_take_no_slot_and_one_client_half_of_the_places(forwarder, back_office):
    slow = [SlowBody(), SlowBody()]
    threads = []
    for number, body in enumerate(slow):
        environ = build_environ("POST", "/admin/", b"x") | {
            "wsgi.input": body,
            "REMOTE_ADDR": f"192.0.2.{number}",
        }
        threads.append(Thread(target=forwarder, args=(environ, lambda *_start: None)))
    busy = ("503 Service Unavailable", "5", "The back office is busy right now")
    before = BACK_OFFICE_BUSY.labels("bodies")._value.get()
    threads[0].start()
    assert slow[0].is_read.wait(10)
    assert page(ask(forwarder, "POST", body=b"a", REMOTE_ADDR="192.0.2.0")) == busy
    back_office.answer(OK, OK)
    assert ask(forwarder, "POST", body=b"a", REMOTE_ADDR="192.0.2.1").body == b"ok"
    threads[1].start()
    assert slow[1].is_read.wait(10)
    assert page(ask(forwarder, "POST", body=b"a", REMOTE_ADDR="192.0.2.2")) == busy
    assert ask(forwarder).body == b"ok"
    assert BACK_OFFICE_BUSY.labels("bodies")._value.get() == before + 2
    back_office.answer(OK, OK, OK)
    for body, thread in zip(slow, threads, strict=True):
        body.go_on.set()
        thread.join()
    assert ask(forwarder, "POST", body=b"a").body == b"ok"


# --- A back office that ends --------------------------------------------------------------------


def test_without_the_process_a_page_says_that_nothing_is_saved(forwarder, back_office):
    back_office.close()
    found = ask(forwarder, "POST", body=b"a=1")
    assert page(found) == ("503 Service Unavailable", "5", "The back office is restarting")
    assert b"what you typed is then sent again" in found.body
    # A page that is refreshed by itself would lose the form.
    assert b"http-equiv" not in found.body
    assert b'http-equiv="refresh" content="5"' in ask(forwarder).body


def test_a_body_for_which_the_disk_has_no_room_is_refused_with_the_cause(forwarder, back_office, monkeypatch):
    class Full(io.BytesIO):
        def write(self, _block: Any) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(forwarding, "SpooledTemporaryFile", lambda _size: Full())
    found = ask(forwarder, "POST", body=b"a=1")
    assert page(found) == ("507 Insufficient Storage", "", "The server's disk is full".replace("'", "&#x27;"))
    assert back_office.requests == []


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_a_process_that_ends_has_not_read_is_sent_again(forwarder, back_office, method):
    back_office.answer(lambda connection: connection.recv(10), OK)
    assert ask(forwarder, method, body=b"a=1").body == b"ok"


def test_what_it_has_read_is_sent_again_only_if_it_saves_nothing(forwarder, back_office):
    back_office.answer(read_request, OK, read_request)
    assert ask(forwarder).body == b"ok"
    found = ask(forwarder, "POST", body=b"a=1")
    assert page(found) == ("502 Bad Gateway", "", "The back office was interrupted")


def test_half_a_response_is_none(forwarder, back_office):
    back_office.answer(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
    assert page(ask(forwarder)) == ("502 Bad Gateway", "", "The back office was interrupted")


# --- Processes ----------------------------------------------------------------------------------


def test_a_process_that_forwards_has_no_page_of_the_back_office(known_settings):
    def leads_to(path: str) -> str:
        patterns = runpy.run_path(urls.__file__)["urlpatterns"]
        return URLResolver(RegexPattern("^/"), patterns).resolve(path).view_name

    known_settings.BACK_OFFICE_SOCKET = "/run/back-office.sock"
    assert leads_to("/admin/") == "admin:index"
    with pytest.raises(Http404):
        errors.not_forwarded(HttpRequest())
    for path in ("/admin/login/", "/admin/import/", "/admin/programme/event/"):
        # The pattern that takes off a slash at the end.
        assert leads_to(path) == "pages.views.without_slash"
    known_settings.BACK_OFFICE_SOCKET = ""
    assert leads_to("/admin/import/") == "admin:import"


def test_a_socket_with_too_long_a_name_is_elsewhere(tmp_path):
    socket_path = tmp_path / ("x" * 100) / "back-office-8000.sock"
    process = BackOfficeProcess(socket_path, 8, "text")
    assert process.socket.name == socket_path.name
    assert stat.S_IMODE(process.socket.parent.stat().st_mode) == 0o700
    process.stop()
    assert not process.socket.parent.exists()
