"""The real service under its application server, with worker processes that may be killed."""

import gzip
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime, timedelta
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from typing import Any, NamedTuple

from festival import clock
from tests.failures.processes import ROOT, children, free_port, start
from tests.failures.waiting import until

WORKERS = 2
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

    def __init__(self, directory: Path, database_url: str) -> None:
        self.directory = directory
        self.port = free_port()
        self.server: subprocess.Popen[Any] | None = None
        self.environment = environment(directory, database_url) | {"BASE_URL": f"http://127.0.0.1:{self.port}"}
        self.set_clock(clock.now())

    # --- The clock ------------------------------------------------------------------------

    def set_clock(self, instant: datetime) -> None:
        """Set the service's clock, which goes on from there."""
        # As the service reads it, to the microsecond.
        seconds = (instant - clock.now()).total_seconds()
        self.ahead = timedelta(seconds=seconds)
        new = self.directory / "clock.new"
        new.write_text(str(seconds))
        new.replace(self.environment["CLOCK_AHEAD"])

    def now(self) -> datetime:
        """Return what the service's clock shows."""
        return clock.now() + self.ahead

    # --- Its processes --------------------------------------------------------------------

    def start(self) -> None:
        """Start the service, and return once each of its workers listens."""
        with self.log_file.open("ab") as log:
            self.server = start(
                self._command(),
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.wait_for_workers()

    def _command(self) -> list[str]:
        granian = [sys.executable, "-m", "granian", "--interface", "wsgi", "--port", str(self.port)]
        workers = ["--workers", str(WORKERS), "--blocking-threads", "8", "--respawn-failed-workers"]
        return [*granian, *workers, "festival.wsgi:application"]

    def wait_for_workers(self) -> None:
        """Return once each of the workers listens; there may be those of them that were killed."""
        assert self.server is not None
        until("all workers listen", self._all_listen)

    def _all_listen(self) -> bool:
        assert self.server is not None
        assert self.server.poll() is None, self.log()
        owned = [self._sockets_of(worker) for worker in self.workers()]
        listening = {inode for inode, _peer in self._sockets("0A")}
        return len(owned) == WORKERS and all(inodes & listening for inodes in owned)

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
                connection.connect()
                worker = until("a worker takes the connection", lambda: self.worker_of(connection))
                found.setdefault(worker, connection)
                return len(found) == WORKERS

            until("there is a connection to each worker", all_found)
            yield found

    def worker_of(self, connection: HTTPConnection) -> int | None:
        """Return the process ID of the worker that has taken a connection, None if none has yet."""
        ours = connection.sock.getsockname()[1]
        taken = {inode for inode, peer in self._sockets("01") if peer == ours}
        return next((worker for worker in self.workers() if self._sockets_of(worker) & taken), None)

    def _sockets(self, state: str) -> list[tuple[str, int]]:
        """Return the inode and the peer's port of each of the service's sockets in a state (of the kernel's)."""
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return [
            (row[9], int(row[2].split(":")[1], 16))
            for row in rows
            if row[3] == state and int(row[1].split(":")[1], 16) == self.port
        ]

    def _sockets_of(self, pid: int) -> set[str]:
        try:
            links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
        except OSError:
            return set()
        return {link[len("socket:[") : -1] for link in links if link.startswith("socket:[")}

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
