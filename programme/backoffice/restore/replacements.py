"""What has taken the place of deleted events and occasions: an import may have made them again."""

from typing import Any

from django.db.models import Q

from programme.history.restore import Restoration
from programme.models import Event, Occasion


def find_replacements(plan: Restoration) -> list[Event]:
    """Return the events that are, or hold, what bears an identifier of a source that would come back."""
    events = _taken(Event, plan)
    occasions = _taken(Occasion, plan)
    keys = {row.pk for row in events} | {row.event_id for row in occasions}
    return list(Event.objects.filter(pk__in=keys).order_by("title", "id")) if keys else []


def _taken(model: Any, plan: Restoration) -> list[Any]:
    wanted = Q()
    for row in (*plan.created, *plan.changed):
        if isinstance(row, model) and row.source:
            wanted |= Q(source=row.source, source_id=row.source_id) & ~Q(pk=row.pk)
    return list(model.objects.filter(wanted)) if wanted else []
