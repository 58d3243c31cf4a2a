"""A connection that can send anything: client libraries refuse to send what attackers do."""

import select
import socket
import time
from http.client import HTTPException, HTTPResponse
from typing import NamedTuple, Self

from benchmarks.endurance.hostile import HostileRequest
from benchmarks.endurance.verdicts import Answer

# Seconds to wait for an answer.
TIMEOUT = 20
FIRST_BYTE_TIMEOUT = 0.3


class TimedAnswer(NamedTuple):
    """The answer, or None if there was no valid one, and the seconds until its last byte."""

    answer: Answer | None
    seconds: float

    @property
    def status(self) -> int | None:
        return self.answer.status if self.answer else None


class Connection:
    """A connection that is opened again after the server has closed it."""

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

    def request(self, request: HostileRequest) -> TimedAnswer:
        """Send a request in valid HTTP."""
        data, is_reused = encode_request(request), self._socket is not None
        timed = self.send(data, request.method)
        if timed.answer is None and is_reused:
            # The server may close an idle connection at any time (RFC 9112, section 9.5).
            return self.send(data, request.method)
        return timed

    def send(self, data: bytes, method: str, *, ends: bool = False) -> TimedAnswer:
        """Send bytes and read one answer; with `ends`, close the sending side if there is none at first."""
        connected = self._socket or self._connect()
        started_at = time.perf_counter()
        try:
            connected.sendall(data)
            if ends and not select.select([connected], [], [], FIRST_BYTE_TIMEOUT)[0]:
                connected.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the server may refuse a request before it has read all of it
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
