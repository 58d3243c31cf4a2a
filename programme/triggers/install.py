"""Database triggers that keep what must hold whichever way the programme is edited.

They, and not `save()` or signals, because `QuerySet.update`, bulk operations, fixtures, cascades and
SQL typed by hand go past those. They see to five things:

* the **revision** moves with every writing statement; on PostgreSQL its row is locked before the
  first write of a transaction and raised once in it, so revisions are in commit order;
* an event's **last_modified** moves with itself and all that it names, and never decreases;
* **published_at**, the moment of first publication of events and occasions, is set once, and the
  identity of a published occasion outlives it (`GoneOccasion`);
* no area's name is another area's **full name**, and the same within an area's sub areas;
* each **version** of a row is kept (`programme/triggers/history.py`).

A trigger's name ends in a hash of what it does, so that `install` only touches what has changed.
"""

from collections.abc import Iterator
from typing import Any

from django.apps import AppConfig, apps
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from programme.models import Version
from programme.triggers.dialects import DIALECTS, PREFIX, Dialect, Trigger
from programme.triggers.history import history_triggers

# Models that are no part of the programme that editors keep; writing them moves nothing.
NOT_PROGRAMME = {"Revision", "GoneOccasion", "Edit", "Editing", "AreaEditor"}
# What imports remember, which no reader sees either.
IMPORTS = {"ImportedRow", "SheetMapping", "Upload"}

# How the events that name a row are found, by the table of the row; {row} is NEW or OLD.
NAMED_BY = {
    "programme_occasion": "id = {row}.event_id",
    "programme_area": "area_id = {row}.id",
    "programme_subarea": "sub_area_id = {row}.id",
    "programme_organizer": "organizer_id = {row}.id",
    "programme_eventtype": "type_id = {row}.id",
    "programme_language": "language_id = {row}.id",
    "programme_location": (
        "location_id = {row}.id"
        " OR room_id IN (SELECT id FROM programme_room WHERE location_id = {row}.id)"
        " OR id IN (SELECT event_id FROM programme_occasion WHERE location_id = {row}.id"
        " OR room_id IN (SELECT id FROM programme_room WHERE location_id = {row}.id))"
    ),
    "programme_room": (
        "room_id = {row}.id OR id IN (SELECT event_id FROM programme_occasion WHERE room_id = {row}.id)"
    ),
    "programme_stream": ("id IN (SELECT event_id FROM programme_occasion WHERE stream_id = {row}.id)"),
}

# Columns that no reader sees, or that the database keeps; writing them alone touches no event.
UNTOUCHING = {
    "programme_room": {"parallel"},
    "programme_event": {"last_modified", "published_at"},
    "programme_occasion": {"published_at"},
    "programme_festival": {"saved_at"},
}


def programme_tables() -> list[str]:
    """Return the tables whose content readers may see, those of many-to-many relations included."""
    models = apps.get_app_config("programme").get_models(include_auto_created=True)
    return sorted(
        model._meta.db_table
        for model in models
        if model.__name__ not in NOT_PROGRAMME | IMPORTS and not issubclass(model, Version)
    )


def _columns(table: str) -> tuple[str, ...]:
    models = apps.get_app_config("programme").get_models(include_auto_created=True)
    model = next(model for model in models if model._meta.db_table == table)
    columns = [field.column for field in model._meta.local_concrete_fields]
    return tuple(f'"{column}"' for column in columns if column not in UNTOUCHING.get(table, set()))


def _touches(dialect: Dialect) -> Iterator[Trigger]:
    touch = "UPDATE programme_event SET last_modified = {d.later}(last_modified, {d.now}) WHERE {condition}"
    for table, condition in NAMED_BY.items():
        rows = {"UPDATE": ["OLD", "NEW"]}
        if table == "programme_occasion":
            # What else an event names cannot be deleted while it does (or the event is updated).
            rows |= {"INSERT": ["NEW"], "DELETE": ["OLD"]}
        for operation, names in rows.items():
            bodies = [touch.format(d=dialect, condition=condition.format(row=row)) for row in names]
            yield Trigger(
                f"touch_{operation.lower()}",
                table,
                operation,
                "; ".join(dict.fromkeys(bodies)),
                _columns(table) if operation == "UPDATE" else (),
            )


def _moments(dialect: Dialect) -> Iterator[Trigger]:
    """Moments of the event, its occasions and the festival, on inserting and updating them."""
    now, later = dialect.now, dialect.later
    for operation, before in (("INSERT", "NEW"), ("UPDATE", "OLD")):
        event = (
            f"UPDATE programme_event SET last_modified = {later}({before}.last_modified, {now}),"
            f" published_at = coalesce({before}.published_at, published_at,"
            f" CASE WHEN status = 'published' THEN {now} END) WHERE id = NEW.id;"
            f" UPDATE programme_occasion SET published_at = {now}"
            " WHERE event_id = NEW.id AND published_at IS NULL AND NEW.status = 'published'"
        )
        occasion = (
            f"UPDATE programme_occasion SET published_at = coalesce({before}.published_at,"
            # One that comes back was published before, whatever comes with it.
            " published_at, (SELECT gone_at FROM programme_goneoccasion WHERE id = NEW.id),"
            f" (SELECT {now} FROM programme_event"
            " WHERE id = NEW.event_id AND status = 'published')) WHERE id = NEW.id;"
            " DELETE FROM programme_goneoccasion WHERE id = NEW.id"
        )
        festival = f"UPDATE programme_festival SET saved_at = {now} WHERE id = NEW.id"
        bodies = {
            "programme_event": event,
            "programme_occasion": occasion,
            "programme_festival": festival,
        }
        for table, body in bodies.items():
            columns = _columns(table) if operation == "UPDATE" else ()
            yield Trigger(f"moment_{operation.lower()}", table, operation, body, columns)


def _identities(dialect: Dialect) -> Iterator[Trigger]:
    """An occasion that was published leaves its identity behind."""
    body = (
        "INSERT INTO programme_goneoccasion (id, uuid, event_id, gone_at)"
        f" SELECT OLD.id, OLD.uuid, OLD.event_id, {dialect.now} WHERE OLD.published_at IS NOT NULL"
    )
    yield Trigger("gone", "programme_occasion", "DELETE", body)


def _names(dialect: Dialect) -> Iterator[Trigger]:
    """No name is another's full name: unique constraints see to each of them by itself."""
    for table, scope in (("programme_area", ""), ("programme_subarea", " AND area_id = NEW.area_id")):
        condition = (
            f"EXISTS (SELECT 1 FROM {table} WHERE id <> NEW.id{scope}"
            " AND (name_key = NEW.full_name_key OR full_name_key = NEW.name_key))"
        )
        body = dialect.taken.format(name=f"{table}.name_or_full_name", condition=condition)
        for operation in ("INSERT", "UPDATE"):
            yield Trigger(f"names_{operation.lower()}", table, operation, body)


def triggers(vendor: str) -> list[Trigger]:
    """Return all row triggers of a database, revisions apart."""
    dialect = DIALECTS[vendor]
    makers = (_touches, _moments, _identities, _names, history_triggers)
    return [trigger for make in makers for trigger in make(dialect)]


# --- Revision -------------------------------------------------------------------------------

# One UPSERT makes the row where a flush has removed it. A number never stands for two states, even
# across a flush or a restored backup, because readers compare the moment with it.
_POSTGRESQL_REVISION = """
INSERT INTO programme_revision (id, number, moved_at, writer)
VALUES (1, 1, clock_timestamp(), txid_current())
ON CONFLICT (id) DO UPDATE
SET number = programme_revision.number + 1, moved_at = excluded.moved_at, writer = excluded.writer
WHERE programme_revision.writer IS DISTINCT FROM excluded.writer
"""
# At the end of a transaction the moment is put to its end: what was read before that second is over
# would else have the same Last-Modified as what the transaction made of it. Without a writer, so that
# this is done once.
_POSTGRESQL_COMMIT = """
UPDATE programme_revision SET moved_at = greatest(moved_at, clock_timestamp()), writer = NULL
WHERE id = NEW.id
"""
# TRUNCATE reaches the revision itself, which must have nothing left to do at the end.
_POSTGRESQL_TRUNCATE = """
INSERT INTO programme_revision (id, number, moved_at) VALUES (1, 1, clock_timestamp())
ON CONFLICT (id) DO UPDATE
SET number = programme_revision.number + 1, moved_at = excluded.moved_at, writer = NULL
"""
# SQLite has one writer at a time, so no lock is needed; nor does it know transactions by number, so
# each row written moves the revision.
_SQLITE_REVISION = (
    "INSERT OR IGNORE INTO programme_revision (id, number, moved_at) VALUES (1, 0, '');"
    " UPDATE programme_revision SET number = number + 1,"
    f" moved_at = {DIALECTS['sqlite'].now} WHERE id = 1"
)


def _sqlite_statements() -> dict[str, list[str]]:
    statements = {}
    for table in programme_tables():
        for operation in ("INSERT", "UPDATE", "DELETE"):
            trigger = Trigger(f"revision_{operation.lower()}", table, operation, _SQLITE_REVISION)
            name = f"{trigger.full_name()}_{table}"
            statements[name] = [
                f"CREATE TRIGGER {name} BEFORE {operation} ON {table} BEGIN {_SQLITE_REVISION}; END"
            ]
    for trigger in triggers("sqlite"):
        name = f"{trigger.full_name()}_{trigger.table}"
        columns = f" OF {', '.join(trigger.columns)}" if trigger.columns else ""
        condition = f" WHEN {trigger.condition}" if trigger.condition else ""
        statements[name] = [
            f"CREATE TRIGGER {name} AFTER {trigger.operation}{columns} ON {trigger.table}"
            f"{condition} BEGIN {trigger.body}; END"
        ]
    return statements


def _function(name: str, body: str) -> str:
    return (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN {body}; RETURN NULL; END $$"
    )


def _postgresql_revisions() -> Iterator[tuple[str, list[str]]]:
    moves = {"INSERT OR UPDATE OR DELETE": _POSTGRESQL_REVISION, "TRUNCATE": _POSTGRESQL_TRUNCATE}
    for table in programme_tables():
        for operations, body in moves.items():
            name = f"{Trigger('revision', table, operations, body).full_name()}_{table}"
            yield (
                name,
                [
                    _function(name, body),
                    f"CREATE TRIGGER {name} BEFORE {operations} ON {table}"
                    f" FOR EACH STATEMENT EXECUTE FUNCTION {name}()",
                ],
            )
    name = Trigger("commit", "programme_revision", "COMMIT", _POSTGRESQL_COMMIT).full_name()
    yield (
        name,
        [
            _function(name, _POSTGRESQL_COMMIT),
            f"CREATE CONSTRAINT TRIGGER {name} AFTER INSERT OR UPDATE ON programme_revision"
            " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.writer IS NOT NULL)"
            f" EXECUTE FUNCTION {name}()",
        ],
    )


def _postgresql_statements() -> dict[str, list[str]]:
    statements = dict(_postgresql_revisions())
    for trigger in triggers("postgresql"):
        name = f"{trigger.full_name()}_{trigger.table}"
        columns = f" OF {', '.join(trigger.columns)}" if trigger.columns else ""
        condition = f" WHEN ({trigger.condition})" if trigger.condition else ""
        statements[name] = [
            _function(name, trigger.body),
            f"CREATE TRIGGER {name} AFTER {trigger.operation}{columns} ON {trigger.table}"
            f" FOR EACH ROW{condition} EXECUTE FUNCTION {name}()",
        ]
    return statements


# --- Installing -----------------------------------------------------------------------------


def _present(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Return the table of each of our triggers that the database has."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'")
        else:
            cursor.execute(
                "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
                " WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace"
            )
        return {name: table for name, table in cursor.fetchall() if name.startswith(PREFIX)}


def _drop(connection: BaseDatabaseWrapper, name: str, table: str) -> list[str]:
    if connection.vendor == "sqlite":
        return [f"DROP TRIGGER {name}"]
    return [f"DROP TRIGGER {name} ON {table}", f"DROP FUNCTION IF EXISTS {name}()"]


def _is_older(state: Any) -> bool:
    """Return whether a migration ended at tables that lack columns of ours, as one back in time does."""
    theirs, ours = (
        {
            (model._meta.db_table, field.column)
            for model in models.get_app_config("programme").get_models()
            for field in model._meta.local_concrete_fields
        }
        for models in (state, apps)
    )
    return not ours <= theirs


def install(sender: AppConfig | None = None, using: str = "default", **signal: Any) -> None:  # noqa: ARG001 - a receiver
    """Bring the database's triggers up to date, in one transaction; older tables than ours have none."""
    connection = connections[using]
    tables = connection.introspection.table_names()
    if "programme_revision" not in tables:
        return
    makers = {"sqlite": _sqlite_statements, "postgresql": _postgresql_statements}
    older = "apps" in signal and _is_older(signal["apps"])
    wanted, present = {} if older else makers[connection.vendor](), _present(connection)
    statements = [
        statement
        for name, table in present.items()
        if name not in wanted
        for statement in _drop(connection, name, table)
    ]
    statements += [statement for name in wanted if name not in present for statement in wanted[name]]
    if not statements:
        return
    with transaction.atomic(using=using), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def remove(_apps: Any, schema_editor: Any) -> None:
    """Remove the triggers, for a migration that alters a table; they come back when it is through.

    SQLite alters a table by making it anew, and can not while triggers of other tables name it.
    """
    connection = schema_editor.connection
    if connection.vendor == "sqlite":
        for name, table in _present(connection).items():
            for statement in _drop(connection, name, table):
                schema_editor.execute(statement)
