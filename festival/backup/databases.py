"""Copies of the database, by SQLite's VACUUM INTO and online backup, or by pg_dump and pg_restore."""

import os
import secrets
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.core.management import CommandError, call_command
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, transaction
from django.db.backends.postgresql.client import DatabaseClient

from festival import clock
from festival.configuration.migrations import explain_newer_database
from programme.models import RandomText, Revision
from programme.publishing.loading import consistent_read

IS_SQLITE = connection.vendor == "sqlite"
# Tables left out: sessions, because a stolen backup must sign nobody in; counted attempts; the change log.
LEFT_OUT = ("django_session", "accounts_cache", "programme_changedevent")
RESTORE = ("pg_restore", "--no-owner", "--no-privileges", "--exit-on-error")
IN_ONE_TRANSACTION = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction")
# The whole schema, because tables of a later version may refer to replaced ones.
NEW_SCHEMA = (
    "DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION pg_database_owner;"
    " GRANT USAGE ON SCHEMA public TO PUBLIC"
)


class BackupError(CommandError):
    """A backup cannot be created, read or restored; the message is a sentence for operators."""


def count_rows(alias: str = DEFAULT_DB_ALIAS) -> dict[str, int]:
    """Return the number of rows of each table in backups."""
    rows = {}
    with connections[alias].cursor() as cursor:
        for table in {*connections[alias].introspection.table_names(cursor)}.difference(LEFT_OUT):
            cursor.execute(f'SELECT count(*) FROM "{table}"')
            rows[table] = int(cursor.fetchone()[0])
    return rows


def dump(path: Path) -> dict[str, int]:
    """Write the database to a file, without LEFT_OUT; return the number of rows of each table.

    On SQLite it blocks editors. Raise BackupError.
    """
    with transaction.atomic() if IS_SQLITE else consistent_read():
        rows = count_rows()
        if not rows:
            raise BackupError("The database has no tables: there is nothing to back up.")
        if IS_SQLITE:
            # By another connection of Django, whose functions constraints call; not in this transaction.
            with closing(connection.copy()) as source, source.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(path)])
            with closing(sqlite3.connect(path, isolation_level=None)) as copy:
                # Otherwise deleted rows would remain in the file.
                copy.execute("PRAGMA secure_delete = ON")
                for table in LEFT_OUT:
                    copy.execute(f"DELETE FROM {table}")
        else:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_export_snapshot()")
                snapshot = f"--snapshot={cursor.fetchone()[0]}"
            left_out = [f"--exclude-table-data={table}" for table in LEFT_OUT]
            _run("pg_dump", "--format=custom", snapshot, f"--file={path}", *left_out)
    return rows


@contextmanager
def scratch(file: Path) -> Iterator[str]:
    """Yield the alias of a database that is restored from a file. Raise BackupError."""
    alias = name = f"festival_scratch_{secrets.token_hex(4)}"
    connections[alias] = connection.copy(alias)
    connections[alias].settings_dict["NAME"] = str(file) if IS_SQLITE else name
    try:
        if not IS_SQLITE:
            with connection.cursor() as cursor:
                cursor.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
            _run(*RESTORE, str(file), database=name)
        yield alias
    except DatabaseError as error:
        raise BackupError(f"Its database cannot be restored beside this one ({error})") from None
    finally:
        connections[alias].close()
        del connections[alias]
        if not IS_SQLITE:
            with connection.cursor() as cursor:
                cursor.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def migrate(alias: str) -> None:
    """Migrate a restored database to this version, and give it a new lineage of revisions."""
    if reason := explain_newer_database(connections[alias]):
        raise BackupError(reason)
    call_command("migrate", database=alias, verbosity=0, interactive=False)
    Revision.objects.using(alias).update(lineage=RandomText(), moved_at=clock.now(), writer=None)


def replace(alias: str) -> None:
    """Replace this database by another one, in one transaction. Raise BackupError."""
    name, live = connections[alias].settings_dict["NAME"], connection.settings_dict["NAME"]
    connections[alias].close()
    if IS_SQLITE:
        connection.close()
        try:
            with closing(sqlite3.connect(name)) as source, closing(sqlite3.connect(live)) as target:
                source.backup(target)
        except sqlite3.Error as error:
            raise BackupError(f"The database cannot be replaced: {error}.") from None
    else:
        with tempfile.NamedTemporaryFile() as file:
            _run("pg_dump", "--no-owner", "--no-privileges", f"--file={file.name}", database=name)
            _run("psql", *IN_ONE_TRANSACTION, f"--command={NEW_SCHEMA}", f"--file={file.name}")


def _run(program: str, *arguments: str, database: str = "") -> None:
    """Run a program of PostgreSQL on this or another database of the server. Raise BackupError."""
    values = {**connection.settings_dict, "NAME": database or connection.settings_dict["NAME"]}
    # As Django calls psql, with the password in the environment, which other users cannot list.
    (_psql, *server, name), login = DatabaseClient.settings_to_cmd_args_env(values, [])
    # Limits the wait for transactions that lock the tables.
    environment = os.environ | (login or {}) | {"PGOPTIONS": "-c lock_timeout=30s"}
    command = [program, *server, f"--dbname={name}", *arguments]
    try:
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    except FileNotFoundError:
        raise BackupError(f"{program} is not installed (Debian: apt install postgresql-client).") from None
    except subprocess.CalledProcessError as error:
        raise BackupError(f"{program} failed: {error.stderr.strip()}") from None
