"""The production server on a free port, and wrk, which generates load."""

import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from benchmarks import processes
from benchmarks.databases import Environment, program

SERVICE = ("manage.py", "serve")
# The same server with another application: benchmarks/bare_application.py.
BARE = ("-m", "benchmarks.bare_application")
WORKERS, THREADS = 2, 4
CONNECTIONS = 32
ANSWER_TIMEOUT = START_TIMEOUT = 60.0
UNAVAILABLE = 503
# So many connections almost certainly reach every worker.
ALL_WORKERS = 16
# Headers that the server adds or derives.
SERVER_HEADERS = frozenset({"server", "date", "connection", "transfer-encoding", "content-length"})

Headers = list[tuple[str, str]]


class Server(NamedTuple):
    """A server that runs: its port, its main process, and the seconds from its start to its first answer."""

    port: int
    process: int
    first_answer: float


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


@contextmanager
def run_server(
    application: tuple[str, ...], environment: Environment, port: int | None = None
) -> Iterator[Server]:
    """Serve an application with the options of the production server; yield once all workers answer.

    There is no access log: it would cost every application the same, and so hide differences.
    """
    port = port or free_port()
    options = ("--host=127.0.0.1", f"--port={port}", f"--workers={WORKERS}", f"--threads={THREADS}")
    command = program(environment | {"WEB_ACCESS_LOG": "false"}, *application, *options)
    began = time.perf_counter()
    with (
        TemporaryFile() as errors,
        subprocess.Popen(**command, stdout=subprocess.DEVNULL, stderr=errors) as process,
    ):
        try:
            _wait(port, 1, process, errors)
            first_answer = time.perf_counter() - began
            _wait(port, ALL_WORKERS, process, errors)
            yield Server(port, process.pid, first_answer)
        finally:
            process.terminate()


def _wait(port: int, answers: int, process: "subprocess.Popen[bytes]", errors: IO[bytes]) -> None:
    """Wait until so many connections in turn are answered; exit if they are not."""
    ends = time.monotonic() + START_TIMEOUT
    while not _answers(port, answers):
        if process.poll() is not None or time.monotonic() > ends:
            errors.seek(0)
            raise SystemExit(f"{process.args} does not answer: {errors.read().decode()}")
        time.sleep(0.02)


def _answers(port: int, connections: int) -> bool:
    try:
        return all(get(port, "/api/areas", {})[0] != UNAVAILABLE for _ in range(connections))
    except ConnectionError:
        return False


def connect_to_each_worker(server: Server) -> dict[int, HTTPConnection]:
    """Return a connection to each worker, by its process ID."""
    found: dict[int, HTTPConnection] = {}
    while len(found) < WORKERS:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=ANSWER_TIMEOUT)
        connection.request("GET", "/api/areas")
        connection.getresponse().read()
        if found.setdefault(processes.find_process(connection, server.process), connection) != connection:
            connection.close()
    return found


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


class Load(NamedTuple):
    """What wrk measures: requests in a second; and the server's processor time for each, in µs."""

    rate: float
    processor_time: float


def load(server: Server, address: str, headers: dict[str, str], seconds: int) -> Load:
    """Let wrk repeat a request on kept-alive connections; exit if a request fails."""
    options = [f"--header={name}: {value}" for name, value in headers.items()]
    command = ["wrk", "--threads=1", f"--connections={CONNECTIONS}", f"--duration={seconds}s", *options]
    before = processes.processor_seconds_of_all(server.process)
    report = subprocess.run(
        [*command, f"http://127.0.0.1:{server.port}{address}"], check=True, text=True, stdout=subprocess.PIPE
    ).stdout
    used = processes.processor_seconds_of_all(server.process) - before
    rate = re.search(r"^Requests/sec: *([0-9.]+)$", report, re.MULTILINE)
    requests = re.search(r"^ *([0-9]+) requests in ", report, re.MULTILINE)
    if rate is None or requests is None or "Socket errors" in report or "Non-2xx" in report:
        raise SystemExit(f"{address} {headers}: {report}")
    return Load(float(rate[1]), used / int(requests[1]) * 1_000_000)
