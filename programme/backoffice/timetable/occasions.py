"""Occasions as the timetable shows them, read in one query."""

import datetime as dt
import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import QuerySet

from feeds.festival_time import ONE_DAY
from programme.models import Occasion, Status
from programme.models.festival_time import festival_time


class TimetablePlace(NamedTuple):
    """Where something is held: a location, and a room of it if one is stated."""

    location: int
    room: int | None

    @property
    def key(self) -> str:
        return f"r{self.room}" if self.room else f"l{self.location}"


class OwnPlace(NamedTuple):
    """What an event or an occasion states of its place; the last is the location of the room."""

    location: int | None
    room: int | None
    room_location: int | None

    @property
    def place(self) -> TimetablePlace | None:
        location = self.location or self.room_location
        if location is None:
            return None
        # A room of another location than the one stated would be untrue.
        return TimetablePlace(location, self.room if self.room_location == location else None)


def place_of(own: OwnPlace, events: OwnPlace) -> TimetablePlace | None:
    """Return where an occasion is held as readers see it (programme/publishing/loading.py)."""
    place, inherited = own.place, events.place
    if place is None or (own.room is None and inherited and inherited.location == place.location):
        return inherited
    return place


class TimetableOccasion(NamedTuple):
    """One occasion: what of it and of its event is on the screen."""

    id: int
    event: int
    title: str
    area: int
    status: str
    cancelled: bool
    start: dt.datetime
    end: dt.datetime
    own: OwnPlace
    events: OwnPlace

    @property
    def draft(self) -> bool:
        return self.status == Status.DRAFT

    @property
    def place(self) -> TimetablePlace | None:
        return place_of(self.own, self.events)

    @property
    def seen(self) -> str:
        """What tells this state of the occasion from any other that would look different."""
        instants = [instant.astimezone(dt.UTC).isoformat() for instant in (self.start, self.end)]
        state = repr([*self[:6], *instants, tuple(self.own), tuple(self.events)])
        return hashlib.sha256(state.encode()).hexdigest()[:16]


_PLACE = ["location_id", "room_id", "room__location_id"]
_COLUMNS = [
    *("id", "event_id", "event__title", "event__area_id", "event__status", "cancelled", "event__cancelled"),
    *("start", "end", *_PLACE),
    *(f"event__{column}" for column in _PLACE),
]


def held(occasions: QuerySet[Any]) -> Iterator[TimetableOccasion]:
    """Yield occasions in the order of time, in one query."""
    for row in occasions.order_by("start", "end", "id").values_list(*_COLUMNS):
        cancelled = row[5] or row[6]
        yield TimetableOccasion(*row[:5], cancelled, *row[7:9], OwnPlace(*row[9:12]), OwnPlace(*row[12:15]))


def held_on(day: dt.date) -> list[TimetableOccasion]:
    """Return the occasions that take place on a festival day, those that began before it included."""
    festival = festival_time()
    begins, ends = festival.day_begins(day), festival.day_begins(day + ONE_DAY)
    return list(held(Occasion.objects.filter(start__lt=ends, end__gt=begins)))
