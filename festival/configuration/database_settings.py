"""Django's settings of the database: what SQLite and PostgreSQL each need besides a URL."""

from pathlib import Path
from typing import Any

Database = dict[str, Any]

SQLITE = "django.db.backends.sqlite3"


def complete_sqlite(database: Database, test_file: Path) -> Database:
    """Return the settings of an SQLite file; tests use another one."""
    options = {
        # Writing transactions queue from their first statement (one that reads first and writes later would
        # fail instead); readers are not blocked.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
    return {**database, "OPTIONS": options, "TEST": {"NAME": str(test_file)}}


def complete_postgresql(database: Database, connect_timeout: int, max_age: int) -> Database:
    """Return the settings of a PostgreSQL server; options in its URL take precedence.

    It is given up as soon during a connection as before it. Both arguments are in seconds.
    """
    options = {
        "connect_timeout": connect_timeout,
        "tcp_user_timeout": connect_timeout * 1000,
        "keepalives_idle": 10,
        "keepalives_interval": connect_timeout,
        "keepalives_count": 2,
    }
    age = {"CONN_MAX_AGE": max_age, "CONN_HEALTH_CHECKS": True}
    return {**database, **age, "OPTIONS": options | database.get("OPTIONS", {})}
