"""Which migrations the database lacks, and which of its migrations this version does not know."""

from collections.abc import Iterable

from django.db import connection
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
    """Return the migrations that the database does not have yet."""
    executor = MigrationExecutor(connection)
    return [migration for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def find_applied() -> list[str]:
    """Return the database's migrations as `app.name`, sorted."""
    return sorted(".".join(name) for name in MigrationRecorder(connection).applied_migrations())


def find_unknown(migrations: Iterable[str]) -> list[str]:
    """Return those of some migrations (`app.name`) that this version does not have."""
    known = {".".join(name) for name in MigrationLoader(None).disk_migrations or {}}
    return [name for name in migrations if name not in known]


def explain_newer_database() -> str:
    """Return why this version must not run on the database; empty if it may."""
    unknown = find_unknown(find_applied())
    return NEWER.format(version=__version__, names=", ".join(unknown[:3])) if unknown else ""
