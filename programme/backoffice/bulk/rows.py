"""The occasions chosen, as they are now, and a fingerprint by which an edit since is known."""

import datetime as dt
import hashlib
from collections.abc import Collection

from programme.models import Event, Occasion
from programme.models.locations import find_place


def load_occasions(keys: Collection[int]) -> list[Occasion]:
    """Return the occasions in the order of time, with all that the page shows of them, in one query."""
    own = Occasion.objects.filter(pk__in=keys).select_related("location", "room__location")
    with_events = own.select_related("event__area", "event__location", "event__room__location")
    return list(with_events.order_by("start", "end", "id"))


def compute_fingerprint(occasion: Occasion) -> str:
    """Return what is another after an edit of anything that the page shows or changes."""
    event = occasion.event
    instants = (occasion.start, occasion.end, occasion.changed_at, event.changed_at)
    return _digest(
        *(occasion.event_id, event.title, event.area_id, event.status, event.cancelled, occasion.cancelled),
        *(instant and instant.astimezone(dt.UTC).isoformat() for instant in instants),
        *(*occasion.stated_venue, *event.stated_venue, occasion.change_info, event.change_info),
    )


def compute_event_fingerprint(event: Event) -> str:
    placed = (event.area_id, event.sub_area_id)
    return _digest(event.title, event.status, *placed, event.type_id, event.language_id)


def _digest(*state: object) -> str:
    return hashlib.sha256(repr(state).encode()).hexdigest()[:12]


def format_place(occasion: Occasion) -> str:
    location, room = find_place(occasion, occasion.event)
    return str(room or (location and location.name) or "")
