"""A connection on which anything can be sent: no client library writes what attackers write."""

import select
import socket
import time
from http.client import HTTPException, HTTPResponse
from typing import NamedTuple, Self

from benchmarks.endurance.hostile import HostileRequest
from benchmarks.endurance.verdicts import Answer

# Longer than anything should take; what is not answered by then counts as not answered.
TIMEOUT = 20
FIRST_BYTE_TIMEOUT = 0.3


class TimedAnswer(NamedTuple):
    """What came back (None: nothing that is an answer), and the seconds until its last byte."""

    answer: Answer | None
    seconds: float

    @property
    def status(self) -> int | None:
        return self.answer.status if self.answer else None


class Connection:
    """A connection that is kept for as long as the server keeps it, and made anew after that."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._socket: socket.socket | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        if self._socket:
            self._socket.close()
        self._socket = None

    def ask(self, request: HostileRequest) -> TimedAnswer:
        """Send a request as HTTP means it to be sent."""
        data, was_kept = encode_request(request), self._socket is not None
        timed = self.send(data, request.method)
        if timed.answer is None and was_kept:
            # The server may close a connection that it keeps at any time (RFC 9112, section 9.5).
            return self.send(data, request.method)
        return timed

    def send(self, data: bytes, method: str, *, ends: bool = False) -> TimedAnswer:
        """Send bytes and read one answer.

        `ends`: if there is none within a moment, tell the server that nothing more will come.
        """
        connected = self._socket or self._connect()
        started_at = time.perf_counter()
        try:
            connected.sendall(data)
            if ends and not select.select([connected], [], [], FIRST_BYTE_TIMEOUT)[0]:
                connected.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the server may refuse what it has not read to its end, and says so
        try:
            answer = self._receive(connected, method)
        except (OSError, HTTPException):
            answer = None
            self.close()
        return TimedAnswer(answer, time.perf_counter() - started_at)

    def _connect(self) -> socket.socket:
        self._socket = socket.create_connection(("127.0.0.1", self.port), TIMEOUT)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._socket

    def _receive(self, connected: socket.socket, method: str) -> Answer:
        response = HTTPResponse(connected, method=method)
        response.begin()
        body = response.read()
        if response.will_close:
            self.close()
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, body)


def encode_request(request: HostileRequest) -> bytes:
    """Return the bytes of a request in HTTP/1.1."""
    lines = [
        f"{request.method} {request.target} HTTP/1.1",
        *(f"{name}: {value}" for name, value in request.headers),
    ]
    if request.body:
        lines.append(f"Content-Length: {len(request.body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + request.body
