"""The benchmark's own databases: made for one size of programme, and dropped again."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from festival.serving import ALLOCATOR

NAME = "festival_bench"
DEFAULT_SERVER = "postgres://postgres@127.0.0.1:5432/postgres"
VENDORS = ("PostgreSQL", "SQLite")


def server() -> str:
    """Return the URL of a database on the PostgreSQL server to be used."""
    stated = (os.environ.get(name, "") for name in ("TEST_DATABASE_URL", "DATABASE_URL"))
    return next((url for url in stated if url.startswith("postgres")), DEFAULT_SERVER)


def version() -> str:
    """Return the server's version, and whether it is there: `psycopg.OperationalError` if not."""
    with psycopg.connect(server(), connect_timeout=5) as connection:
        return f"PostgreSQL {connection.info.server_version // 10_000}"


@contextmanager
def filled(events: int) -> Iterator[dict[str, dict[str, str]]]:
    """Make a programme of so many events in each database; yield each one's environment, then drop it."""
    postgresql = _own(server())
    with TemporaryDirectory() as directory:
        urls = {"PostgreSQL": postgresql, "SQLite": f"sqlite:///{Path(directory) / 'programme.sqlite3'}"}
        common = {**os.environ, "DATA_DIR": directory, "BENCH_JSON_AGG": postgresql}
        environments = {vendor: {**common, "DATABASE_URL": url} for vendor, url in urls.items()}
        _on_server(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)", f"CREATE DATABASE {NAME}")
        try:
            for environment in environments.values():
                child(environment, "fill", str(events))
            yield environments
        finally:
            _on_server(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")


def _own(url: str) -> str:
    scheme, address, _, options, _ = urlsplit(url)
    return urlunsplit((scheme, address, f"/{NAME}", options, ""))


def _on_server(*statements: str) -> None:
    with psycopg.connect(server(), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def child(environment: dict[str, str], *arguments: Any) -> str:
    """Run one step in a process of its own, as in production, on one database; return what it prints."""
    command = [sys.executable, "-m", "benchmarks.step", *arguments]
    environment = ALLOCATOR | environment
    return subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE).stdout
