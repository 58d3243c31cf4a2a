"""The change log: triggers that log the events that each edit has changed, and its cleanup."""

from collections.abc import Iterator

from programme.models import ChangedEvent, Event, RandomText, Revision
from programme.models.trigger_rules import SHARED
from programme.triggers.dialects import Timing, Trigger
from programme.triggers.rows import models_with_rules

# One row for each event. Without `WHERE true` SQLite would parse ON CONFLICT as the condition of a join.
_LOG = """
INSERT INTO {log} (event_id, revision)
SELECT written.event_id, {number} FROM {revision}, ({written}) AS written WHERE true
ON CONFLICT (event_id) DO UPDATE SET revision = excluded.revision
WHERE {log}.revision <> excluded.revision
"""
_ROWS = {"INSERT": ("NEW",), "UPDATE": ("OLD", "NEW"), "DELETE": ("OLD",)}
# A new lineage makes the log invalid, when its rows are deleted or rows are truncated.
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
        # Rows that do not move the revision are logged with its next number.
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
    """Delete the log of deleted events; return the number of rows."""
    obsolete = ChangedEvent.objects.exclude(event_id=SHARED).exclude(event_id__in=Event.objects.values("id"))
    # After a DELETE all processes reload everything, on PostgreSQL even if it finds no row.
    return obsolete.delete()[0] if obsolete.exists() else 0
