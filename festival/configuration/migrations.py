"""The missing migrations of the database, and its migrations that this version does not have."""

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.recorder import MigrationRecorder

from festival import __version__

NEWER = (
    "The database has migrations that version {version} does not know ({names}). Install the newer version"
    " again, or restore a backup that was made before."
)


def find_unapplied() -> list[Migration]:
    """Return the migrations that are not applied yet."""
    executor = MigrationExecutor(connection)
    return [migration for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def explain_newer_database(database: BaseDatabaseWrapper) -> str:
    """Return the reason why this version must not run on a database, '' if it may."""
    known = MigrationLoader(None).disk_migrations or {}
    applied = MigrationRecorder(database).applied_migrations()
    unknown = sorted(".".join(name) for name in applied if name not in known)
    return NEWER.format(version=__version__, names=", ".join(unknown[:3])) if unknown else ""
