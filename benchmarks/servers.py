"""The production server, started for the benchmark on a free port, and wrk, which puts it under load."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection

from benchmarks.databases import Environment

OURS, BARE = "festival.wsgi:application", "benchmarks.bare:application"
OPTIONS = ("--interface", "wsgi", "--workers", "2", "--blocking-threads", "1", "--no-ws")
CONNECTIONS = 32
STARTS_WITHIN = 60.0
# What the server says by itself, from what it is given.
ITS_OWN = frozenset({"server", "date", "connection", "transfer-encoding", "content-length"})

Headers = list[tuple[str, str]]


@contextmanager
def serving(application: str, environment: Environment) -> Iterator[int]:
    """Serve an application under the production server's options; yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "granian", *OPTIONS, "--port", str(port), "--no-log", application]
    with subprocess.Popen(command, env=environment) as server:
        try:
            _wait_for(port, server)
            yield port
        finally:
            server.terminate()


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < deadline and server.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise SystemExit(f"{server.args!r} does not answer")


def get(port: int, address: str, headers: dict[str, str]) -> tuple[int, Headers, bytes]:
    """Return status, headers (names in lower case, without the server's own), and body as it was sent."""
    connection = HTTPConnection("127.0.0.1", port, timeout=STARTS_WITHIN)
    connection.putrequest("GET", address, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    connection.close()
    sent = [(name.lower(), value) for name, value in response.getheaders()]
    return response.status, [header for header in sent if header[0] not in ITS_OWN], body


def requests_per_second(port: int, address: str, headers: dict[str, str], seconds: int) -> float:
    """Return what wrk counts on kept-alive connections; it ends the benchmark if any request fails."""
    stated = [f"--header={name}: {value}" for name, value in headers.items()]
    command = ["wrk", "--threads=1", f"--connections={CONNECTIONS}", f"--duration={seconds}s", *stated]
    report = subprocess.run(
        [*command, f"http://127.0.0.1:{port}{address}"], check=True, text=True, stdout=subprocess.PIPE
    ).stdout
    counted = re.search(r"^Requests/sec: *([0-9.]+)$", report, re.MULTILINE)
    if counted is None or "Socket errors" in report or "Non-2xx" in report:
        raise SystemExit(f"{address} {headers}: {report}")
    return float(counted[1])
