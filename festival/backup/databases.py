"""Copies the database: by SQLite's VACUUM INTO and online backup, or PostgreSQL's pg_dump and pg_restore."""

import os
import secrets
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import ProgrammingError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql.client import DatabaseClient

from festival import clock
from programme.models import RandomText, Revision
from programme.publishing.loading import consistent_read

# Who is signed in, because a stolen backup must sign nobody in; attempts that are counted for a while; what
# is logged for running processes.
LEFT_OUT = ("django_session", "accounts_cache", "programme_changedevent")
# Tables whose rows somebody has entered.
ENTERED = ("programme_festival", "programme_area", "programme_event", "auth_user")
# Waiting for transactions that hold the tables ends after so long.
OPTIONS = {"PGOPTIONS": "-c lock_timeout=30s"}
RESTORE = ("pg_restore", "--no-owner", "--no-privileges", "--exit-on-error")
NO_SCRATCH = (
    "The backup is restored into a database of its own first, which this role may not make. Let it:"
    ' runuser -u postgres -- psql --command "ALTER ROLE {role} CREATEDB"'
)


class BackupError(Exception):
    """A backup cannot be made, read or restored; the message is a sentence for an operator."""


class ScratchError(BackupError):
    """There is nowhere to restore a backup, be it to check it."""


def one_state() -> AbstractContextManager[Any]:
    """Return a context in which `dump` and queries see the same state; on SQLite editors wait for its end."""
    return transaction.atomic() if connection.vendor == "sqlite" else consistent_read()


def count_rows(database: BaseDatabaseWrapper) -> dict[str, int]:
    """Return the number of rows of each table that is saved."""
    rows = {}
    with database.cursor() as cursor:
        for table in sorted({*database.introspection.table_names(cursor)}.difference(LEFT_OUT)):
            cursor.execute(f'SELECT count(*) FROM "{table}"')
            rows[table] = int(cursor.fetchone()[0])
    return rows


def is_occupied() -> bool:
    """Return whether the database holds a programme or accounts."""
    rows = count_rows(connection)
    return any(rows.get(table) for table in ENTERED)


def dump(path: Path) -> None:
    """Write the database of this context to a file, without what is temporary. Raises BackupError."""
    if connection.vendor == "sqlite":
        _dump_sqlite(path)
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = f"--snapshot={cursor.fetchone()[0]}"
    left_out = [f"--exclude-table-data={table}" for table in LEFT_OUT]
    _run("pg_dump", "--format=custom", snapshot, f"--file={path}", *left_out)


def _dump_sqlite(path: Path) -> None:
    # Through Django, whose functions the tables' constraints call; not the connection of this transaction.
    with closing(connection.copy()) as source, source.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(path)])
    with scratch(path) as alias, connections[alias].cursor() as cursor:
        for table in LEFT_OUT:
            cursor.execute(f"DELETE FROM {table}")
        # Deleted rows are still in the file until then.
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA journal_mode=DELETE")


@contextmanager
def scratch(file: Path) -> Iterator[str]:
    """Yield the alias of another database, which is restored from a file. Raises BackupError."""
    alias = name = f"festival_scratch_{secrets.token_hex(4)}"
    if connection.vendor == "sqlite":
        name = str(file)
    else:
        _create(name)
    connections[alias] = connection.copy(alias)
    connections[alias].settings_dict["NAME"] = name
    try:
        if connection.vendor != "sqlite":
            _run(*RESTORE, str(file), database=name)
        yield alias
    finally:
        connections[alias].close()
        del connections[alias]
        if connection.vendor != "sqlite":
            with connection.cursor() as cursor:
                cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _create(name: str) -> None:
    """Create an empty database with the locale of this one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT datcollate, datctype FROM pg_database WHERE datname = current_database()")
        locale = "LC_COLLATE '{}' LC_CTYPE '{}'".format(*cursor.fetchone())
        try:
            cursor.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' {locale}")
        except ProgrammingError:
            raise ScratchError(NO_SCRATCH.format(role=connection.settings_dict["USER"])) from None


def migrate(alias: str) -> None:
    """Bring a restored database up to this version, with a revision that no process has loaded."""
    call_command("migrate", database=alias, verbosity=0, interactive=False)
    restored, present = Revision.objects.using(alias), 0
    if Revision._meta.db_table in connection.introspection.table_names():
        present = max(Revision.objects.values_list("number", flat=True), default=0)
    number = max(restored.get().number, present) + 1
    restored.update(lineage=RandomText())
    restored.update(number=number, moved_at=clock.now(), writer=None)


def replace(alias: str) -> None:
    """Put a database in the place of this one, in one transaction. Raises BackupError."""
    name, live = connections[alias].settings_dict["NAME"], connection.settings_dict["NAME"]
    connections[alias].close()
    if connection.vendor == "sqlite":
        connection.close()
        with closing(sqlite3.connect(name)) as source, closing(sqlite3.connect(live)) as target:
            source.backup(target)
        return
    with tempfile.NamedTemporaryFile() as file:
        _run("pg_dump", "--format=custom", f"--file={file.name}", database=name)
        _run(*RESTORE, "--clean", "--if-exists", "--single-transaction", file.name)


def _run(program: str, *arguments: str, database: str = "") -> None:
    """Run a program of PostgreSQL on this database, or on another one of the server. Raises BackupError."""
    values = {**connection.settings_dict, "NAME": database or connection.settings_dict["NAME"]}
    # As Django calls psql: the password is not for whoever lists processes.
    (_psql, *server, name), login = DatabaseClient.settings_to_cmd_args_env(values, [])
    environment = os.environ | (login or {}) | OPTIONS
    command = [program, *server, f"--dbname={name}", *arguments]
    try:
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    except FileNotFoundError:
        raise BackupError(f"{program} is not installed (Debian: apt install postgresql-client).") from None
    except subprocess.CalledProcessError as error:
        reason = next((line for line in error.stderr.splitlines() if "error:" in line), error.stderr)
        raise BackupError(f"{program} failed: {reason.strip()}") from None
