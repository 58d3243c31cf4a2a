"""Copies the database: by SQLite's VACUUM INTO, or PostgreSQL's pg_dump and pg_restore."""

import gzip
import os
import secrets
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

from django.db import ProgrammingError, connection, transaction
from django.db.backends.postgresql.client import DatabaseClient

from festival.backup.archive import BackupError, ScratchError
from programme.publishing.loading import consistent_read

# Who is signed in, because a stolen backup must sign nobody in; attempts that are counted for a while; what
# is logged for running processes; and what belongs to forms that are open.
LEFT_OUT = (
    *("django_session", "accounts_cache"),
    *("programme_changedevent", "programme_keptfile", "programme_openform"),
)
# How often to wait for transactions that hold the old tables, each at most so many seconds.
ATTEMPTS, LOCK_TIMEOUT = 5, 5

NO_PROGRAM = "{program} is not installed (Debian: apt install postgresql-client)."
NO_SCRATCH = (
    "The backup is restored into a database of its own first, which this role may not make. Let it:"
    ' runuser -u postgres -- psql --command "ALTER ROLE {role} CREATEDB"'
)

Database = dict[str, Any]


def one_state() -> AbstractContextManager[Any]:
    """Return a context in which `dump` and queries see the same state; on SQLite editors wait for its end."""
    return transaction.atomic() if connection.vendor == "sqlite" else consistent_read()


def dump(path: Path) -> None:
    """Write the database of this context to a file, without what is temporary. Raises BackupError."""
    if connection.vendor == "sqlite":
        _dump_sqlite(path)
        return
    (snapshot,) = _execute("SELECT pg_export_snapshot()")
    left_out = [f"--exclude-table-data={table}" for table in LEFT_OUT]
    _run_tool("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={path}", *left_out)


def _dump_sqlite(path: Path) -> None:
    # Through Django, whose functions the tables' constraints call; not the connection of this transaction.
    plain = path.with_suffix(".plain")
    with closing(connection.copy()) as source, source.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(plain)])
    copy = connection.copy()
    copy.settings_dict["NAME"] = str(plain)
    with closing(copy), copy.cursor() as cursor:
        for table in set(copy.introspection.table_names()).intersection(LEFT_OUT):
            cursor.execute(f'DELETE FROM "{table}"')
        # Deleted rows are still in the file until then.
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA journal_mode=DELETE")
    with plain.open("rb") as read, gzip.open(path, "wb", compresslevel=6) as packed:
        shutil.copyfileobj(read, packed)
    plain.unlink()


@contextmanager
def scratch(file: Path) -> Iterator[Database]:
    """Yield Django's settings of another database that is restored from a file. Raises BackupError."""
    if connection.vendor == "sqlite":
        plain = file.with_suffix(".plain")
        with gzip.open(file) as packed, plain.open("wb") as written:
            shutil.copyfileobj(packed, written)
        options = {"transaction_mode": "IMMEDIATE", "init_command": "PRAGMA synchronous=OFF;"}
        yield {"ENGINE": "django.db.backends.sqlite3", "NAME": str(plain), "OPTIONS": options}
        return
    name = f"festival_scratch_{secrets.token_hex(4)}"
    collation, ctype = _execute(
        "SELECT datcollate, datctype FROM pg_database WHERE datname = current_database()"
    )
    locale = f"ENCODING 'UTF8' LC_COLLATE '{collation}' LC_CTYPE '{ctype}'"
    try:
        _execute(f"CREATE DATABASE {name} TEMPLATE template0 {locale}")
    except ProgrammingError:
        raise ScratchError(NO_SCRATCH.format(role=connection.settings_dict["USER"])) from None
    try:
        _run_tool("pg_restore", "--no-owner", "--no-privileges", "--exit-on-error", str(file), database=name)
        yield {**connection.settings_dict, "NAME": name, "CONN_MAX_AGE": 0}
    finally:
        _execute(f"DROP DATABASE {name} WITH (FORCE)")


def _execute(statement: str) -> Any:
    """Run a statement; return the first row of its result."""
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone() if cursor.description else None


def replace(database: Database, folder: Path) -> None:
    """Put a scratch database in the place of this one, in one transaction. Raises BackupError."""
    if connection.vendor == "sqlite":
        live = connection.settings_dict["NAME"]
        connection.close()
        with closing(sqlite3.connect(database["NAME"])) as source, closing(sqlite3.connect(live)) as target:
            source.backup(target)
        return
    file = folder / "prepared"
    _run_tool("pg_dump", "--format=custom", f"--file={file}", database=database["NAME"])
    for attempt in range(1, ATTEMPTS + 1):
        try:
            _run_tool(
                *("pg_restore", "--clean", "--if-exists", "--no-owner", "--no-privileges"),
                *("--single-transaction", "--exit-on-error", str(file)),
            )
        except BackupError:
            # A transaction holds the tables, or waits for one that we hold.
            if attempt == ATTEMPTS:
                raise
            time.sleep(attempt)
        else:
            return


def _run_tool(program: str, *arguments: str, database: str = "") -> None:
    """Run a program of PostgreSQL on this database, or on another one of the server. Raises BackupError."""
    if not shutil.which(program):
        raise BackupError(NO_PROGRAM.format(program=program))
    values = {**connection.settings_dict, "NAME": database or connection.settings_dict["NAME"]}
    # As Django calls psql: the password is not for whoever lists processes.
    (_psql, *server, name), login = DatabaseClient.settings_to_cmd_args_env(values, [])
    environment = {**os.environ, **(login or {}), "PGOPTIONS": f"-c lock_timeout={LOCK_TIMEOUT}s"}
    process = subprocess.run(  # noqa: S603
        [program, *server, f"--dbname={name}", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        reason = next((line for line in process.stderr.splitlines() if "error:" in line), process.stderr)
        raise BackupError(f"{program} failed: {reason.strip()}")
