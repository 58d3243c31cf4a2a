"""The production server, started for the benchmark on a free port, and wrk, which puts it under load."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from tempfile import TemporaryFile

from benchmarks.databases import Environment

SERVICE = ("manage.py", "serve")
# The same server with another application: benchmarks/bare_application.py.
BARE = ("-m", "benchmarks.bare_application")
WORKERS, THREADS = 2, 4
CONNECTIONS = 32
ANSWER_TIMEOUT = 60.0
# So many connections in a row reach every worker, all but certainly.
ALL_WORKERS = 16
# What the server says by itself, from what it is given.
SERVER_HEADERS = frozenset({"server", "date", "connection", "transfer-encoding", "content-length"})

Headers = list[tuple[str, str]]


@contextmanager
def run_server(application: tuple[str, ...], environment: Environment) -> Iterator[int]:
    """Serve an application under the production server's own options; yield its port once it answers.

    Without an access log, which costs every application the same, and so would bring them closer together.
    """
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ("--host=127.0.0.1", f"--port={port}", f"--workers={WORKERS}", f"--threads={THREADS}")
    command = [sys.executable, *application, *options]
    quiet = environment | {"WEB_ACCESS_LOG": "false"}
    with (
        TemporaryFile() as said,
        subprocess.Popen(command, env=quiet, stdout=subprocess.DEVNULL, stderr=said) as server,
    ):
        try:
            while not _answers(port):
                if server.poll() is not None:
                    said.seek(0)
                    raise SystemExit(f"{command} has ended: {said.read().decode()}")
                time.sleep(0.1)
            yield port
        finally:
            server.terminate()


def _answers(port: int) -> bool:
    """Return whether all workers answer."""
    try:
        for _ in range(ALL_WORKERS):
            get(port, "/api/areas", {})
    except ConnectionError:
        return False
    return True


def get(port: int, address: str, headers: dict[str, str]) -> tuple[int, Headers, bytes]:
    """Return status, headers (names in lower case, without the server's own), and body as it was sent."""
    connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER_TIMEOUT)
    connection.putrequest("GET", address, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    connection.close()
    sent = [(name.lower(), value) for name, value in response.getheaders()]
    return response.status, [header for header in sent if header[0] not in SERVER_HEADERS], body


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
