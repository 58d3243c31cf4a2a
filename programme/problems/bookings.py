"""The bookings of rooms as the database has them."""

from collections.abc import Iterator

from django.db.models import Q

from programme.models import Occasion
from programme.problems.clashes import Booking, booked


def bookings(chosen: Q | None = None) -> Iterator[Booking]:
    """Yield the bookings by occasions (all, or those chosen) that can clash, in no order, in one query.

    What is cancelled takes up no room, a draft does. Rooms with several things at once cannot be double-
    booked, nor can a location as a whole: much goes on side by side in a park.
    """
    held = Occasion.objects.filter(chosen or Q(), cancelled=False, event__cancelled=False)
    for occasion, start, end, *places in held.order_by().values_list("id", "start", "end", *_OWN, *_EVENTS):
        room, parallel = _room(tuple(places[:4]), tuple(places[4:]))
        if room is not None and not parallel:
            yield booked(occasion, room, start, end)


# Location, room, the location of the room, whether it is open to several occasions at once.
_Place = tuple[int | None, int | None, int | None, bool | None]
_OWN = ["location_id", "room_id", "room__location_id", "room__parallel"]
_EVENTS = [f"event__{column}" for column in _OWN]


def _room(own: _Place, events: _Place) -> tuple[int | None, bool | None]:
    """Return the room in which an occasion is held, as readers see it (`programme/loading.py`)."""
    if _location(own) is None or (own[1] is None and _location(own) == _location(events)):
        own = events
    # A room of another location than the one stated would be untrue.
    return (own[1], own[3]) if own[2] == _location(own) else (None, None)


def _location(place: _Place) -> int | None:
    return place[0] or place[2]
