"""A temporary PostgreSQL server that tests may stop and kill."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest

from tests.failures.processes import children, free_port, kill, start
from tests.failures.wait import wait_until

OWNER = "postgres"
# PostgreSQL's shutdown modes.
SIGNALS = {"fast": signal.SIGINT, "immediate": signal.SIGQUIT}


def find_binaries() -> Path | None:
    """Return the directory of the newest PostgreSQL server programs, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -float(path.parent.name))
    found += [Path(on_path).resolve().parent for on_path in [shutil.which("postgres")] if on_path]
    return next((path for path in found if (path / "initdb").exists()), None)


def as_owner(owner: str = OWNER) -> dict[str, Any]:
    """Return options of `Popen` to start a server of databases, which refuses to run as root."""
    return {"user": owner, "group": owner, "extra_groups": []} if os.geteuid() == 0 else {}


class Cluster:
    """One server, which does not wait for the disk."""

    address = "127.0.0.1"

    def __init__(self, directory: Path, binaries: Path) -> None:
        self.directory = directory
        self.binaries = binaries
        self.port = free_port()
        self.server: subprocess.Popen[Any] | None = None

    def make(self) -> None:
        """Create the data directory."""
        if os.geteuid() == 0:
            shutil.chown(self.directory, OWNER, OWNER)
        settings = ["-A", "trust", "-U", OWNER, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
        command = [self.binaries / "initdb", "-D", self.directory / "data", *settings]
        subprocess.run(command, cwd=self.directory, check=True, stdout=subprocess.DEVNULL, **as_owner())

    def start(self) -> None:
        """Start the server, and wait until it accepts connections."""
        with (self.directory / "log").open("ab") as log:
            self.server = start(
                self._command(),
                ended_by="QUIT",
                cwd=self.directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **as_owner(),
            )
        wait_until("PostgreSQL accepts connections", self._answers)

    def _command(self) -> list[str]:
        settings = {
            "port": self.port,
            "listen_addresses": self.address,
            "unix_socket_directories": self.directory,
            "fsync": "off",
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
        """Stop the server; `immediate` drops its clients and leaves recovery to the next start."""
        if self.server is not None:
            self.server.send_signal(SIGNALS[how])
            self.server.wait()
            self.server = None

    def kill(self) -> None:
        """Kill every process of the server, as if the machine ran out of memory."""
        assert self.server is not None
        # A stopped process starts no children that would be missed.
        self.server.send_signal(signal.SIGSTOP)
        kill(self.server.pid, *children(self.server.pid))
        self.server.wait()
        self.server = None

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Freeze the server: it keeps its connections and does not answer, as if its disk or machine hung."""
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

    def url(self, database: str) -> str:
        return f"postgres://{OWNER}@{self.address}:{self.port}/{database}"

    def connection(self, database: str, **options: Any) -> psycopg.Connection[tuple[Any, ...]]:
        """Return a connection to a database; with `autocommit`, each statement is a transaction."""
        return psycopg.connect(self.url(database), **options)

    def run(self, statement: str, database: str = OWNER) -> list[tuple[Any, ...]]:
        """Run a statement in its own transaction, and return its rows."""
        with self.connection(database, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def copy(self, name: str, of: str) -> None:
        """Create a database as a copy of another."""
        self.run(f'CREATE DATABASE "{name}" TEMPLATE "{of}"')

    def drop(self, name: str) -> None:
        self.run(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@contextmanager
def run_cluster() -> Iterator[Cluster]:
    """Make and run a server in a folder of its own; skip the test where PostgreSQL is not installed."""
    found = find_binaries()
    if found is None:
        pytest.skip("PostgreSQL's server programs are not installed here (Debian: postgresql)")
    # Not in pytest's directory, which only its owner may enter.
    with TemporaryDirectory(prefix="cluster-") as directory:
        cluster = Cluster(Path(directory), found)
        cluster.make()
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop("immediate")
