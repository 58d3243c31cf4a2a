"""The rules of a model for database triggers, declared beside the model.

`programme/triggers/` generates the triggers. `QuerySet.update`, bulk operations, fixtures, cascades and
manual SQL would bypass `save()` and signals.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db import models

# The ID in the change log for all rows that events share; no event has it.
SHARED = 0


@dataclass(frozen=True)
class TriggerRules:
    """The rules of one model, the value of its attribute `trigger_rules`.

    In SQL, NEW and OLD are the written row, and `{Event}` is the table of the model Event. `{now}` is the
    present moment, `{later}` a function that returns the later of two, `{before}` the row before the
    statement (OLD in an UPDATE, NEW in an INSERT), and `{row}` either. programme/triggers/dialects.py has
    more.
    """

    # Whether readers see the rows, so that each statement that writes them moves the revision.
    is_published: bool = True
    # The ID that the change log gets for a written row, in SQL: of its event, or SHARED; '' if the programme
    # has the row only within events that it touches.
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
    # rows with the same value in a third column.
    distinct: tuple[str, str] | None = None
    distinct_within: str = ""


class Unpublished(models.Model):
    """The base of models whose rows are never published."""

    trigger_rules = TriggerRules(is_published=False, logged_as="")

    class Meta:
        abstract = True
