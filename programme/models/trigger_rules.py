"""What the database itself does when rows of a model are written: plain data, declared beside the model.

`programme/triggers/` makes database triggers of it, because `QuerySet.update`, bulk operations, fixtures,
cascades and SQL typed by hand bypass `save()` and signals.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db import models

# An ID in the change log that no event has: that of all rows that events share.
SHARED = 0


@dataclass(frozen=True)
class TriggerRules:
    """The rules of one model, which is the value of its attribute `trigger_rules`.

    In SQL, NEW and OLD are the row that is written, and `{Event}` is the table of the model Event. `{now}` is
    the present moment, `{later}` the function that returns the later of two, `{before}` the row before the
    statement: OLD in an UPDATE, NEW in an INSERT, and `{row}` either. Others are in
    programme/triggers/dialects.py.
    """

    # Whether readers see the rows, so that each statement that writes them moves the revision.
    is_published: bool = True
    # What the change log names when a row is written, in SQL: the ID of the event that `{row}` belongs to,
    # that of SHARED, or '' if the programme has nothing of a row but what events have that it touches.
    logged_as: str = str(SHARED)
    # The events whose `last_modified` moves with a row, as lookups that lead from an event to it.
    touches: tuple[str, ...] = ()
    # Columns that readers do not see: writing them alone touches no event.
    hidden: frozenset[str] = frozenset()
    # Columns that the database sets when a row is inserted or updated, with their values in SQL.
    sets: Mapping[str, str] = field(default_factory=dict)
    # Statements to execute after a row is inserted or updated, and after it is deleted.
    after_write: tuple[str, ...] = ()
    after_delete: tuple[str, ...] = ()
    # Two columns of which no value in one may be another row's value in the other; among all rows, or among
    # those with the same value in a third column.
    distinct: tuple[str, str] | None = None
    distinct_within: str = ""


class Unpublished(models.Model):
    """A row that no reader ever sees."""

    trigger_rules = TriggerRules(is_published=False, logged_as="")

    class Meta:
        abstract = True
