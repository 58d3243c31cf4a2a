"""A PostgreSQL server of the tests' own, in a directory of its own, which they may stop and kill."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests.failures.processes import children, free_port, kill, start
from tests.failures.wait import until

OWNER = "postgres"
# The server's words for its ways of stopping.
SIGNALS = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}


def binaries() -> Path | None:
    """Return the directory of PostgreSQL's newest server programs, None where there are none."""
    asked = shutil.which("pg_config")
    told = subprocess.run([asked, "--bindir"], capture_output=True, text=True, check=False) if asked else None
    found = [Path(told.stdout.strip())] if told else []
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -float(path.parent.name))
    found += [Path(on_path).resolve().parent for on_path in [shutil.which("postgres")] if on_path]
    return next((path for path in found if (path / "initdb").exists() and (path / "postgres").exists()), None)


def _as_owner() -> dict[str, Any]:
    """Return the options with which root starts what PostgreSQL refuses to be started as root."""
    return {"user": OWNER, "group": OWNER, "extra_groups": []} if os.geteuid() == 0 else {}


class Cluster:
    """One server; `durable` states whether it waits for the disk when it commits."""

    def __init__(self, directory: Path, binaries: Path) -> None:
        self.directory = directory
        self.binaries = binaries
        self.port = free_port()
        self.durable = False
        self.server: subprocess.Popen[Any] | None = None

    def make(self) -> None:
        """Make the empty data directory."""
        if os.geteuid() == 0:
            shutil.chown(self.directory, OWNER, OWNER)
        settings = ["-A", "trust", "-U", OWNER, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
        command = [self.binaries / "initdb", "-D", self.directory / "data", *settings]
        subprocess.run(command, cwd=self.directory, check=True, stdout=subprocess.DEVNULL, **_as_owner())

    def start(self) -> None:
        """Start the server, and return once it takes connections."""
        with (self.directory / "log").open("ab") as log:
            self.server = start(
                self._command(),
                ended_by="QUIT",
                cwd=self.directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **_as_owner(),
            )
        until("PostgreSQL takes connections", self._answers)

    def _command(self) -> list[str]:
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self.directory,
            "fsync": "on" if self.durable else "off",
            "shared_buffers": "32MB",
        }
        options = [f"--{name}={value}" for name, value in settings.items()]
        return [str(self.binaries / "postgres"), "-D", str(self.directory / "data"), *options]

    def _answers(self) -> bool:
        assert self.server is not None
        assert self.server.poll() is None, (self.directory / "log").read_text()
        try:
            self.connection(OWNER).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, how: str = "fast") -> None:
        """Stop the server; `immediate` leaves its clients and the recovery to the next start."""
        if self.server is not None:
            self.server.send_signal(SIGNALS[how])
            self.server.wait()
            self.server = None

    def kill(self) -> None:
        """Kill every process of the server, as when the machine's memory runs out."""
        assert self.server is not None
        # Stopped, it starts no process that would be missed.
        self.server.send_signal(signal.SIGSTOP)
        kill(self.server.pid, *children(self.server.pid))
        self.server.wait()
        self.server = None

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Let the server keep its connections and answer nothing, as when its disk or machine hangs."""
        assert self.server is not None
        self.server.send_signal(signal.SIGSTOP)
        pids = [self.server.pid, *children(self.server.pid)]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    @contextmanager
    def waiting_for_the_disk(self) -> Iterator[None]:
        """Run the server with `fsync` for a while, as one does whose data matter."""
        self._restart(durable=True)
        try:
            yield
        finally:
            self._restart(durable=False)

    def _restart(self, *, durable: bool) -> None:
        self.stop()
        self.durable = durable
        self.start()

    def url(self, database: str) -> str:
        return f"postgres://{OWNER}@127.0.0.1:{self.port}/{database}"

    def connection(self, database: str, **options: Any) -> psycopg.Connection[tuple[Any, ...]]:
        """Return a connection to a database; its block is one transaction unless it says `autocommit`."""
        return psycopg.connect(self.url(database), **options)

    def run(self, statement: str, database: str = OWNER) -> list[tuple[Any, ...]]:
        """Run a statement in a transaction of its own, and return its rows."""
        with self.connection(database, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def copy(self, name: str, of: str) -> None:
        """Make a database that is another's copy."""
        self.run(f'CREATE DATABASE "{name}" TEMPLATE "{of}"')

    def drop(self, name: str) -> None:
        self.run(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
