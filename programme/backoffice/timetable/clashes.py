"""Which occasions of a day are in a room that is taken, and by what."""

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import Q

from programme.backoffice.problems.bookings import bookings
from programme.backoffice.problems.clashes import clashes, overlapping
from programme.backoffice.timetable.occasions import TimetableOccasion, held
from programme.models import Occasion


def clashing(day: list[TimetableOccasion]) -> dict[int, list[TimetableOccasion]]:
    """Return, for each occasion that clashes, those it clashes with, in the order of time.

    They may be of other days: what goes on over the end of a day may still be in the way on the next one.
    """
    if not day:
        return {}
    begins, ends = min(each.start for each in day), max(each.end for each in day)
    pairs = list(_pairs(Q(start__lt=ends, end__gt=begins)))
    known = {each.id: each for each in day}
    strangers = {other for one, other in pairs if one in known} - known.keys()
    known |= {each.id: each for each in held(Occasion.objects.filter(pk__in=strangers))}
    of: dict[int, list[TimetableOccasion]] = defaultdict(list)
    for one, other in pairs:
        if one in known and other in known:
            of[one].append(known[other])
    return of


def _pairs(chosen: Q) -> Iterator[tuple[int, int]]:
    for run in clashes(bookings(chosen)):
        for booking in run:
            yield from ((booking.occasion, other.occasion) for other in overlapping(booking, run))
