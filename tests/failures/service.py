"""The service under its application server, with worker processes that may be killed."""

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from typing import Any, NamedTuple

from festival import metrics
from festival.server.server_options import ServerOptions
from tests.failures.cluster import Cluster
from tests.failures.processes import ROOT, children, free_port, listening_ports, start
from tests.failures.wait import wait_until

WORKERS, THREADS = 2, 8
# Requests of editors at a time.
EDITORS = 20
# So many connections almost certainly reach every worker.
CONNECTIONS = WORKERS * 6
NO_HEADERS: Mapping[str, str] = {}


class Answer(NamedTuple):
    """A response with its decoded body."""

    status: int
    headers: HTTPMessage
    body: bytes


def connect(port: int, host: str = "127.0.0.1") -> HTTPConnection:
    return HTTPConnection(host, port, timeout=30)


def get(connection: HTTPConnection, path: str, headers: Mapping[str, str] = NO_HEADERS) -> Answer:
    """Send a GET request, and return the answer."""
    connection.request("GET", path, headers=dict(headers))
    response = connection.getresponse()
    body = response.read()
    if response.headers["Content-Encoding"] == "gzip":
        body = gzip.decompress(body)
    return Answer(response.status, response.headers, body)


@contextmanager
def open_connections(port: int, host: str = "127.0.0.1") -> Iterator[list[HTTPConnection]]:
    """Yield connections that reach every worker."""
    with ExitStack() as stack:
        yield [stack.enter_context(closing(connect(port, host))) for _ in range(CONNECTIONS)]


class Service:
    """One service: a database, a directory for its files, and the ports of readers and of editors."""

    def __init__(self, directory: Path, cluster: Cluster, database: str) -> None:
        self.directory = directory
        self.cluster = cluster
        self.database = database
        self.port, self.back_office_port = free_port(), free_port()
        self.server: subprocess.Popen[Any] | None = None
        self.back_office: subprocess.Popen[Any] | None = None
        self.environment = build_environment(directory, cluster.url(database)) | {
            "BASE_URL": f"http://127.0.0.1:{self.port}",
            "BACK_OFFICE_PORT": str(self.back_office_port),
        }

    # --- Its processes --------------------------------------------------------------------

    def start(self) -> None:
        """Start both processes of the service, and wait for their workers."""
        options = ServerOptions("127.0.0.1", self.port, WORKERS, THREADS)
        folder = metrics.prepare_folder(self.port)
        self.server = self._start(options.command(), folder | {"FESTIVAL_SERVED_AS": "readers"})
        self.start_back_office()
        self.wait_for_workers()

    def start_back_office(self) -> None:
        """Start the back office's process, as systemd does."""
        options = ServerOptions("127.0.0.1", self.back_office_port, 1, EDITORS)
        self.back_office = self._start(options.command(), metrics.prepare_folder(self.back_office_port))

    def start_by_command(self) -> None:
        """Start one process for all with `manage.py serve`, which collects static files first."""
        options = [f"--port={self.port}", f"--workers={WORKERS}", f"--threads={THREADS}"]
        folder = metrics.prepare_folder(self.port) | {"BACK_OFFICE_PORT": "0"}
        self.server = self._start([sys.executable, "manage.py", "serve", *options], folder)
        self.wait_for_workers()

    def _start(self, command: list[str], variables: dict[str, str]) -> "subprocess.Popen[Any]":
        environment = self.environment | variables
        with self.log_file.open("ab") as log:
            return start(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def wait_for_workers(self) -> None:
        """Wait until all workers listen, which they do once they have the programme."""
        wait_until("all workers listen", self.has_all_workers)

    def has_all_workers(self) -> bool:
        assert self.server is not None
        assert self.server.poll() is None, self.log()
        ports = listening_ports()
        is_complete = self.back_office is None or ports.count(self.back_office_port) == 1
        return len(self.workers()) == ports.count(self.port) == WORKERS and is_complete

    def workers(self) -> list[int]:
        """Return the process IDs of the running workers that serve readers."""
        return children(self.server.pid) if self.server else []

    def back_office_workers(self) -> list[int]:
        """Return the process IDs of the workers of the back office: one, unless it is being replaced."""
        return children(self.back_office.pid) if self.back_office else []

    def stop(self) -> None:
        for process in filter(None, (self.server, self.back_office)):
            process.terminate()
            process.wait()
        self.server = self.back_office = None

    def reload(self) -> None:
        """Replace the workers that serve readers, as a deployment does."""
        assert self.server is not None
        self.server.send_signal(signal.SIGHUP)

    # --- Requests -------------------------------------------------------------------------

    def get(self, path: str) -> Answer:
        """Send a GET request to any worker."""
        with closing(connect(self.port)) as connection:
            return get(connection, path)

    def wait_for_all(self, path: str, is_so: Callable[[bytes], bool]) -> None:
        """Wait until what each worker answers is as expected."""
        with open_connections(self.port) as opened:
            wait_until(
                f"every worker answers as expected: {path}",
                lambda: all(is_so(get(connection, path).body) for connection in opened),
            )

    # --- Its database and its log ---------------------------------------------------------

    def sql(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement in the database, and return its rows."""
        return self.cluster.run(statement, self.database)

    @property
    def log_file(self) -> Path:
        return self.directory / "log"

    def log(self) -> str:
        return self.log_file.read_text()


def build_environment(directory: Path, database_url: str) -> dict[str, str]:
    """Return the environment of the service's processes."""
    unset = {"FESTIVAL_DAY_FIRST_HOUR", "DEBUG"}
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return kept | {
        "DJANGO_SETTINGS_MODULE": "festival.settings",
        "FESTIVAL_ENV_FILE": "",
        "DATABASE_URL": database_url,
        "DATA_DIR": str(directory),
        "SECRET_KEY": "only-for-tests-" * 4,
        "FESTIVAL_TIME_ZONE": "Europe/Stockholm",
        "WEB_ACCESS_LOG": "false",
    }


def create_festival(module: str, directory: Path, database_url: str) -> Any:
    """Let a process of the service create the festival of a module of this folder; return what it prints."""
    program = f"from tests.failures import {module}; {module}.create_festival()"
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", program]
    environment = build_environment(directory, database_url)
    return json.loads(subprocess.check_output(command, cwd=ROOT, env=environment, text=True))
