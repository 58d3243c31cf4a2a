"""The change log: triggers that write which events each edit has changed, and its sweeping."""

from collections.abc import Iterator

from programme.models import ChangedEvent, Event, RandomText, Revision
from programme.models.trigger_rules import SHARED
from programme.triggers.dialects import Timing, Trigger
from programme.triggers.rows import models_with_rules

# Each event once, however often it is written. `WHERE true` because SQLite takes ON CONFLICT for the
# condition of a join otherwise.
_LOG = """
INSERT INTO {log} (event_id, revision)
SELECT written.event_id, {number} FROM {revision}, ({written}) AS written WHERE true
ON CONFLICT (event_id) DO UPDATE SET revision = excluded.revision
WHERE {log}.revision <> excluded.revision
"""
_ROWS = {"INSERT": ("NEW",), "UPDATE": ("OLD", "NEW"), "DELETE": ("OLD",)}
# Where rows of the log are deleted, and where no trigger sees which rows are, it leads nowhere any more.
_BEGIN_LINEAGE = "UPDATE {revision} SET lineage = {random}"


def build_log_triggers(vendor: str) -> Iterator[Trigger]:
    names = {"log": ChangedEvent._meta.db_table, "revision": Revision._meta.db_table}
    random, _parameters = getattr(RandomText(), f"as_{vendor}")()
    begin_lineage = _BEGIN_LINEAGE.format(**names, random=random)
    yield Trigger("forget", names["log"], "DELETE", begin_lineage, timing=Timing.BEFORE_STATEMENT)
    truncated = [names["log"]]
    for model, rules in models_with_rules().items():
        if not rules.logged_as:
            continue
        table = model._meta.db_table
        # Rows that do not move the revision may be written without it: they are found when it moves.
        number = "number" if rules.is_published else "number + 1"
        for operation, rows in _ROWS.items():
            written = " UNION ".join(f"SELECT {rules.logged_as.format(row=row)} AS event_id" for row in rows)
            body = _LOG.format(**names, number=number, written=written)
            yield Trigger(f"log_{operation.lower()}", table, operation, body)
        truncated.append(table)
    if vendor == "postgresql":
        for table in truncated:
            yield Trigger("truncate", table, "TRUNCATE", begin_lineage, timing=Timing.BEFORE_STATEMENT)


def delete_obsolete() -> int:
    """Delete what is logged of events that do not exist any more; return how many there were."""
    obsolete = ChangedEvent.objects.exclude(event_id=SHARED).exclude(event_id__in=Event.objects.values("id"))
    # All processes load everything after a statement that deletes, on PostgreSQL even if it finds no row.
    return obsolete.delete()[0] if obsolete.exists() else 0
