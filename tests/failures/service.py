"""The service under its application server, with worker processes that may be killed."""

import gzip
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime, timedelta
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from typing import Any, NamedTuple

from festival import clock, metrics
from festival.server.server_options import ServerOptions
from tests.failures.cluster import Cluster
from tests.failures.processes import (
    ESTABLISHED,
    LISTENING,
    ROOT,
    Socket,
    children,
    free_port,
    sockets_of,
    start,
    tcp_sockets,
)
from tests.failures.wait import wait_until

WORKERS, THREADS = 2, 8
# Requests of editors at a time.
EDITORS = 20
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


class Service:
    """One service: a database, a directory for its files, a port, and a clock."""

    def __init__(self, directory: Path, cluster: Cluster, database: str) -> None:
        self.directory = directory
        self.cluster = cluster
        self.database = database
        self.port = free_port()
        self.server: subprocess.Popen[Any] | None = None
        # The back office's own process, if it has one.
        self.back_office: subprocess.Popen[Any] | None = None
        self.back_office_port = free_port()
        self.environment = build_environment(directory, cluster.url(database)) | {
            "BASE_URL": f"http://127.0.0.1:{self.port}"
        }
        self.set_clock(clock.now())

    # --- The clock ------------------------------------------------------------------------

    def set_clock(self, instant: datetime, *, whole_seconds: bool = False) -> None:
        """Set the service's clock, which runs on from there.

        With `whole_seconds`, its seconds begin together with those of other clocks.
        """
        seconds = (instant - clock.now()).total_seconds()
        if whole_seconds:
            seconds = float(round(seconds))
        self.ahead = timedelta(seconds=seconds)
        new = self.directory / "clock.new"
        new.write_text(str(seconds))
        new.replace(self.environment["CLOCK_AHEAD"])

    def now(self) -> datetime:
        """Return the time of the service's clock."""
        return clock.now() + self.ahead

    # --- Its processes --------------------------------------------------------------------

    def start(self, *, by_command: bool = False, back_office: bool = False) -> None:
        """Start the server, and wait for its workers.

        `by_command` starts `manage.py serve`, which collects the static files first: four seconds that most
        tests save. The `back_office` has a process of its own if asked for.
        """
        options = [f"--port={self.port}", f"--workers={WORKERS}", f"--threads={THREADS}"]
        command = [sys.executable, "manage.py", "serve", *options]
        if not by_command:
            command = ServerOptions("127.0.0.1", self.port, WORKERS, THREADS).command()
        variables = {"BACK_OFFICE_PORT": str(self.back_office_port)} if back_office else {}
        variables |= {"READERS_ONLY": str(back_office)}
        self.server = self._start(command, variables | metrics.prepare_folder(self.port))
        if back_office:
            self.start_back_office()
        self.wait_for_workers()

    def start_back_office(self) -> None:
        """Start the back office's process, as systemd does."""
        options = ServerOptions("127.0.0.1", self.back_office_port, 1, EDITORS)
        folder = metrics.prepare_folder(self.back_office_port)
        self.back_office = self._start(
            options.command(), folder | {"BACK_OFFICE_PORT": str(self.back_office_port)}
        )

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
        ports = [each.local for each in tcp_sockets() if each.state == LISTENING]
        is_complete = self.back_office is None or ports.count(self.back_office_port) == 1
        return len(self.workers()) == ports.count(self.port) == WORKERS and is_complete

    def workers(self) -> list[int]:
        """Return the process IDs of the running workers that serve readers."""
        return children(self.server.pid) if self.server else []

    def back_office_workers(self) -> list[int]:
        """Return the process IDs of the workers of the back office: one, unless it is being replaced."""
        return children(self.back_office.pid) if self.back_office else []

    @property
    def editors_port(self) -> int:
        """The port that answers editors."""
        return self.back_office_port if self.back_office else self.port

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

    def get(self, path: str, headers: Mapping[str, str] = NO_HEADERS) -> Answer:
        """Send a GET request to any worker."""
        with closing(connect(self.port)) as connection:
            return get(connection, path, headers)

    @contextmanager
    def connections(self) -> Iterator[dict[int, HTTPConnection]]:
        """Yield a connection to each worker, by the worker's process ID."""
        found: dict[int, HTTPConnection] = {}
        with ExitStack() as opened:

            def all_found() -> bool:
                connection = opened.enter_context(closing(connect(self.port)))
                # The server accepts a connection only when a request arrives.
                get(connection, "/api/areas")
                worker = wait_until("a worker accepts the connection", lambda: self.worker_of(connection))
                found.setdefault(worker, connection)
                return len(found) == WORKERS

            wait_until("there is a connection to each worker", all_found)
            yield found

    def worker_of(self, connection: HTTPConnection) -> int | None:
        """Return the process ID of the worker that has accepted a connection, or None."""
        ours = connection.sock.getsockname()[1]
        return self._owner(lambda socket: socket.local == self.port and socket.peer == ours)

    def worker_at(self, port: int) -> int | None:
        """Return the process ID of the worker with an outgoing connection from a local port."""
        return self._owner(lambda socket: socket.local == port)

    def _owner(self, matches: Callable[[Socket], bool]) -> int | None:
        inodes = {socket.inode for socket in tcp_sockets() if socket.state == ESTABLISHED and matches(socket)}
        workers = (*self.workers(), *self.back_office_workers())
        return next((worker for worker in workers if sockets_of(worker) & inodes), None)

    # --- Its database ---------------------------------------------------------------------

    def sql(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement in the database, and return its rows."""
        return self.cluster.run(statement, self.database)

    def writers(self) -> list[int]:
        """Return the client ports of open transactions that have written."""
        writing = f"datname = '{self.database}' AND backend_xid IS NOT NULL"
        return [
            port for (port,) in self.cluster.run(f"SELECT client_port FROM pg_stat_activity WHERE {writing}")
        ]

    def has_left(self) -> bool:
        """Return whether no client is connected to the database."""
        return not self.cluster.run(f"SELECT 1 FROM pg_stat_activity WHERE datname = '{self.database}'")

    # --- Its log --------------------------------------------------------------------------

    @property
    def log_file(self) -> Path:
        return self.directory / "log"

    def log(self) -> str:
        return self.log_file.read_text()


def build_environment(directory: Path, database_url: str) -> dict[str, str]:
    """Return the environment of the service's processes."""
    unset = {"DJANGO_SETTINGS_MODULE", "REVISION_TRUST_MS", "FESTIVAL_DAY_FIRST_HOUR", "DEBUG"}
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return kept | {
        "FESTIVAL_ENV_FILE": "",
        "DATABASE_URL": database_url,
        "DATA_DIR": str(directory),
        "SECRET_KEY": "only-for-tests-" * 4,
        "FESTIVAL_TIME_ZONE": "Europe/Stockholm",
        "DJANGO_SETTINGS_MODULE": "tests.failures.clocked_settings",
        "CLOCK_AHEAD": str(directory / "clock"),
        "STATIC_COLLECTED": "false",
        "WEB_ACCESS_LOG": "false",
    }
