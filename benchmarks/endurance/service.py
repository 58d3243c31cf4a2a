"""The service under its production server, on a PostgreSQL database of its own with a generated programme."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

import psycopg

from benchmarks import databases

NAME = "festival_endurance"
WORKERS = 2
START_TIMEOUT = 60


class RunningService(NamedTuple):
    """A running service: its port on this machine, its process, its environment, and what it logs."""

    port: int
    process: "subprocess.Popen[bytes]"
    environment: dict[str, str]
    log: Path

    @property
    def workers(self) -> list[int]:
        """The processes that answer: those that have no children of their own."""
        return [pid for pid in _descendants(self.process.pid) if not _children(pid)]

    def memory(self) -> list[int]:
        """Return the memory in KB that each worker shares with no other process (Linux: USS)."""
        return [_private_kilobytes(pid) for pid in self.workers]

    def said(self) -> list[str]:
        """Return what it has logged since it began to serve, but for granian's news of itself."""
        _, _, said = self.log.read_text(errors="replace").partition("\nServing on ")
        return [line for line in said.splitlines()[1:] if " INFO _granian" not in line]

    def database(self) -> psycopg.Connection:
        return psycopg.connect(self.environment["DATABASE_URL"], autocommit=True)


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _descendants(pid: int) -> Iterator[int]:
    for child in _children(pid):
        yield child
        yield from _descendants(child)


def _private_kilobytes(pid: int) -> int:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(size) for size in re.findall(r"^Private_\w+: +(\d+) kB", rollup, re.MULTILINE))


@contextmanager
def serve_events(events: int) -> Iterator[RunningService]:
    """Serve a programme of so many events."""
    with TemporaryDirectory() as directory, _filled(events, directory) as environment:
        port, log = _free_port(), Path(directory) / "log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                _command(port), env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )
        service = RunningService(port, process, environment, log)
        try:
            _wait(service)
            yield service
        finally:
            process.terminate()
            process.wait(30)


@contextmanager
def _filled(events: int, directory: str) -> Iterator[dict[str, str]]:
    scheme, address, _, options, _ = urlsplit(databases.server())
    url = urlunsplit((scheme, address, f"/{NAME}", options, ""))
    environment = {**os.environ, "DATA_DIR": directory, "DATABASE_URL": url}
    with psycopg.connect(databases.server(), autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {NAME}")
        try:
            databases.run_step(environment, "fill", str(events))
            yield environment
        finally:
            server.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")


def _command(port: int) -> list[str]:
    options = ["--port", str(port), "--workers", str(WORKERS), "--no-access-log"]
    return [sys.executable, "manage.py", "serve", *options]


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def _wait(service: RunningService) -> None:
    """Wait until the server answers; `SystemExit` if it does not."""
    until = time.monotonic() + START_TIMEOUT
    while time.monotonic() < until and service.process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", service.port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            if len(service.workers) >= WORKERS:
                return
    raise SystemExit(f"The server does not start.\n{service.log.read_text()}")
