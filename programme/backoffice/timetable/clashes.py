"""The clashes of a day's occasions, by occasion."""

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import Q

from programme.backoffice.problems.bookings import load_bookings
from programme.backoffice.problems.clashes import find_clashes, find_overlapping
from programme.backoffice.timetable.occasions import TimetableOccasion, load_occasions
from programme.models import Occasion


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
