"""The rows of the database in a form that both SQLite and PostgreSQL can read, table by table.

A table is described by the models as of the migrations that are applied, so that a database can be read
before it is migrated, and written as an older version of the service left it.
"""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
from django.core.management.color import no_style
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Field, Model, QuerySet

from festival.backup.manifest import MigrationName, TableSummary

if TYPE_CHECKING:
    AnyField = Field[Any, Any]

# Who is signed in, because a stolen backup must sign nobody in; attempts that are counted for a while; what
# is logged for running processes; and what belongs to forms that are open.
LEFT_OUT = frozenset(
    {
        "django_session",
        "accounts_cache",
        "programme_changedevent",
        "programme_keptfile",
        "programme_openform",
    }
)
BATCH = 2_000
# Sums of digests are kept to the length of one.
_MODULUS = 1 << 256

# Fields whose values are read and written as they are: others are parsed by the field.
_TEXTS = frozenset({"CharField", "TextField", "FileField", "SlugField", "FilePathField"})


def find_applied() -> list[MigrationName]:
    """Return the migrations that the database has, those of other versions of the service included."""
    applied = MigrationExecutor(connection).loader.applied_migrations
    return sorted(MigrationName(*name) for name in applied)


def find_unknown(names: Iterable[MigrationName]) -> list[MigrationName]:
    """Return those of the migrations that this version of the service does not have."""
    known = MigrationExecutor(connection).loader.graph.nodes
    return [name for name in names if name not in known]


def migrate_to(names: Iterable[MigrationName]) -> None:
    """Apply migrations to an empty database, and no others; no signal is sent, so it has no triggers yet."""
    executor = MigrationExecutor(connection)
    wanted, nodes = {*names}, executor.loader.graph.node_map
    last = [name for name in sorted(wanted) if not any(child.key in wanted for child in nodes[name].children)]
    executor.migrate([(name.app, name.name) for name in last])


def find_models(names: Iterable[MigrationName]) -> list[type[Model]]:
    """Return a model for each table that is saved, as of some migrations, by the tables' names."""
    loader = MigrationExecutor(connection).loader
    nodes = [(name.app, name.name) for name in names if name in loader.graph.nodes]
    state = loader.project_state(nodes)
    found = {
        model._meta.db_table: model
        for model in state.apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    }
    return [found[table] for table in sorted(found) if table not in LEFT_OUT]


def stored_fields(model: type[Model]) -> list["AnyField"]:
    return [field for field in model._meta.local_concrete_fields if not field.generated]


class Digest:
    """A digest of lines, in any order: databases sort texts differently."""

    def __init__(self) -> None:
        self._sum = self.lines = 0

    def add(self, line: bytes) -> None:
        self._sum = (self._sum + int.from_bytes(hashlib.sha256(line).digest())) % _MODULUS
        self.lines += 1

    def hexdigest(self) -> str:
        return f"{self._sum:064x}"


def read_lines(model: type[Model]) -> Iterator[bytes]:
    """Yield each row of a table as a JSON array without a line break, in the order of the primary key."""
    names = [field.attname for field in stored_fields(model)]
    rows: QuerySet[Model, Any] = QuerySet(model).order_by("pk").values_list(*names)
    for row in rows.iterator(chunk_size=BATCH):
        yield msgspec.json.encode(row, order="sorted")


def summarize(model: type[Model]) -> TableSummary:
    """Return what describes a table's content: as of a backup, and of what was restored from it."""
    digest = Digest()
    for line in read_lines(model):
        digest.add(line)
    return build_summary(model, digest)


def build_summary(model: type[Model], digest: Digest) -> TableSummary:
    names = [field.attname for field in stored_fields(model)]
    return TableSummary(names, digest.lines, digest.hexdigest(), find_last_id(model))


def write_lines(model: type[Model], lines: Iterable[bytes]) -> None:
    """Insert rows as `read_lines` has written them, past triggers, signals and cleaning."""
    fields = stored_fields(model)
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {connection.ops.quote_name(model._meta.db_table)} ({columns}) VALUES ({places})"
    rows = (_prepare(fields, msgspec.json.decode(line)) for line in lines)
    with connection.cursor() as cursor:
        while batch := list(islice(rows, BATCH)):
            cursor.executemany(statement, batch)


def _prepare(fields: list["AnyField"], row: list[Any]) -> list[Any]:
    return [_to_database(field, value) for field, value in zip(fields, row, strict=True)]


def _to_database(field: "AnyField", value: Any) -> Any:
    if value is None or (isinstance(value, str) and field.get_internal_type() in _TEXTS):
        return value
    return field.get_db_prep_save(field.to_python(value), connection)


# --- The last ID that each table has given out, so that none is given out again ------------------


def find_last_id(model: type[Model]) -> int | None:
    """Return the last ID that the database has given to a row of a table; None if it has given none."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            return _find_last_id_on_sqlite(cursor, model._meta.db_table)
        return _find_last_id_on_postgresql(cursor, model)


def _find_last_id_on_sqlite(cursor: Any, table: str) -> int | None:
    cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
    row = cursor.fetchone()
    return (row and row[0]) or None


def _find_last_id_on_postgresql(cursor: Any, model: type[Model]) -> int | None:
    key = model._meta.pk
    quoted = connection.ops.quote_name(model._meta.db_table)
    cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [quoted, key.column])
    ((sequence,),) = cursor.fetchall()
    if sequence is None:
        return None
    # NULL until the first number has been taken.
    cursor.execute("SELECT pg_sequence_last_value(%s::regclass)", [sequence])
    ((last,),) = cursor.fetchall()
    return int(last) if last is not None else None


def set_last_id(model: type[Model], last: int) -> None:
    """Let the next row of a table have an ID after `last`."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [last, table])
            if not cursor.rowcount:
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])
            return
        quoted = connection.ops.quote_name(table)
        statement = "SELECT setval(pg_get_serial_sequence(%s, %s), %s)"
        cursor.execute(statement, [quoted, model._meta.pk.column, last])


def reset_ids(models: list[type[Model]]) -> None:
    """Let the next rows of tables have IDs after those that their rows have."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
