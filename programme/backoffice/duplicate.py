"""Copies of events, as drafts with their own identities."""

from django.db import transaction
from django.db.models import Model

from programme.models import Event, Occasion, Status

# The identity, the source and the history of the original.
NOT_COPIED = {
    "id",
    "uuid",
    "source",
    "source_id",
    "status",
    "cancelled",
    "change_info",
    "changed_at",
    "published_at",
    "last_modified",
}


def _copied_values(row: Model, **others: object) -> dict[str, object]:
    """Return the values of a row for its copy, by column."""
    fields = [field for field in row._meta.local_concrete_fields if field.name not in NOT_COPIED]
    return {field.attname: getattr(row, field.attname) for field in fields} | others


@transaction.atomic
def duplicate_event(event: Event, *, occasions: bool) -> Event:
    """Create a draft with the values of an event, with or without its occasions.

    The title stays as it is: a mark in it might be published one day. The copy is neither cancelled nor
    marked as changed.
    """
    copy = Event.objects.create(**_copied_values(event), status=Status.DRAFT)
    if occasions:
        rows = event.occasions.order_by("start", "end", "id")
        Occasion.objects.bulk_create(Occasion(**_copied_values(row, event_id=copy.pk)) for row in rows)
    return copy
