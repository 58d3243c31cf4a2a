"""The change log: triggers that write which events each edit has changed, and its sweeping."""

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Max

from programme.models import ChangedEvent, Event, Revision
from programme.models.trigger_rules import SHARED, SWEPT
from programme.triggers.dialects import LoggingTrigger, Timing
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
# No trigger sees the rows that are truncated.
_TRUNCATE = "UPDATE {revision} SET lineage = DEFAULT"


def build_log_triggers(vendor: str) -> Iterator[LoggingTrigger]:
    names = {"log": ChangedEvent._meta.db_table, "revision": Revision._meta.db_table}
    for model, rules in models_with_rules().items():
        if not rules.logged_as:
            continue
        table = model._meta.db_table
        # Rows that do not move the revision may be written without it: they are found when it moves.
        number = "number" if rules.is_published else "number + 1"
        for operation, rows in _ROWS.items():
            written = " UNION ".join(f"SELECT {rules.logged_as.format(row=row)} AS event_id" for row in rows)
            body = _LOG.format(**names, number=number, written=written)
            yield LoggingTrigger(operation.lower(), table, operation, body)
        if vendor == "postgresql":
            body = _TRUNCATE.format(**names)
            yield LoggingTrigger("truncate", table, "TRUNCATE", body, timing=Timing.BEFORE_STATEMENT)


def delete_obsolete() -> int:
    """Delete what is logged of events that do not exist any more; return how many there were."""
    with transaction.atomic():
        # As writers do, who then write the log.
        Revision.objects.select_for_update().first()
        deleted = ChangedEvent.objects.filter(event_id__gt=SHARED).exclude(
            event_id__in=Event.objects.values("id")
        )
        latest = deleted.aggregate(latest=Max("revision"))["latest"]
        if latest is not None:
            ChangedEvent.objects.update_or_create(event_id=SWEPT, defaults={"revision": latest})
        return deleted.delete()[0]
