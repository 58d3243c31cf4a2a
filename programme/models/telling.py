"""What readers are told of unless an editor says no: one rule for every way of writing occasions."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Model

from programme.models.events import Event, Status
from programme.models.news import NewsKind, OccasionState, find_news
from programme.models.occasions import Occasion

# Of what is new or withdrawn there is news, too, but nothing to be marked as changed.
_MARKED = {NewsKind.MOVED, NewsKind.CANCELLED, NewsKind.REINSTATED}


def is_told(before: OccasionState | None, after: OccasionState | None, instant: datetime) -> bool:
    """Return whether readers are told of a change of an occasion by a mark, unless an editor says no."""
    return find_news(before, after, instant) in _MARKED


def read_state(occasion: Occasion, event: Event) -> OccasionState | None:
    """Return what news of an occasion of an event is about, as these rows are in memory."""
    if event.status != Status.PUBLISHED:
        return None
    location, room = _identify(occasion.location), _identify(occasion.room)
    return OccasionState(occasion.start, occasion.end, location, room, cancelled=occasion.cancelled)


def _identify(place: Model | None) -> int | None:
    """Return the ID of a place, or another number of one that an import has not stored yet."""
    return int(place.pk or id(place)) if place else None


def find_told(occasions: Iterable[Occasion], events: Iterable[Event], instant: datetime) -> frozenset[int]:
    """Return the IDs of the occasions of which readers are told if these rows, as in memory, are written."""
    rows = {row.pk: row for row in occasions if row.pk}
    owners = {event.pk: event for event in events if event.pk}
    if not rows:
        return frozenset()
    stored = Occasion.objects.filter(pk__in=rows).select_related("location", "room", "event")
    return frozenset(
        each.pk
        for each in stored
        if is_told(
            read_state(each, each.event),
            read_state(rows[each.pk], owners.get(rows[each.pk].event_id, each.event)),
            instant,
        )
    )
