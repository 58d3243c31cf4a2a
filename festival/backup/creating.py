"""Makes a backup: the database in one transaction that sees one state, then the images that it names."""

import os
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import FileField, Model, QuerySet

from festival import __version__
from festival.backup import archive, databases
from festival.backup.answers import digest_answers, digest_site, read_programme
from festival.backup.manifest import FORMAT, BackupError, Manifest
from festival.configuration.environment import Environment
from festival.upgrades.versions import find_unapplied

EMPTY = "The database has no tables: there is nothing to back up."


def create_backup(path: Path, instant: datetime) -> tuple[Manifest, list[str]]:
    """Write a backup to a file, which appears when it is complete. Raises BackupError and OSError.

    Return its manifest, and the images that rows name but do not exist.
    """
    with tempfile.TemporaryDirectory(prefix=".festival-", suffix=".partial", dir=path.parent) as folder:
        dump, new = Path(folder, "dump"), Path(folder, "new")
        with databases.one_state():
            manifest, images = _describe(instant)
            databases.dump(dump)
        # After the rows: an image is stored before the row that names it.
        manifest = archive.write(new, dump, manifest)
        new.chmod(0o600)
        with new.open("rb") as file:
            os.fsync(file.fileno())
        new.replace(path)
    return manifest, [name for name in images if f"{archive.MEDIA}{name}" not in manifest.files]


def _describe(instant: datetime) -> tuple[Manifest, list[str]]:
    """Return the manifest of a backup that is made now, without files, and the images that rows name."""
    applied = sorted(".".join(name) for name in MigrationRecorder(connection).applied_migrations())
    if not applied:
        raise BackupError(EMPTY)
    programme = None if find_unapplied() else read_programme()
    rows = count_rows()
    manifest = Manifest(
        format=FORMAT,
        version=__version__,
        made_at=instant,
        vendor=connection.vendor,
        migrations=applied,
        revision=programme.revision.number if programme else 0,
        events=rows["programme_event"],
        rows=rows,
        answers=digest_answers(programme, instant) if programme else {},
        site=digest_site(),
        settings=sorted(Environment.names),
    )
    return manifest, sorted(_find_images()) if programme else []


def count_rows() -> dict[str, int]:
    """Return the number of rows of each table that is saved."""
    tables = set(connection.introspection.table_names()).difference(databases.LEFT_OUT)
    with connection.cursor() as cursor:
        return {table: _count(cursor, table) for table in sorted(tables)}


def _count(cursor: Any, table: str) -> int:
    cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")
    return int(cursor.fetchone()[0])


def _find_images() -> Iterator[str]:
    """Yield the names of the files that rows name."""
    for model in apps.get_models():
        for field in model._meta.local_concrete_fields:
            if isinstance(field, FileField):
                named: QuerySet[Model, Any] = QuerySet(model).exclude(**{field.name: ""})
                yield from named.values_list(field.name, flat=True)
