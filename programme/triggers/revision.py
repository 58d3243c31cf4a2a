"""Statement triggers that move the revision with every statement that writes published tables.

On PostgreSQL the revision's row is locked before the first write of a transaction and incremented once in it,
so revisions are in commit order. SQLite has one writer at a time and needs no lock; as it does not number
transactions, each written row moves the revision.
"""

from collections.abc import Iterator

from programme.models import Revision
from programme.triggers.dialects import DIALECTS, Timing, Trigger
from programme.triggers.rows import models_with_rules

# The channel on which PostgreSQL notifies listeners of a moved revision after the commit.
CHANNEL = "programme_revision"

# The UPSERT inserts the row again after a flush. A number may then be reused, so revisions are compared with
# their moments.
_POSTGRESQL_MOVE = """
INSERT INTO {revision} (id, number, moved_at, writer)
VALUES (1, 1, clock_timestamp(), txid_current())
ON CONFLICT (id) DO UPDATE
SET number = {revision}.number + 1, moved_at = excluded.moved_at, writer = excluded.writer
WHERE {revision}.writer IS DISTINCT FROM excluded.writer
"""
# Sets the moment to the end of the transaction: otherwise states before and after it could have the same
# Last-Modified. It resets the writer, so that it is done once.
_POSTGRESQL_COMMIT = f"""
UPDATE {{revision}} SET moved_at = greatest(moved_at, clock_timestamp()), writer = NULL
WHERE id = NEW.id;
NOTIFY {CHANNEL}
"""
# TRUNCATE may include the revision's table, for which no deferred trigger may remain.
_POSTGRESQL_TRUNCATE = f"""
INSERT INTO {{revision}} (id, number, moved_at, withdrawn_at)
VALUES (1, 1, clock_timestamp(), clock_timestamp())
ON CONFLICT (id) DO UPDATE
SET number = {{revision}}.number + 1, moved_at = excluded.moved_at, withdrawn_at = excluded.withdrawn_at,
    writer = NULL;
NOTIFY {CHANNEL}
"""
_SQLITE_MOVE = (
    "INSERT OR IGNORE INTO {revision} (id, number, moved_at) VALUES (1, 0, '');"
    f" UPDATE {{revision}} SET number = number + 1, moved_at = {DIALECTS['sqlite'].now} WHERE id = 1"
)
# Numbers continue if the row is deleted: processes and editors wait for later ones.
_REVIVE = """
INSERT INTO {revision} (id, number, moved_at, withdrawn_at)
VALUES (OLD.id, OLD.number + 1, {now}, OLD.withdrawn_at)
"""


def published_tables() -> list[str]:
    return [model._meta.db_table for model, rules in models_with_rules().items() if rules.is_published]


def build_revision_triggers(vendor: str) -> Iterator[Trigger]:
    revision = Revision._meta.db_table
    revive = _REVIVE.format(revision=revision, now=DIALECTS[vendor].now)
    if vendor == "sqlite":
        moves = dict.fromkeys(("INSERT", "UPDATE", "DELETE"), _SQLITE_MOVE)
    else:
        moves = {"INSERT OR UPDATE OR DELETE": _POSTGRESQL_MOVE, "TRUNCATE": _POSTGRESQL_TRUNCATE}
        body, is_writing = _POSTGRESQL_COMMIT.format(revision=revision), "NEW.writer IS NOT NULL"
        yield Trigger("commit", revision, "INSERT OR UPDATE", body, ("writer",), is_writing, Timing.COMMIT)
        revive += f"; NOTIFY {CHANNEL}"
    yield Trigger("revive", revision, "DELETE", revive)
    for table in published_tables():
        for operation, body in moves.items():
            sql = body.format(revision=revision)
            yield Trigger("revision", table, operation, sql, timing=Timing.BEFORE_STATEMENT)
