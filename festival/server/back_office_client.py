"""Requests from a reader process to the back office process, over its Unix socket."""

import logging
from http.client import HTTPConnection, HTTPException, HTTPResponse, RemoteDisconnected
from socket import AF_UNIX, SOCK_STREAM, socket
from typing import IO, NamedTuple

logger = logging.getLogger(__name__)

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
# Seconds to wait for the next bytes of a response: longer than a proxy in front waits.
TIMEOUT = 300
# How often a request is sent if a process that ended had not read it.
ATTEMPTS = 3
BLOCK = 65_536


class Request(NamedTuple):
    """A request; its body is a file that can be read again."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: IO[bytes]

    @property
    def is_safe(self) -> bool:
        return self.method in SAFE_METHODS


class BackOfficeAwayError(Exception):
    """The back office does not answer, and has not begun with the request."""


class BackOfficeBrokenError(Exception):
    """The connection broke when the back office may have done what the request asks for."""


class UnixConnection(HTTPConnection):
    """An HTTP connection over a Unix socket."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=TIMEOUT, blocksize=BLOCK)
        self.path = path

    def connect(self) -> None:
        self.sock = socket(AF_UNIX, SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def send(path: str, request: Request) -> HTTPResponse:
    """Send a request to the process that listens at a path, and return the response with its headers read.

    A request that the process did not read to its end is sent again, because a process that is replaced
    closes connections that it has accepted and not read from.
    Raises `BackOfficeAwayError`, `BackOfficeBrokenError`, or ValueError for what HTTP does not allow.
    """
    for _attempt in range(ATTEMPTS):
        connection = UnixConnection(path)
        try:
            connection.connect()
        except OSError as error:
            connection.close()
            raise BackOfficeAwayError from error
        response = _send_once(connection, request)
        if response is not None:
            return response
    raise BackOfficeAwayError


def _send_once(connection: HTTPConnection, request: Request) -> HTTPResponse | None:
    """Return the response; None if the request was not read to its end and can be sent again."""
    is_sent = False
    try:
        is_sent = _write(connection, request)
        response = connection.getresponse()
    except ValueError:
        connection.close()
        raise
    except (OSError, HTTPException) as error:
        connection.close()
        # A socket that is closed before all was read from it resets the connection.
        is_unread = not is_sent or type(error) is ConnectionResetError
        if is_unread or (request.is_safe and isinstance(error, RemoteDisconnected)):
            return None
        logger.warning("The back office broke off %s %s: %r", request.method, request.target, error)
        if request.is_safe:
            raise BackOfficeAwayError from error
        raise BackOfficeBrokenError from error
    if connection.sock:
        # The response has a file of its own of the socket, so that closing it closes the connection.
        connection.sock.close()
    return response


def _write(connection: HTTPConnection, request: Request) -> bool:
    """Write a request; return whether all of it was accepted."""
    request.body.seek(0)
    connection.putrequest(request.method, request.target, skip_host=True, skip_accept_encoding=True)
    for name, value in request.headers:
        connection.putheader(name, value)
    try:
        connection.endheaders(request.body)
    except (BrokenPipeError, ConnectionResetError):
        # There may be a response: to a request that is refused before it was read.
        return False
    return True
