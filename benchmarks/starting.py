"""How long the service takes from its start to its first answer, with its database and without."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from benchmarks.databases import Environment, server
from benchmarks.servers import SERVICE, run_server

# Seconds in which a process writes its programme to disk.
WRITING_TIMEOUT = 60


def measure(environment: Environment) -> dict[str, float]:
    """Return the seconds from the start to the first answer: reading the database, and the copy on disk."""
    # By default it has the server's port, and a copy with other links is refused.
    environment = {**environment, "BASE_URL": "http://localhost"}
    copy = Path(environment["DATA_DIR"]) / "programme.kept"
    # A step, whose links are others, may have written one.
    copy.unlink(missing_ok=True)
    with run_server(SERVICE, environment) as started:
        for _ in range(WRITING_TIMEOUT):
            if copy.exists():
                break
            time.sleep(1)
        else:
            raise SystemExit("The programme was not written to disk")
    found = {"database": started.first_answer}
    # A file is there or not: SQLite is never unavailable.
    if environment["DATABASE_URL"].startswith("postgres"):
        with _refusing(environment["DATABASE_URL"]), run_server(SERVICE, environment) as without:
            found["copy"] = without.first_answer
    return found


@contextmanager
def _refusing(url: str) -> Iterator[None]:
    """Let a database refuse connections while the context is active."""
    name = url.rpartition("/")[2].partition("?")[0]
    with psycopg.connect(server(), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        try:
            yield
        finally:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
