"""Copies of events: drafts with identities of their own."""

from django.db import transaction
from django.db.models import Model

from programme.models import Event, Occasion, Status

# What belongs to the event that was copied: who it is, where it came from, and what has happened to it.
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
    """Return the values of a row that a copy has too, by the names of their columns."""
    fields = [field for field in row._meta.local_concrete_fields if field.name not in NOT_COPIED]
    return {field.attname: getattr(row, field.attname) for field in fields} | others


@transaction.atomic
def duplicate_event(event: Event, *, occasions: bool) -> Event:
    """Return a new draft with all that an event says, and with its occasions or without.

    The title stays as it is: that the copy is a draft keeps it from readers, and a mark in the title
    would be published one day. Nothing of the copy is cancelled or marked as changed.
    """
    copy = Event.objects.create(**_copied_values(event), status=Status.DRAFT)
    if occasions:
        rows = event.occasions.order_by("start", "end", "id")
        Occasion.objects.bulk_create(Occasion(**_copied_values(row, event_id=copy.pk)) for row in rows)
    return copy
