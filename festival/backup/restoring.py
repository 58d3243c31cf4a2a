"""Restores a backup: into a place of its own first, which is compared and then takes the database's place.

Whatever goes wrong before the last step leaves the database as it was. That step is one transaction, so that
readers see the programme before or the one after.
"""

import os
import secrets
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, OperationalError, connection, transaction

from festival.backup import tables
from festival.backup.archive import Archive
from festival.backup.manifest import BackupError, Manifest
from festival.backup.rebuild import Job, Result
from festival.configuration import data_files
from programme.triggers.dialects import PREFIXES

UNKNOWN = (
    "{path} was made by version {version}, which has migrations that this version does not know"
    " ({names}). Install version {version} or a later one."
)
DIFFERENT = "{path} cannot be restored as it was saved: {problems} The database has not been changed."
FAILED = "{path} cannot be restored: {reason} The database has not been changed."
NO_SCHEMA = (
    "The backup is restored into a schema of its own first, which this role may not make: {reason}."
    " Let it (GRANT CREATE ON DATABASE … TO …), or restore into an empty database that it owns."
)
# Tables whose rows somebody has entered.
ENTERED = ("programme_festival", "programme_area", "programme_event", "auth_user")
# How often to wait for transactions that hold the old tables, each at most so many seconds.
ATTEMPTS, LOCK_TIMEOUT = 5, 5


def is_occupied() -> bool:
    """Return whether the database holds a programme or accounts."""
    existing = [name for name in connection.introspection.table_names() if name in ENTERED]
    if not existing:
        return False
    with connection.cursor() as cursor:
        cursor.execute(" UNION ".join(f"SELECT 1 FROM {table}" for table in existing))
        return cursor.fetchone() is not None


def check(path: Path) -> Manifest:
    """Return the manifest of a backup that this version can restore. Raises BackupError."""
    with Archive(path) as archive:
        archive.check()
        manifest = archive.manifest
    if unknown := tables.find_unknown(manifest.migrations):
        names = ", ".join(f"{each.app}.{each.name}" for each in unknown[:3])
        raise BackupError(UNKNOWN.format(path=path, version=manifest.version, names=names))
    return manifest


def verify(path: Path) -> None:
    """Restore a backup into a temporary SQLite file and compare. Raises BackupError."""
    check(path)
    with tempfile.TemporaryDirectory() as folder:
        _build(path, _sqlite_settings(Path(folder, "verified.sqlite3")), None)


def restore(path: Path) -> Manifest:
    """Restore a backup that `check` has accepted, instead of what the database has. Raises BackupError."""
    restore_into = {"sqlite": _restore_on_sqlite, "postgresql": _restore_on_postgresql}[connection.vendor]
    with Archive(path) as archive:
        restore_into(archive, _find_revision())
        return archive.manifest


def _find_revision() -> int:
    if "programme_revision" not in connection.introspection.table_names():
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT number FROM programme_revision")
        row = cursor.fetchone()
    return row[0] if row else 0


def _build(path: Path, database: dict[str, Any], after: int | None) -> None:
    """Restore a backup into an empty database, in a process of its own. Raises BackupError."""
    search = os.pathsep.join(filter(None, (str(settings.BASE_DIR), os.environ.get("PYTHONPATH"))))
    process = subprocess.run(
        [sys.executable, "-m", "festival.backup.rebuild"],
        input=msgspec.json.encode(Job(database, str(path.absolute()), after)),
        env={**os.environ, "PYTHONPATH": search},
        capture_output=True,
        check=False,
    )
    if process.returncode:
        lines = process.stderr.decode(errors="replace").strip().splitlines() or ["no reason was given"]
        raise BackupError(FAILED.format(path=path, reason=f"{lines[-1]}."))
    result = msgspec.json.decode(process.stdout, type=Result)
    if result.error:
        raise BackupError(result.error)
    if result.problems:
        raise BackupError(DIFFERENT.format(path=path, problems=" ".join(result.problems[:3])))


# --- The images ---------------------------------------------------------------------------------


def _restore_media(archive: Archive) -> None:
    """Write the images: before the rows that name them are there."""
    root = Path(settings.MEDIA_ROOT)
    for name in archive.media:
        path = root / name
        data_files.share_folder(path.parent)
        descriptor, new = tempfile.mkstemp(prefix=".restored-", dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(archive.read_media(name))
            os.fchmod(file.fileno(), data_files.SHARED_FILE)
        Path(new).replace(path)


# --- SQLite: the pages of a new file are copied into the old one ----------------------------------


def _sqlite_settings(path: Path) -> dict[str, Any]:
    options = {"transaction_mode": "IMMEDIATE", "init_command": "PRAGMA synchronous=OFF;"}
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path), "OPTIONS": options}


def _restore_on_sqlite(archive: Archive, after: int) -> None:
    live = Path(connection.settings_dict["NAME"])
    with tempfile.TemporaryDirectory(prefix=".restoring-", dir=live.parent) as folder:
        new = Path(folder, "new.sqlite3")
        _build(archive.path, _sqlite_settings(new), after)
        _restore_media(archive)
        connection.close()
        with closing(sqlite3.connect(new)) as source, closing(sqlite3.connect(live)) as target:
            source.backup(target)


# --- PostgreSQL: the tables of a new schema take the place of the old ones ------------------------


def _restore_on_postgresql(archive: Archive, after: int) -> None:
    with _new_schema() as schema:
        database = {**connection.settings_dict, "CONN_MAX_AGE": 0}
        options = database["OPTIONS"].get("options", "")
        database["OPTIONS"] = database["OPTIONS"] | {"options": f"{options} -c search_path={schema}"}
        _build(archive.path, database, after)
        _restore_media(archive)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                _swap(schema)
            except OperationalError as error:
                # A transaction holds the tables, or waits for one that we hold.
                if attempt == ATTEMPTS:
                    reason = str(error).partition("\n")[0]
                    raise BackupError(FAILED.format(path=archive.path, reason=f"{reason}.")) from None
            else:
                return


@contextmanager
def _new_schema() -> Iterator[str]:
    name = f"restoring_{secrets.token_hex(4)}"
    try:
        _execute(f"CREATE SCHEMA {name}")
    except DatabaseError as error:
        raise BackupError(NO_SCHEMA.format(reason=str(error).partition("\n")[0])) from None
    try:
        yield name
    finally:
        _execute(f"DROP SCHEMA {name} CASCADE")


def _execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _swap(schema: str) -> None:
    """Replace the service's tables and functions by those of a schema; leave what else there is alone."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}s'")
        cursor.execute("SELECT current_schema()")
        ((present,),) = cursor.fetchall()
        old, new = _objects_of(cursor, present), _objects_of(cursor, schema)
        ours = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
        quote = connection.ops.quote_name
        for table in old.tables & (ours | new.tables):
            cursor.execute(f"DROP TABLE {quote(present)}.{quote(table)} CASCADE")
        for function in old.functions:
            cursor.execute(f"DROP FUNCTION {quote(present)}.{quote(function)}() CASCADE")
        for table in new.tables:
            cursor.execute(f"ALTER TABLE {schema}.{quote(table)} SET SCHEMA {quote(present)}")
        for function in new.functions:
            cursor.execute(f"ALTER FUNCTION {schema}.{quote(function)}() SET SCHEMA {quote(present)}")


class _Objects(msgspec.Struct):
    tables: set[str]
    functions: set[str]


def _objects_of(cursor: Any, schema: str) -> _Objects:
    cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [schema])
    names = {name for (name,) in cursor.fetchall()}
    cursor.execute(
        "SELECT proname FROM pg_proc WHERE pronamespace = %s::regnamespace AND proname LIKE ANY (%s)",
        [schema, [f"{prefix}%" for prefix in PREFIXES]],
    )
    return _Objects(names, {name for (name,) in cursor.fetchall()})
