"""The benchmark's own databases: made when a size of programme is first asked for, and dropped again."""

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from festival.server_options import ALLOCATOR_SETTINGS

NAME = "festival_bench_{events}"
DEFAULT_SERVER = "postgres://postgres@127.0.0.1:5432/postgres"
POSTGRESQL, SQLITE = VENDORS = ("PostgreSQL", "SQLite")

Environment = dict[str, str]


def server() -> str:
    """Return the URL of a database on the PostgreSQL server to be used."""
    stated = (os.environ.get(name, "") for name in ("TEST_DATABASE_URL", "DATABASE_URL"))
    return next((url for url in stated if url.startswith("postgres")), DEFAULT_SERVER)


def version() -> str:
    """Return the server's version, and whether it is there: `psycopg.OperationalError` if not."""
    with psycopg.connect(server(), connect_timeout=5) as connection:
        return f"PostgreSQL {connection.info.server_version // 10_000}"


class Databases(ExitStack):
    """The environments of processes that find a programme of some size in a database."""

    def __init__(self) -> None:
        super().__init__()
        self._directory = Path(self.enter_context(TemporaryDirectory()))
        self._filled: dict[tuple[str, int], Environment] = {}

    def environment(self, vendor: str, events: int) -> Environment:
        """Return the environment for one database, which is made and filled if it is not there yet."""
        if (vendor, events) not in self._filled:
            environment = self._environment(vendor, events)
            run_step(environment, "fill", events)
            self._filled[vendor, events] = environment
        return self._filled[vendor, events]

    def _environment(self, vendor: str, events: int) -> Environment:
        # Each with a directory of its own: a service keeps its last programme there.
        directory = self._directory / f"{vendor}-{events}"
        directory.mkdir()
        if vendor == POSTGRESQL:
            url = own = self.postgresql(NAME.format(events=events))
        else:
            url = f"sqlite:///{directory / 'programme.sqlite3'}"
            own = self.environment(POSTGRESQL, events)["DATABASE_URL"]
        # As in production.
        started_with = ALLOCATOR_SETTINGS | os.environ
        return {**started_with, "DATA_DIR": str(directory), "DATABASE_URL": url, "BENCH_JSON_AGG": own}

    def postgresql(self, name: str) -> str:
        """Make an empty database on the PostgreSQL server, to be dropped at the end; return its URL."""
        drop = f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"
        _on_server(drop, f"CREATE DATABASE {name}")
        self.callback(_on_server, drop)
        scheme, address, _, options, _ = urlsplit(server())
        return urlunsplit((scheme, address, f"/{name}", options, ""))


def _on_server(*statements: str) -> None:
    with psycopg.connect(server(), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def run_step(environment: Environment, *arguments: Any) -> str:
    """Run one step in a process of its own, on one of the databases; return what it prints."""
    command = [sys.executable, "-m", "benchmarks.steps", *map(str, arguments)]
    return subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE).stdout
