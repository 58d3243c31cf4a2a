"""Temporary databases with generated programmes, created on first use and dropped at the end."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from festival.server.server_options import ALLOCATOR_SETTINGS

# Two runs at a time have databases of their own.
NAME = "festival_bench_{run}_{events}"
DEFAULT_SERVER = "postgres://postgres@127.0.0.1:5432/postgres"
POSTGRESQL, SQLITE = VENDORS = ("PostgreSQL", "SQLite")

Environment = dict[str, str]
# The folder of the checkout that an environment's processes belong to; none for this one.
CHECKOUT = "BENCH_CHECKOUT"


def server() -> str:
    """Return the URL of a database on the PostgreSQL server."""
    urls = (os.environ.get(name, "") for name in ("TEST_DATABASE_URL", "DATABASE_URL"))
    return next((url for url in urls if url.startswith("postgres")), DEFAULT_SERVER)


def version() -> str:
    """Return the version of the server; raise `psycopg.OperationalError` if it is unavailable."""
    with psycopg.connect(server(), connect_timeout=5) as connection:
        return f"PostgreSQL {connection.info.server_version // 10_000}"


class Databases(ExitStack):
    """Environments for processes, each with a database that holds a programme of some size."""

    def __init__(self, checkout: Path | None = None) -> None:
        super().__init__()
        self._checkout = {CHECKOUT: str(checkout)} if checkout else {}
        self._run = f"{os.getpid()}{'_beside' if checkout else ''}"
        self._directory = Path(self.enter_context(TemporaryDirectory()))
        self._filled: dict[tuple[str, int], Environment] = {}

    def environment(self, vendor: str, events: int) -> Environment:
        """Return the environment of one database, which is created and filled on first use."""
        if (vendor, events) not in self._filled:
            environment = self._environment(vendor, events)
            run_step(environment, "fill", events)
            self._filled[vendor, events] = environment
        return self._filled[vendor, events]

    def demo(self) -> Environment:
        """Return the environment of a new PostgreSQL database with the demo festival, around today."""
        url = self.postgresql(NAME.format(run=self._run, events="demo"))
        environment = _build_environment(self._make_directory("demo"), url)
        demo = program(environment, "manage.py", "demo", "--no-serve")
        subprocess.run(**demo, check=True, stdout=subprocess.DEVNULL)
        return environment

    def _environment(self, vendor: str, name: int) -> Environment:
        directory = self._make_directory(f"{vendor}-{name}")
        if vendor == POSTGRESQL:
            url = self.postgresql(NAME.format(run=self._run, events=name))
        else:
            url = f"sqlite:///{directory / 'programme.sqlite3'}"
        return _build_environment(directory, url) | self._checkout

    def _make_directory(self, name: str) -> Path:
        """Make a directory for one database's service, which saves its programme there."""
        directory = self._directory / name
        directory.mkdir()
        return directory

    def postgresql(self, name: str) -> str:
        """Create an empty database on the PostgreSQL server, dropped at the end; return its URL."""
        drop = f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"
        _on_server(drop, f"CREATE DATABASE {name}")
        self.callback(_on_server, drop)
        scheme, address, _, options, _ = urlsplit(server())
        return urlunsplit((scheme, address, f"/{name}", options, ""))


def _build_environment(directory: Path, url: str) -> Environment:
    own = {"FESTIVAL_ENV_FILE": "", "DATA_DIR": str(directory), "DATABASE_URL": url}
    return {**ALLOCATOR_SETTINGS, **os.environ, **own}


def _on_server(*statements: str) -> None:
    with psycopg.connect(server(), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def program(environment: Environment, *arguments: Any) -> dict[str, Any]:
    """Return how Python is started in an environment, as arguments for `subprocess`."""
    checkout = environment.get(CHECKOUT)
    python = f"{checkout}/.venv/bin/python" if checkout else sys.executable
    return {"args": [python, *map(str, arguments)], "env": environment, "cwd": checkout}


def run_step(environment: Environment, *arguments: Any) -> str:
    """Run a step in its own process; return its output."""
    step = program(environment, "-m", "benchmarks.steps", *arguments)
    return subprocess.run(**step, check=True, text=True, stdout=subprocess.PIPE).stdout


@contextmanager
def check_out(reference: str) -> Iterator[Path]:
    """Yield a checkout of another version, with its own packages."""
    with TemporaryDirectory() as directory:
        path = Path(directory) / "beside"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", path, reference], check=True)
        try:
            subprocess.run(["make", "--quiet", "-C", path, ".venv/ready"], check=True, stdout=sys.stderr)
            yield path
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", path], check=True)
