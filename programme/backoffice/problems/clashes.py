"""Clashes: occasions in a place that are connected by overlaps, unless that was accepted."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from itertools import groupby

from programme.backoffice.problems.facts import HeldOccasion
from programme.backoffice.problems.problem import name_row

KIND = "double-booked"

Clash = list[HeldOccasion]
# Which occasions, as they are, were accepted together, by `name_booking`.
AcceptedClashes = Collection[frozenset[str]]


def name_booking(held: HeldOccasion) -> str:
    """Return what an accepted clash knows an occasion by: it is another one when it is moved."""
    return name_row("occasion", held.id, held.start, held.end, held.place)


def is_accepted(clash: Iterable[HeldOccasion], accepted: AcceptedClashes) -> bool:
    """Return whether all of these were accepted together."""
    names = set(map(name_booking, clash)) if accepted else set()
    return any(names <= each for each in accepted)


def find_clashes(occasions: Iterable[HeldOccasion], accepted: AcceptedClashes = ()) -> Iterator[Clash]:
    """Yield groups of occasions in one place that overlap, by start, end and ID, unless all were accepted.

    Each occasion in a list overlaps another one in it, and none outside. Intervals are half-open: 20:00-21:00
    and 21:00-22:00 do not clash; 20:00-21:00 clashes with itself. What takes no time clashes with nothing.
    Lists come by place, then by start. Takes the time of sorting, however much clashes.
    """
    found = (run for run in _find_runs(occasions) if len(run) > 1)
    return (run for run in found if not is_accepted(run, accepted))


def _find_runs(occasions: Iterable[HeldOccasion]) -> Iterator[Clash]:
    """Yield what is held in one place without a pause."""
    held = [
        ((each.location, each.room or 0), *order_occasion(each), each)
        for each in occasions
        if each.takes_up_room
    ]
    for _place, taken in groupby(sorted(held), key=lambda each: each[0]):
        run: Clash = []
        until: datetime | None = None
        for *_key, each in taken:
            if until is None or each.start >= until:
                yield run
                run, until = [], each.end
            run.append(each)
            until = max(until, each.end)
        yield run


def find_overlapping(
    held: HeldOccasion, others: Iterable[HeldOccasion], accepted: AcceptedClashes = ()
) -> list[HeldOccasion]:
    """Return those of the others, in order, that take up its place at the same time; never itself."""
    if not held.takes_up_room:
        return []
    found = [
        other
        for other in others
        if other.id != held.id
        and other.place == held.place
        and other.takes_up_room
        and max(other.start, held.start) < min(other.end, held.end)
        and not is_accepted([held, other], accepted)
    ]
    return sorted(found, key=order_occasion)


def order_occasion(held: HeldOccasion) -> tuple[datetime, datetime, int]:
    """Return the key for sorting occasions, also as they stand in the form of their event."""
    return held.start, held.end, held.id
