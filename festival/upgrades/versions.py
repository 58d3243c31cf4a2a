"""Whether this version may run on the database as it is: before, during and after an upgrade."""

from typing import Any

from django.apps import AppConfig
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.migration import Migration

from festival import __version__, clock
from festival.upgrades.models import MigratedVersion

# The oldest version whose code runs on the database as this version leaves it, beside this version's code.
# tests/festival/upgrades/test_releases.py checks that what has been migrated since then only adds.
COMPATIBLE_WITH = "0.1.0"

MIGRATED_BY_NEWER = (
    "The database was migrated by {newer}, on which version {version} does not run; it does not know {names}."
    " Install the newer version again, or restore a backup that was made before."
)


def find_unapplied() -> list[Migration]:
    """Return the migrations that the database does not have yet."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [migration for migration, _backwards in plan]


def explain_newer_database() -> str:
    """Return why this version must not run on the database; empty if it may.

    It may if it knows all migrations, or if the newest version that has migrated the database says so.
    """
    loader = MigrationExecutor(connection).loader
    known = loader.disk_migrations or {}
    unknown = sorted(".".join(name) for name in loader.applied_migrations if name not in known)
    newer = _find_newer() if unknown else None
    if not unknown or (newer and parse(newer.compatible_with) <= parse(__version__)):
        return ""
    name = f"version {newer.version}" if newer else "a newer version"
    return MIGRATED_BY_NEWER.format(newer=name, version=__version__, names=", ".join(unknown[:3]))


def _find_newer() -> MigratedVersion | None:
    """Return the newest version that has migrated the database, if it is newer than this one."""
    if not _has_table(connection.alias):
        return None
    newest = max(MigratedVersion.objects.all(), key=lambda each: parse(each.version), default=None)
    return newest if newest and parse(newest.version) > parse(__version__) else None


def parse(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, by which versions are compared."""
    return tuple(int(number) for number in version.split(".") if number.isdecimal())


def record_version(sender: AppConfig | None = None, using: str = "default", **_signal: Any) -> None:  # noqa: ARG001 - a receiver
    """Record that this version has migrated a database."""
    if _has_table(using):
        MigratedVersion.objects.using(using).update_or_create(
            version=__version__,
            defaults={"compatible_with": COMPATIBLE_WITH},
            create_defaults={"compatible_with": COMPATIBLE_WITH, "migrated_at": clock.now()},
        )


def _has_table(using: str) -> bool:
    return MigratedVersion._meta.db_table in connections[using].introspection.table_names()
