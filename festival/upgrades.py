"""Which migrations the database has and which this version of the service has."""

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.migration import Migration


def find_unapplied() -> list[Migration]:
    """Return the migrations that the database does not have yet."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [migration for migration, _backwards in plan]
