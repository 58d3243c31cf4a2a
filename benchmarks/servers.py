"""The production server on a free port, and wrk, which generates load."""

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
# So many connections almost certainly reach every worker.
ALL_WORKERS = 16
# Headers that the server adds or derives.
SERVER_HEADERS = frozenset({"server", "date", "connection", "transfer-encoding", "content-length"})

Headers = list[tuple[str, str]]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


@contextmanager
def run_server(application: tuple[str, ...], environment: Environment) -> Iterator[int]:
    """Serve an application with the options of the production server; yield its port once all workers answer.

    There is no access log: it would cost every application the same, and so hide differences.
    """
    port = free_port()
    options = ("--host=127.0.0.1", f"--port={port}", f"--workers={WORKERS}", f"--threads={THREADS}")
    command = [sys.executable, *application, *options]
    quiet = environment | {"WEB_ACCESS_LOG": "false"}
    with (
        TemporaryFile() as errors,
        subprocess.Popen(command, env=quiet, stdout=subprocess.DEVNULL, stderr=errors) as server,
    ):
        try:
            while not _answers(port):
                if server.poll() is not None:
                    errors.seek(0)
                    raise SystemExit(f"{command} has ended: {errors.read().decode()}")
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
    """Return the status, the headers (lower case, without the server's own), and the encoded body."""
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
    """Return the rate that wrk measures on kept-alive connections; exit if a request fails."""
    options = [f"--header={name}: {value}" for name, value in headers.items()]
    command = ["wrk", "--threads=1", f"--connections={CONNECTIONS}", f"--duration={seconds}s", *options]
    report = subprocess.run(
        [*command, f"http://127.0.0.1:{port}{address}"], check=True, text=True, stdout=subprocess.PIPE
    ).stdout
    rate = re.search(r"^Requests/sec: *([0-9.]+)$", report, re.MULTILINE)
    if rate is None or "Socket errors" in report or "Non-2xx" in report:
        raise SystemExit(f"{address} {headers}: {report}")
    return float(rate[1])
