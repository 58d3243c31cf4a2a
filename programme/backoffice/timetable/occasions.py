"""Occasions as the timetable shows them, and which of them clash."""

import datetime as dt
import hashlib
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from feeds.festival_time import ONE_DAY
from programme.backoffice.problems.bookings import load_bookings
from programme.backoffice.problems.clashes import find_clashes, find_overlapping
from programme.models import Occasion, Status
from programme.models.festival_time import festival_time
from programme.models.locations import EVENT_STATED, STATED, StatedVenue, Venue, resolve_venue


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
    own: StatedVenue[int | None]
    events: StatedVenue[int | None]

    @property
    def draft(self) -> bool:
        return self.status == Status.DRAFT

    @property
    def place(self) -> Venue | None:
        return resolve_venue(self.own, self.events)

    @property
    def seen(self) -> str:
        """A fingerprint of the occasion's state: a move is refused if it has changed since."""
        instants = [instant.astimezone(dt.UTC).isoformat() for instant in (self.start, self.end)]
        state = repr([*self[:6], *instants, tuple(self.own), tuple(self.events)])
        return hashlib.sha256(state.encode()).hexdigest()[:16]


_FIELDS = [
    *("id", "event_id", "event__title", "event__area_id", "event__status", "cancelled", "event__cancelled"),
    *("start", "end", *STATED, *EVENT_STATED),
]


def load_occasions(occasions: QuerySet[Any]) -> Iterator[TimetableOccasion]:
    """Yield occasions in the order of time, in one query."""
    for row in occasions.order_by("start", "end", "id").values_list(*_FIELDS):
        key, event, title, area, status, alone, whole, start, end, *stated = row
        venues = StatedVenue(*stated[:3]), StatedVenue(*stated[3:])
        yield TimetableOccasion(key, event, title, area, status, alone or whole, start, end, *venues)


def load_occasions_of_day(day: dt.date) -> list[TimetableOccasion]:
    festival = festival_time()
    begins, ends = festival.day_begins(day), festival.day_begins(day + ONE_DAY)
    return list(load_occasions(Occasion.objects.filter(start__lt=ends, end__gt=begins)))


def find_clashing_occasions(day: list[TimetableOccasion]) -> dict[int, list[TimetableOccasion]]:
    """Return, for each occasion that clashes, those it clashes with, in the order of time.

    They may be of other days: what goes on over the end of a day may still be in the way on the next one.
    """
    if not day:
        return {}
    begins, ends = min(each.start for each in day), max(each.end for each in day)
    pairs = list(_find_pairs(Q(start__lt=ends, end__gt=begins)))
    known = {each.id: each for each in day}
    others = {other for one, other in pairs if one in known} - known.keys()
    known |= {each.id: each for each in load_occasions(Occasion.objects.filter(pk__in=others))}
    of: dict[int, list[TimetableOccasion]] = defaultdict(list)
    for one, other in pairs:
        if one in known and other in known:
            of[one].append(known[other])
    return of


def _find_pairs(chosen: Q) -> Iterator[tuple[int, int]]:
    for run in find_clashes(load_bookings(chosen)):
        for booking in run:
            yield from ((booking.occasion, other.occasion) for other in find_overlapping(booking, run))
