"""The service under its production server, on a temporary PostgreSQL database with a generated programme."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg

from benchmarks.databases import POSTGRESQL, Databases
from benchmarks.processes import children, descendants
from benchmarks.servers import free_port
from benchmarks.timing import private_kilobytes

WORKERS = 2
START_TIMEOUT = 60


class RunningService(NamedTuple):
    """A running service: its local port, its process, its environment, and its log file."""

    port: int
    process: "subprocess.Popen[bytes]"
    environment: dict[str, str]
    log: Path

    @property
    def workers(self) -> list[int]:
        """The worker processes: descendants without children."""
        return [pid for pid in descendants(self.process.pid) if not children(pid)]

    def memory(self) -> list[int]:
        """Return the private memory of each worker in KB."""
        return [private_kilobytes(pid) for pid in self.workers]

    def log_lines(self) -> list[str]:
        """Return the lines logged since the start, without granian's information."""
        _, _, log = self.log.read_text(errors="replace").partition("\nServing on ")
        return [line for line in log.splitlines()[1:] if " INFO _granian" not in line]

    def database(self) -> psycopg.Connection:
        return psycopg.connect(self.environment["DATABASE_URL"], autocommit=True)


@contextmanager
def serve_events(events: int) -> Iterator[RunningService]:
    """Serve a generated programme of so many events from a temporary database."""
    with Databases() as temporary:
        environment = temporary.environment(POSTGRESQL, events)
        port, log = free_port(), Path(environment["DATA_DIR"]) / "log"
        options = ["--port", str(port), "--workers", str(WORKERS)]
        command = [sys.executable, "manage.py", "serve", *options]
        with log.open("wb") as out:
            process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )
        service = RunningService(port, process, environment, log)
        try:
            _wait(service)
            yield service
        finally:
            process.terminate()
            process.wait(30)


def _wait(service: RunningService) -> None:
    """Wait until the server accepts connections; raise `SystemExit` if it does not."""
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline and service.process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", service.port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            if len(service.workers) >= WORKERS:
                return
    raise SystemExit(f"The server does not start.\n{service.log.read_text()}")
