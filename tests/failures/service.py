"""The real service under its application server, with worker processes that may be killed."""

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

from festival import clock, server_options
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
from tests.failures.wait import until

WORKERS, THREADS = 2, 8
NO_HEADERS: Mapping[str, str] = {}


class Answer(NamedTuple):
    """A response, its body unpacked."""

    status: int
    headers: HTTPMessage
    body: bytes


def connect(port: int) -> HTTPConnection:
    return HTTPConnection("127.0.0.1", port, timeout=30)


def ask(connection: HTTPConnection, path: str, headers: Mapping[str, str] = NO_HEADERS) -> Answer:
    """Send a GET request, and return what is answered."""
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
        self.environment = environment(directory, cluster.url(database)) | {
            "BASE_URL": f"http://127.0.0.1:{self.port}"
        }
        self.set_clock(clock.now())

    # --- The clock ------------------------------------------------------------------------

    def set_clock(self, instant: datetime, *, whole_seconds: bool = False) -> None:
        """Set the service's clock, which goes on from there.

        It is `whole_seconds` ahead where seconds have to begin at the same time as everywhere else.
        """
        seconds = (instant - clock.now()).total_seconds()
        if whole_seconds:
            seconds = float(round(seconds))
        self.ahead = timedelta(seconds=seconds)
        new = self.directory / "clock.new"
        new.write_text(str(seconds))
        new.replace(self.environment["CLOCK_AHEAD"])

    def now(self) -> datetime:
        """Return what the service's clock shows."""
        return clock.now() + self.ahead

    # --- Its processes --------------------------------------------------------------------

    def start(self, *, by_command: bool = False) -> None:
        """Start the server, and return once each of its workers is there.

        `by_command` starts `manage.py serve`, which sees to static files first and then becomes the
        server: four seconds that most tests do without.
        """
        with self.log_file.open("ab") as log:
            self.server = start(
                self._command(by_command),
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.wait_for_workers()

    def _command(self, by_command: bool) -> list[str]:
        chosen = server_options.ServerOptions(
            "127.0.0.1", self.port, WORKERS, THREADS, access_log=False, pid_file=""
        )
        if not by_command:
            return chosen.command()
        options = [f"--port={self.port}", f"--workers={WORKERS}", f"--threads={THREADS}"]
        return [sys.executable, "manage.py", "serve", *options, "--no-access-log"]

    def wait_for_workers(self) -> None:
        """Return once each of the workers is there; connections wait until one takes them."""
        until("all workers are there", self._has_all_workers)

    def _has_all_workers(self) -> bool:
        assert self.server is not None
        assert self.server.poll() is None, self.log()
        listening = any(each.local == self.port and each.state == LISTENING for each in tcp_sockets())
        return listening and len(self.workers()) == WORKERS

    def workers(self) -> list[int]:
        """Return the process IDs of the workers that are running."""
        return children(self.server.pid) if self.server else []

    def stop(self) -> None:
        if self.server is not None:
            self.server.terminate()
            self.server.wait()
            self.server = None

    def reload(self) -> None:
        """Replace the workers by new ones, as a deployment does."""
        assert self.server is not None
        self.server.send_signal(signal.SIGHUP)

    # --- Asking it ------------------------------------------------------------------------

    def get(self, path: str, headers: Mapping[str, str] = NO_HEADERS) -> Answer:
        """Ask whichever worker takes the connection."""
        with closing(connect(self.port)) as connection:
            return ask(connection, path, headers)

    @contextmanager
    def connections(self) -> Iterator[dict[int, HTTPConnection]]:
        """Yield a connection to each worker, by the worker's process ID."""
        found: dict[int, HTTPConnection] = {}
        with ExitStack() as opened:

            def all_found() -> bool:
                connection = opened.enter_context(closing(connect(self.port)))
                # Without a question the server does not take it.
                ask(connection, "/api/areas")
                worker = until("a worker takes the connection", lambda: self.worker_of(connection))
                found.setdefault(worker, connection)
                return len(found) == WORKERS

            until("there is a connection to each worker", all_found)
            yield found

    def worker_of(self, connection: HTTPConnection) -> int | None:
        """Return the process ID of the worker that has taken a connection, None if none has yet."""
        ours = connection.sock.getsockname()[1]
        return self._owner(lambda socket: socket.local == self.port and socket.peer == ours)

    def worker_at(self, port: int) -> int | None:
        """Return the process ID of the worker that has a connection to elsewhere from a port of this machine."""
        return self._owner(lambda socket: socket.local == port)

    def _owner(self, is_meant: Callable[[Socket], bool]) -> int | None:
        inodes = {
            socket.inode for socket in tcp_sockets() if socket.state == ESTABLISHED and is_meant(socket)
        }
        return next((worker for worker in self.workers() if sockets_of(worker) & inodes), None)

    # --- Its database ---------------------------------------------------------------------

    def sql(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement in the database, and return its rows."""
        return self.cluster.run(statement, self.database)

    def writers(self) -> list[int]:
        """Return the ports from which clients have a transaction open in which they have written."""
        writing = f"datname = '{self.database}' AND backend_xid IS NOT NULL"
        return [
            port for (port,) in self.cluster.run(f"SELECT client_port FROM pg_stat_activity WHERE {writing}")
        ]

    def has_left(self) -> bool:
        """Return whether no process is connected to the database."""
        return not self.cluster.run(f"SELECT FROM pg_stat_activity WHERE datname = '{self.database}'")

    # --- What it says ---------------------------------------------------------------------

    @property
    def log_file(self) -> Path:
        return self.directory / "log"

    def log(self) -> str:
        return self.log_file.read_text()


def environment(directory: Path, database_url: str) -> dict[str, str]:
    """Return the environment of a process of the service, with the settings that the tests rely on."""
    unset = {"DJANGO_SETTINGS_MODULE", "REVISION_TRUST_MS", "FESTIVAL_DAY_FIRST_HOUR", "DEBUG"}
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return kept | {
        "DATABASE_URL": database_url,
        "DATA_DIR": str(directory),
        "SECRET_KEY": "only-for-tests-" * 4,
        "FESTIVAL_TIME_ZONE": "Europe/Stockholm",
        "DJANGO_SETTINGS_MODULE": "tests.failures.clocked_settings",
        "CLOCK_AHEAD": str(directory / "clock"),
    }
