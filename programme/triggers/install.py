"""Updates the database's triggers after every migration.

A trigger's name contains a hash of its definition, so only changed triggers are replaced.
"""

from typing import Any

from django.apps import AppConfig, apps
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from programme.models import RandomText, Revision
from programme.triggers.changes import build_log_triggers
from programme.triggers.dialects import PREFIX, Timing, Trigger
from programme.triggers.revision import build_revision_triggers
from programme.triggers.rows import build_row_triggers


def _create_trigger(trigger: Trigger, vendor: str) -> list[str]:
    name = trigger.full_name
    columns = f" OF {', '.join(trigger.columns)}" if trigger.columns else ""
    condition = f" WHEN ({trigger.condition})" if trigger.condition else ""
    if vendor == "sqlite":
        # SQLite has row triggers only.
        when = "BEFORE" if trigger.timing is Timing.BEFORE_STATEMENT else "AFTER"
        return [
            f"CREATE TRIGGER {name} {when} {trigger.operation}{columns} ON {trigger.table}"
            f"{condition} BEGIN {trigger.body}; END"
        ]
    create, timing = {
        Timing.AFTER_ROW: ("TRIGGER {name} AFTER", "FOR EACH ROW"),
        Timing.BEFORE_STATEMENT: ("TRIGGER {name} BEFORE", "FOR EACH STATEMENT"),
        Timing.COMMIT: ("CONSTRAINT TRIGGER {name} AFTER", "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"),
    }[trigger.timing]
    return [
        create_function(name, trigger.body),
        f"CREATE {create.format(name=name)} {trigger.operation}{columns} ON {trigger.table}"
        f" {timing}{condition} EXECUTE FUNCTION {name}()",
    ]


def create_function(name: str, body: str) -> str:
    return (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN {body}; RETURN NULL; END $$"
    )


def installed_triggers(connection: BaseDatabaseWrapper) -> dict[str, str]:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'")
        else:
            cursor.execute(
                "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
                " WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace"
            )
        return {name: table for name, table in cursor.fetchall() if name.startswith(PREFIX)}


def drop_trigger(connection: BaseDatabaseWrapper, name: str, table: str) -> list[str]:
    if connection.vendor == "sqlite":
        return [f"DROP TRIGGER {name}"]
    return [f"DROP TRIGGER {name} ON {table}", f"DROP FUNCTION IF EXISTS {name}()"]


def _lacks_columns(state: Any) -> bool:
    """Return whether the migrated tables lack columns of the models, as after a reverse migration."""
    migrated, current = (
        {
            (model._meta.db_table, field.column)
            for model in models.get_app_config("programme").get_models()
            for field in model._meta.local_concrete_fields
        }
        for models in (state, apps)
    )
    return not current <= migrated


def install(sender: AppConfig | None = None, using: str = "default", **signal: Any) -> None:  # noqa: ARG001 - a receiver
    """Update the triggers in one transaction; without all columns of the models, remove them."""
    connection = connections[using]
    if Revision._meta.db_table not in connection.introspection.table_names():
        return
    vendor, installed = connection.vendor, installed_triggers(connection)
    wanted = {}
    if "apps" not in signal or not _lacks_columns(signal["apps"]):
        builders = (build_revision_triggers, build_row_triggers, build_log_triggers)
        wanted = {trigger.full_name: trigger for build in builders for trigger in build(vendor)}
    statements = [
        statement
        for name, table in installed.items()
        if name not in wanted
        for statement in drop_trigger(connection, name, table)
    ]
    for name in wanted.keys() - installed.keys():
        statements += _create_trigger(wanted[name], vendor)
    if not statements:
        return
    with transaction.atomic(using=using), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    if wanted:
        # Earlier writes are not logged. In a transaction of its own, because writers lock the revision's row
        # after their tables.
        Revision.objects.using(using).update(lineage=RandomText())


def remove(_apps: Any, schema_editor: Any) -> None:
    """Remove the triggers for a migration that alters a table; they are installed again after it.

    SQLite alters a table by replacing it, which fails while triggers of other tables refer to it.
    """
    connection = schema_editor.connection
    if connection.vendor == "sqlite":
        for name, table in installed_triggers(connection).items():
            for statement in drop_trigger(connection, name, table):
                schema_editor.execute(statement)
