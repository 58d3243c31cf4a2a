"""The database: Django's settings of it, and what commands say of it."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, OperationalError
from psycopg.errors import UndefinedColumn, UndefinedTable

SQLITE = "django.db.backends.sqlite3"
# Commands that do not use the database.
SILENT_COMMANDS = {
    *("collectstatic", "compilemessages", "diffsettings", "findstatic", "help", "makemessages"),
    *("makemigrations", "sendtestemail", "startapp", "startproject", "test"),
}
# The line that a parent process has written.
WRITTEN = "FESTIVAL_DATABASE_LINE"
NOT_MIGRATED = "The database is not migrated to this version, or is not the right one: `migrate` migrates it"


def complete_database(
    database: dict[str, Any], *, test_file: Path, connect_timeout: int, max_age: int
) -> dict[str, Any]:
    """Return the settings of a database with what it needs besides its URL, whose options take precedence.

    Tests use another file than SQLite's own. Times are in seconds.
    """
    if database["ENGINE"] == SQLITE:
        options: dict[str, Any] = {
            # Writing transactions queue from their first statement (one that reads first and writes later
            # would fail instead); readers are not blocked.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        }
        return {**database, "OPTIONS": options, "TEST": {"NAME": str(test_file)}}
    # A server is given up as soon during a connection as before it.
    options = {
        "connect_timeout": connect_timeout,
        "tcp_user_timeout": connect_timeout * 1000,
        "keepalives_idle": 10,
        "keepalives_interval": connect_timeout,
        "keepalives_count": 2,
    }
    age = {"CONN_MAX_AGE": max_age, "CONN_HEALTH_CHECKS": True}
    return {**database, **age, "OPTIONS": options | database.get("OPTIONS", {})}


def describe_database(arguments: Sequence[str]) -> str:
    """Return the line for a command with its arguments; empty if it needs none or a parent has written it."""
    if not arguments or arguments[0] in SILENT_COMMANDS or {"-h", "--help", "--version"} & set(arguments):
        return ""
    file = settings.FESTIVAL_ENV_FILE
    source = f"settings from {file}" if file else "no settings file"
    line = f"Database: {name_database(settings.DATABASES['default'])} ({source})"
    if os.environ.get(WRITTEN) == line:
        return ""
    os.environ[WRITTEN] = line
    return line


def explain_failure(error: DatabaseError) -> str:
    """Return a sentence if the database does not answer or lacks a table; empty for any other error."""
    reason = str(error).strip().partition("\n")[0]
    if isinstance(error.__cause__, UndefinedTable | UndefinedColumn) or reason.startswith("no such "):
        return f"{NOT_MIGRATED} ({reason})."
    return f"The database cannot be used: {reason}" if isinstance(error, OperationalError) else ""


def name_database(database: dict[str, Any]) -> str:
    """Return a database of Django's settings by kind, name and server, without user and password."""
    if database["ENGINE"] == SQLITE:
        return f"SQLite {database['NAME']}"
    host = database["OPTIONS"].get("host") or database["HOST"] or os.environ.get("PGHOST") or "this machine"
    port = f", port {database['PORT']}" if database["PORT"] else ""
    return f"PostgreSQL {database['NAME']} on {host}{port}"
