"""Restores a backup: into a database of its own first, which is compared and then takes the other's place.

Whatever goes wrong before the last step leaves the database as it was. That step is one transaction, so that
readers see the programme before or the one after.
"""

import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from festival.backup import archive, databases
from festival.backup.archive import BackupError, Manifest
from festival.backup.rebuild import rebuild

UNKNOWN = (
    "{path} was made by version {version}, which has migrations that this version does not know"
    " ({names}). Install version {version} or a later one."
)
OTHER_VENDOR = "{path} is a backup of {vendor}: this database is another kind, so it cannot be restored here."
DIFFERENT = "{path} cannot be restored as it was saved: {problems} The database has not been changed."
# Tables whose rows somebody has entered.
ENTERED = ("programme_festival", "programme_area", "programme_event", "auth_user")


def is_occupied() -> bool:
    """Return whether the database holds a programme or accounts."""
    existing = [name for name in connection.introspection.table_names() if name in ENTERED]
    if not existing:
        return False
    with connection.cursor() as cursor:
        cursor.execute(" UNION ".join(f"SELECT 1 FROM {table}" for table in existing))
        return cursor.fetchone() is not None


def check(path: Path) -> Manifest:
    """Return the manifest of a backup that this version can restore here. Raises BackupError."""
    manifest = archive.read_manifest(path)
    if manifest.vendor != connection.vendor:
        raise BackupError(OTHER_VENDOR.format(path=path, vendor=manifest.vendor))
    known = {".".join(name) for name in MigrationLoader(None).graph.nodes}
    if unknown := [name for name in manifest.migrations if name not in known]:
        names = ", ".join(unknown[:3])
        raise BackupError(UNKNOWN.format(path=path, version=manifest.version, names=names))
    return manifest


def verify(path: Path) -> None:
    """Restore a backup into a database of its own and compare. Raises BackupError."""
    with tempfile.TemporaryDirectory() as folder:
        file = archive.extract_database(path, Path(folder))
        with databases.scratch(file) as database:
            prepare(path, database, check(path))


def restore(path: Path, manifest: Manifest) -> None:
    """Restore a backup that `check` has accepted, instead of what the database has. Raises BackupError."""
    with tempfile.TemporaryDirectory(prefix=".restoring-", dir=settings.DATA_DIR) as folder:
        file = archive.extract_database(path, Path(folder))
        with databases.scratch(file) as database:
            prepare(path, database, manifest, after=_find_revision())
            # Before the rows that name them are there.
            archive.restore_media(path)
            databases.replace(database, Path(folder))


def _find_revision() -> int:
    if "programme_revision" not in connection.introspection.table_names():
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT number FROM programme_revision")
        row = cursor.fetchone()
    return row[0] if row else 0


def prepare(path: Path, database: databases.Database, manifest: Manifest, after: int | None = None) -> None:
    """Prepare a restored database in a process of its own, and compare it. Raises BackupError."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        try:
            problems = process.submit(rebuild, database, manifest, after).result()
        except Exception as error:  # noqa: BLE001
            problems = [f"{type(error).__name__}: {error}."]
    if problems:
        raise BackupError(DIFFERENT.format(path=path, problems=" ".join(problems[:3])))
