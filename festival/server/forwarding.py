"""Forward requests for the back office from the processes that serve readers to the back office process.

`Forwarder` is WSGI middleware of the former, `ForwardedRequests` of the latter. Between them is a Unix socket
that only the service's user can open, and one connection for each request.
"""

import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPException, HTTPResponse
from tempfile import SpooledTemporaryFile
from threading import Lock, Semaphore
from typing import IO, Any
from urllib.parse import quote

from festival.http.client_address import find_network, get_client_address
from festival.http.refused_senders import HEADER, RefusedSenders
from festival.http.request_id import ensure_request_id
from festival.metrics import BACK_OFFICE_BUSY, SIGN_INS
from festival.server import forwarding_pages as pages
from festival.server.back_office_client import (
    BLOCK,
    SAFE_METHODS,
    BackOfficeAwayError,
    BackOfficeBrokenError,
    Request,
    send,
)

Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]
Headers = list[tuple[str, str]]

BACK_OFFICE = "/admin"
# The longest request body, in megabytes; nginx has the same limit, and forms have smaller ones.
MAX_BODY_MB = 20
# Bytes of a body that are kept in memory; the rest is in a temporary file.
_MEMORY = 1_000_000

# What a request needed to get here (RFC 9110, section 7.6.1), or is set again. Others that a client names in
# `Connection` are forwarded all the same, lest it removes what a proxy has added.
_NOT_FORWARDED = frozenset(
    {
        *("CONNECTION", "KEEP_ALIVE", "PROXY", "PROXY_CONNECTION", "TE", "TRAILER", "TRANSFER_ENCODING"),
        *("UPGRADE", "EXPECT", "CONTENT_LENGTH", "CONTENT_TYPE"),
    }
)
# The same of a response; the server adds the last two to each.
_NOT_RETURNED = frozenset({"connection", "keep-alive", "transfer-encoding", "date", "server", HEADER.lower()})
_PATH_CHARACTERS = "/:@!$&'()*+,;=~"

# What a process knows of its client's connection, in a header that no client can set: it is overwritten.
CONNECTION_HEADER = "X-Reader-Connection"
_CONNECTION_VARIABLE = "HTTP_X_READER_CONNECTION"
_CONNECTION_FACTS = ("REMOTE_ADDR", "wsgi.url_scheme", "SERVER_NAME", "SERVER_PORT")


class Forwarder:
    """WSGI middleware that forwards the back office's requests to `socket`, at most `slots` at a time."""

    def __init__(self, application: Application, socket: str, slots: int) -> None:
        self.application = application
        self.socket = socket
        self._slots = Semaphore(slots)
        self._reading = _Reading(slots)
        self._refused = RefusedSenders()

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if not path.startswith(BACK_OFFICE) or path[len(BACK_OFFICE) :][:1] not in ("", "/"):
            return self.application(environ, start_response)
        is_safe = environ["REQUEST_METHOD"] in SAFE_METHODS
        if not is_safe and (seconds := self._refused.find(*_find_sender(environ))):
            SIGN_INS.labels("refused").inc()
            self._refused.pause()
            return _respond_with_page(pages.refuse_network(seconds), environ, start_response)
        with ExitStack() as stack:
            try:
                return self._forward(environ, start_response, stack)
            except _RefusedError as refused:
                return _respond_with_page(refused.page, environ, start_response)

    def _forward(self, environ: Environ, start_response: Any, stack: ExitStack) -> Iterable[bytes]:
        body = stack.enter_context(SpooledTemporaryFile(_MEMORY))  # noqa: SIM115
        # The back office process logs the request by the same ID.
        ensure_request_id(environ)
        if environ.get("CONTENT_LENGTH", "0") != "0" or "HTTP_TRANSFER_ENCODING" in environ:
            with self._reading.of(get_client_address(environ)):
                _read_body(environ, body)
        self._take_slot(stack)
        request = _build_request(environ, body)
        response = stack.enter_context(self._send(request))
        if not request.is_safe:
            self._refused.learn(*_find_sender(environ), response.getheader(HEADER))
        headers = [each for each in response.getheaders() if each[0].lower() not in _NOT_RETURNED]
        if response.chunked:
            # The progress of an import comes bit by bit.
            start_response(f"{response.status} {response.reason}", headers)
            return _Stream(response, stack.pop_all())
        content = _read_content(response)
        start_response(f"{response.status} {response.reason}", headers)
        return [content]

    def _take_slot(self, stack: ExitStack) -> None:
        # It does not wait, because that would use up a thread that readers need.
        if not self._slots.acquire(blocking=False):
            BACK_OFFICE_BUSY.labels("slots").inc()
            raise _RefusedError(pages.BUSY)
        stack.callback(self._slots.release)

    def _send(self, request: Request) -> HTTPResponse:
        try:
            return send(self.socket, request)
        except BackOfficeAwayError:
            raise _RefusedError(pages.AWAY) from None
        except BackOfficeBrokenError:
            raise _RefusedError(pages.BROKEN) from None
        except ValueError:
            # A header or an address that HTTP does not allow.
            raise _RefusedError(pages.MALFORMED) from None


class _RefusedError(Exception):
    def __init__(self, page: pages.Page) -> None:
        super().__init__()
        self.page = page


class _Reading:
    """The bodies that are being read: at most `most` at a time, and half of them from one client.

    The server's read never times out: a client that does not send what it has announced keeps a thread for
    as long as it likes.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.most_of_one = max(1, most // 2)
        self._by_client: Counter[str] = Counter()
        self._lock = Lock()

    @contextmanager
    def of(self, client: str) -> Iterator[None]:
        with self._lock:
            if self._by_client.total() >= self.most or self._by_client[client] >= self.most_of_one:
                BACK_OFFICE_BUSY.labels("bodies").inc()
                raise _RefusedError(pages.BUSY)
            self._by_client[client] += 1
        try:
            yield
        finally:
            with self._lock:
                # It forgets clients that have none left.
                self._by_client -= Counter([client])


class _Stream:
    """A response that is passed on as it comes; closing it closes the connection, and frees the slot."""

    def __init__(self, response: HTTPResponse, stack: ExitStack) -> None:
        self.response = response
        self.close = stack.close

    def __iter__(self) -> Iterator[bytes]:
        while block := self.response.read1(BLOCK):
            yield block


class ForwardedRequests:
    """WSGI middleware of the back office process, which makes requests look as they came to the other one."""

    def __init__(self, application: Application) -> None:
        self.application = application

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        # While the connection still is the one over the socket.
        ensure_request_id(environ)
        facts = environ.pop(_CONNECTION_VARIABLE, "").split(" ")
        environ.update(zip(_CONNECTION_FACTS, facts, strict=False))
        return self.application(environ, start_response)


def _find_sender(environ: Environ) -> tuple[str, str]:
    """Return whom the back office may refuse: a network, at one of its paths."""
    return find_network(get_client_address(environ)), environ["PATH_INFO"]


def _read_body(environ: Environ, body: IO[bytes]) -> None:
    """Read a request's body to its end first, so that a slow client keeps no thread of the back office."""
    if "HTTP_TRANSFER_ENCODING" in environ:
        # Nobody could tell whether it has arrived whole.
        raise _RefusedError(pages.NO_LENGTH)
    length = environ.get("CONTENT_LENGTH") or "0"
    if not length.isascii() or not length.isdecimal():
        raise _RefusedError(pages.MALFORMED)
    if int(length) > MAX_BODY_MB * 1_000_000:
        raise _RefusedError(pages.TOO_LARGE)
    left = int(length)
    try:
        while left and (block := environ["wsgi.input"].read(min(left, BLOCK))):
            body.write(block)
            left -= len(block)
    except OSError:
        # The folder for temporary files has no room.
        raise _RefusedError(pages.DISK_FULL) from None
    if left:
        # The client has gone.
        raise _RefusedError(pages.MALFORMED)


def _build_request(environ: Environ, body: IO[bytes]) -> Request:
    headers = [
        (name.removeprefix("HTTP_").replace("_", "-").title(), value)
        for name, value in environ.items()
        if name.startswith("HTTP_") and name.removeprefix("HTTP_") not in _NOT_FORWARDED
    ]
    known = {CONNECTION_HEADER: " ".join(environ[name] for name in _CONNECTION_FACTS), "Connection": "close"}
    if content_type := environ.get("CONTENT_TYPE"):
        known["Content-Type"] = content_type
    if body.tell() or environ["REQUEST_METHOD"] not in SAFE_METHODS:
        known["Content-Length"] = str(body.tell())
    headers = [each for each in headers if each[0] not in known]
    return Request(environ["REQUEST_METHOD"], _build_target(environ), [*headers, *known.items()], body)


def _build_target(environ: Environ) -> str:
    path = quote(environ["PATH_INFO"], safe=_PATH_CHARACTERS, encoding="latin-1")
    query = quote(environ["QUERY_STRING"], safe=string.punctuation, encoding="latin-1", errors="replace")
    return f"{path}?{query}" if query else path


def _read_content(response: HTTPResponse) -> bytes:
    try:
        return response.read()
    except (OSError, HTTPException):
        raise _RefusedError(pages.BROKEN) from None


def _respond_with_page(page: pages.Page, environ: Environ, start_response: Any) -> list[bytes]:
    method = environ["REQUEST_METHOD"]
    content = page.content(is_safe=method in SAFE_METHODS)
    headers = [*page.headers(), ("Content-Length", str(len(content)))]
    start_response(f"{page.status.value} {page.status.phrase}", headers)
    return [] if method == "HEAD" else [content]
