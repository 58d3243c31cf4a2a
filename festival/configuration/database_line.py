"""What commands say of the database: which one it is, and why it cannot be used."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, OperationalError
from psycopg.errors import UndefinedColumn, UndefinedTable

from festival.configuration.database_settings import SQLITE

# Commands that do not use the database.
SILENT_COMMANDS = {
    *("collectstatic", "compilemessages", "diffsettings", "findstatic", "help", "makemessages"),
    *("makemigrations", "sendtestemail", "startapp", "startproject", "test"),
}
SILENT_OPTIONS = {"-h", "--help", "--json", "--version"}
# The line that a parent process has written.
WRITTEN = "FESTIVAL_DATABASE_LINE"
NOT_MIGRATED = "The database is not migrated to this version, or is not the right one: `migrate` migrates it"


def describe_database(arguments: Sequence[str]) -> str:
    """Return the line for a command with its arguments; empty if it needs none or a parent has written it."""
    if not arguments or arguments[0] in SILENT_COMMANDS or SILENT_OPTIONS & set(arguments):
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
        return f"SQLite {Path(database['NAME'])}"
    host = database["OPTIONS"].get("host") or database["HOST"] or os.environ.get("PGHOST") or "this machine"
    port = f", port {database['PORT']}" if database["PORT"] else ""
    return f"PostgreSQL {database['NAME']} on {host}{port}"
