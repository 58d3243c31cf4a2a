"""Occasions as the timetable shows them, and which of them clash."""

import datetime as dt
import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from feeds.festival_time import ONE_DAY
from programme.backoffice.problems.accepted import load_accepted_clashes
from programme.backoffice.problems.bookings import load_bookings
from programme.backoffice.problems.clashes import Clash, find_clashes, find_overlapping
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
    # What follows from both.
    place: Venue | None

    @property
    def draft(self) -> bool:
        return self.status == Status.DRAFT

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


def load_occasions(occasions: QuerySet[Any], most: int | None = None) -> Iterator[TimetableOccasion]:
    """Yield occasions in the order of time, in one query."""
    for row in occasions.order_by("start", "end", "id").values_list(*_FIELDS)[:most]:
        key, event, title, area, status, alone, whole, start, end, *stated = row
        venues = StatedVenue(*stated[:3]), StatedVenue(*stated[3:])
        cancelled, place = alone or whole, resolve_venue(*venues)
        yield TimetableOccasion(key, event, title, area, status, cancelled, start, end, *venues, place)


def load_occasions_of_day(day: dt.date) -> list[TimetableOccasion]:
    festival = festival_time()
    begins, ends = festival.day_begins(day), festival.day_begins(day + ONE_DAY)
    return list(load_occasions(Occasion.objects.filter(start__lt=ends, end__gt=begins)))


class DayClashes(NamedTuple):
    """The clashes of a day, and for each occasion in one those it clashes with, in the order of time."""

    clashes: list[Clash]
    others: dict[int, list[TimetableOccasion]]

    def count(self, shown: Iterable[int]) -> int:
        """Return in how many clashes any of the occasions is."""
        ids = frozenset(shown)
        return sum(any(booking.occasion in ids for booking in clash) for clash in self.clashes)


def find_day_clashes(day: list[TimetableOccasion]) -> DayClashes:
    """Return the clashes of what is held on a day, in three queries at most.

    What they clash with may be of other days: what goes on over the end of a day may still be in the way.
    """
    if not day:
        return DayClashes([], {})
    begins, ends = min(each.start for each in day), max(each.end for each in day)
    known, accepted = {each.id: each for each in day}, load_accepted_clashes()
    found = find_clashes(load_bookings(Q(start__lt=ends, end__gt=begins)), accepted)
    clashes = [clash for clash in found if any(booking.occasion in known for booking in clash)]
    named = {booking.occasion for clash in clashes for booking in clash} - known.keys()
    known |= {each.id: each for each in load_occasions(Occasion.objects.filter(pk__in=named))}
    others = {
        booking.occasion: [known[other.occasion] for other in find_overlapping(booking, clash, accepted)]
        for clash in clashes
        for booking in clash
    }
    return DayClashes(clashes, others)
