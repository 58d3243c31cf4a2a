"""The database: Django's settings, and messages of commands."""

import os
from pathlib import Path
from typing import Any

from django.db import Error, OperationalError
from psycopg.errors import UndefinedColumn, UndefinedTable

SQLITE = "django.db.backends.sqlite3"
# Seconds to wait for a database server, unless the URL sets them, and for which a connection remains open.
CONNECT_TIMEOUT, MAX_AGE = 3, 600
NOT_MIGRATED = "The database is not migrated to this version, or is not the right one: `migrate` migrates it"


def complete_database(database: dict[str, Any], *, test_file: Path) -> dict[str, Any]:
    """Return the settings of a database completed with defaults; options of its URL take precedence."""
    if database["ENGINE"] == SQLITE:
        options: dict[str, Any] = {
            # Writing transactions queue from their first statement, because a transaction that reads before
            # it writes could fail; readers are not blocked.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        }
        return {**database, "OPTIONS": options, "TEST": {"NAME": str(test_file)}}
    stated = database.get("OPTIONS", {})
    timeout = int(stated.get("connect_timeout", CONNECT_TIMEOUT))
    # The same timeout applies to established connections.
    options = {
        "connect_timeout": timeout,
        "tcp_user_timeout": timeout * 1000,
        "keepalives_idle": 10,
        "keepalives_interval": timeout,
        "keepalives_count": 2,
    }
    return {**database, "CONN_MAX_AGE": MAX_AGE, "CONN_HEALTH_CHECKS": True, "OPTIONS": options | stated}


def explain_failure(error: Error) -> str:
    """Return a sentence if the database does not respond or lacks a table, '' for any other error."""
    reason = str(error).strip().partition("\n")[0]
    if isinstance(error.__cause__, UndefinedTable | UndefinedColumn) or reason.startswith("no such "):
        return f"{NOT_MIGRATED} ({reason})."
    return f"The database cannot be used: {reason}" if isinstance(error, OperationalError) else ""


def name_database(database: dict[str, Any]) -> str:
    """Return the kind, name and server of a database in Django's settings, without credentials."""
    if database["ENGINE"] == SQLITE:
        return f"SQLite {database['NAME']}"
    host = database["OPTIONS"].get("host") or database["HOST"] or os.environ.get("PGHOST") or "this machine"
    port = f", port {database['PORT']}" if database["PORT"] else ""
    return f"PostgreSQL {database['NAME']} on {host}{port}"
