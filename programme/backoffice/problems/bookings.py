"""The occasions as they are held, and the bookings of rooms that follow from them."""

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.db.models import Q

from programme.backoffice.problems.clashes import Booking, booked
from programme.models import Event, Occasion
from programme.models.venue import HasVenue


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
    placed: bool
    room: int | None
    parallel: bool
    online: bool


def held(chosen: Q | None = None) -> Iterator[HeldOccasion]:
    """Yield the occasions, all or those chosen, in no order, in one query."""
    rows = Occasion.objects.filter(chosen or Q()).order_by()
    facts = ("id", "event_id", "start", "end", "cancelled", "event__cancelled")
    for key, event, start, end, alone, whole, *places in rows.values_list(*facts, *_OWN, *_EVENTS):
        place = _place(tuple(places[:5]), tuple(places[5:]))
        cancelled, placed, online = alone or whole, _location(place) is not None, bool(place[4])
        yield HeldOccasion(key, event, start, end, cancelled, placed, *_room(place), online)


def held_as(occasion: Occasion, event: Event) -> HeldOccasion:
    """Return an occasion as it would be held if it and its event were saved as they are."""
    place = _place(_place_of(occasion), _place_of(event))
    keys, cancelled = (occasion.pk or 0, event.pk or 0), occasion.cancelled or event.cancelled
    placed, online = _location(place) is not None, bool(place[4])
    return HeldOccasion(*keys, occasion.start, occasion.end, cancelled, placed, *_room(place), online)


def bookings(chosen: Q | None = None) -> Iterator[Booking]:
    """Yield the bookings by occasions, all or those chosen, in no order, in one query."""
    return bookings_of(held(chosen))


def bookings_of(occasions: Iterable[HeldOccasion]) -> Iterator[Booking]:
    """Yield what can clash.

    What is cancelled takes up no room, a draft does. Rooms with several things at once cannot be double-
    booked, nor can a location as a whole: much goes on side by side in a park.
    """
    for each in occasions:
        if each.room is not None and not each.parallel and not each.cancelled:
            yield booked(each.id, each.room, each.start, each.end)


# Location, room, the location of the room, whether that is open to several at once, whether it is online.
_Place = tuple[int | None, int | None, int | None, bool | None, bool | None]
_OWN = ["location_id", "room_id", "room__location_id", "room__parallel", "location__online"]
_EVENTS = [f"event__{column}" for column in _OWN]


def _place(own: _Place, events: _Place) -> _Place:
    """Return the place where an occasion is held, as readers see it (`programme/publishing/loading.py`)."""
    if _location(own) is None or (own[1] is None and _location(own) == _location(events)):
        return events
    return own


def _place_of(row: HasVenue) -> _Place:
    room, location = row.room, row.location
    known = (room.location_id, room.parallel) if room else (None, None)
    return (row.location_id, row.room_id, *known, location.online if location else None)


def _location(place: _Place) -> int | None:
    return place[0] or place[2]


def _room(place: _Place) -> tuple[int | None, bool]:
    # A room of another location than the one stated would be untrue.
    return (place[1], bool(place[3])) if place[2] == _location(place) else (None, False)
