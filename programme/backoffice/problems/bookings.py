"""The occasions as they are held, and the bookings of rooms that follow from them."""

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.db.models import OuterRef, Q, Subquery

from programme.backoffice.problems.clashes import Booking, build_booking
from programme.models import Event, Location, Occasion, Room
from programme.models.locations import find_place

_PARALLEL = Subquery(Room.objects.filter(pk=OuterRef("venue_room")).values("parallel"))
_ONLINE = Subquery(Location.objects.filter(pk=OuterRef("venue_location")).values("online"))


class HeldOccasion(NamedTuple):
    """An occasion, with the place at which readers see it."""

    id: int
    event: int
    start: dt.datetime
    end: dt.datetime
    # Alone or with its event.
    cancelled: bool
    # Whether it has a location at all; its room, and whether that is open to several occasions at once;
    # whether it is online.
    has_location: bool
    room: int | None
    parallel: bool
    online: bool


def load_held_occasions(chosen: Q | None = None) -> Iterator[HeldOccasion]:
    """Yield the occasions, all or those chosen, in no order, in one query."""
    rows = Occasion.objects.with_venue().filter(chosen or Q()).order_by()
    columns = ("id", "event_id", "start", "end", "cancelled", "event__cancelled")
    for key, event, start, end, alone, whole, location, room, parallel, online in rows.values_list(
        *columns, "venue_location", "venue_room", _PARALLEL, _ONLINE
    ):
        placed, cancelled = location is not None, alone or whole
        yield HeldOccasion(key, event, start, end, cancelled, placed, room, bool(parallel), bool(online))


def build_held_occasion(occasion: Occasion, event: Event) -> HeldOccasion:
    """Return an occasion as it would be held if it and its event were saved as they are."""
    location, room = find_place(occasion, event)
    return HeldOccasion(
        *(occasion.pk or 0, event.pk or 0, occasion.start, occasion.end),
        cancelled=occasion.cancelled or event.cancelled,
        has_location=location is not None,
        room=room.pk if room else None,
        parallel=room is not None and room.parallel,
        online=location is not None and location.online,
    )


def load_bookings(chosen: Q | None = None) -> Iterator[Booking]:
    """Yield the bookings by occasions, all or those chosen, in no order, in one query."""
    return build_bookings(load_held_occasions(chosen))


def build_bookings(occasions: Iterable[HeldOccasion]) -> Iterator[Booking]:
    """Yield what can clash.

    What is cancelled takes up no room, a draft does. Rooms with several things at once cannot be double-
    booked, nor can a location as a whole: much goes on side by side in a park.
    """
    for each in occasions:
        if each.room is not None and not each.parallel and not each.cancelled:
            yield build_booking(each.id, each.room, each.start, each.end)
