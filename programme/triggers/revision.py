"""Statement triggers that move the revision with every statement that writes what readers see.

On PostgreSQL the revision's row is locked before the first write of a transaction and raised once in it, so
revisions are in commit order. SQLite has one writer at a time, so no lock is needed; nor does it number its
transactions, so each row that is written moves the revision.
"""

from collections.abc import Iterator

from programme.models import Revision
from programme.triggers.dialects import DIALECTS, Timing, Trigger
from programme.triggers.rows import models_with_rules

# Where PostgreSQL tells who listens that a transaction has moved the revision, once it is committed.
CHANNEL = "programme_revision"

# One UPSERT inserts the row where a flush has removed it. A number never stands for two states, even across
# a flush or a restored backup, because readers compare the moment with it.
_POSTGRESQL_MOVE = """
INSERT INTO {revision} (id, number, moved_at, writer)
VALUES (1, 1, clock_timestamp(), txid_current())
ON CONFLICT (id) DO UPDATE
SET number = {revision}.number + 1, moved_at = excluded.moved_at, writer = excluded.writer
WHERE {revision}.writer IS DISTINCT FROM excluded.writer
"""
# At the end of a transaction the moment is set to its end: what was read before that second is over would
# otherwise have the same Last-Modified as what the transaction makes of it. Without a writer, so that this
# is done once.
_POSTGRESQL_COMMIT = f"""
UPDATE {{revision}} SET moved_at = greatest(moved_at, clock_timestamp()), writer = NULL
WHERE id = NEW.id;
NOTIFY {CHANNEL}
"""
# TRUNCATE reaches the revision itself, which must have nothing left to do at the end.
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
# Numbers go on if the row is deleted, by hand or by a flush: processes and editors wait for later ones.
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
