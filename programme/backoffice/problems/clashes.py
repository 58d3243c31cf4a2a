"""Clashes: occasions in a place that are connected by overlaps, unless that was accepted."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby

from programme.backoffice.problems.facts import HeldOccasion
from programme.backoffice.problems.problem import name_row

KIND = "double-booked"

Clash = list[HeldOccasion]
# Which occasions, as they are, were accepted together: the numbers of accepted clashes by `name_booking`.
AcceptedClashes = dict[str, set[int]]


def name_booking(held: HeldOccasion) -> str:
    """Return what an accepted clash knows an occasion by: it is another one when it is moved."""
    return name_row("occasion", held.id, held.start, held.end, held.place)


def find_clashes(
    occasions: Iterable[HeldOccasion], accepted: AcceptedClashes | None = None
) -> Iterator[Clash]:
    """Yield groups of occasions in one place that overlap, by start, end and ID.

    Each occasion in a list overlaps another one in it, and none outside, but for what was accepted. Intervals
    are half-open: 20:00-21:00 and 21:00-22:00 do not clash; 20:00-21:00 clashes with itself. What takes no
    time clashes with nothing. Lists come by place, then by start. Takes the time of sorting, however much
    clashes, where nothing was accepted.
    """
    held = [
        ((each.location, each.room or 0), *_order(each), each) for each in occasions if each.takes_up_room
    ]
    for _place, taken in groupby(sorted(held), key=lambda each: each[0]):
        run: Clash = []
        until: datetime | None = None
        for *_key, each in taken:
            if until is None or each.start >= until:
                yield from _leave_out_accepted(run, accepted or {})
                run, until = [], each.end
            run.append(each)
            until = max(until, each.end)
        yield from _leave_out_accepted(run, accepted or {})


def find_overlapping(
    held: HeldOccasion, others: Iterable[HeldOccasion], accepted: AcceptedClashes | None = None
) -> list[HeldOccasion]:
    """Return those of the others, in order, that take up its place at the same time; never itself."""
    if not held.takes_up_room:
        return []
    groups = find_groups(held, accepted or {})
    found = [
        other
        for other in others
        if other.id != held.id
        and other.place == held.place
        and other.takes_up_room
        and max(other.start, held.start) < min(other.end, held.end)
        and not (groups and groups & find_groups(other, accepted or {}))
    ]
    return sorted(found, key=_order)


def find_groups(held: HeldOccasion, accepted: AcceptedClashes) -> set[int]:
    """Return the numbers of the accepted clashes that an occasion, as it is, belongs to."""
    return accepted.get(name_booking(held), set()) if accepted else set()


def _order(held: HeldOccasion) -> tuple[datetime, datetime, int]:
    return held.start, held.end, held.id


def _leave_out_accepted(run: Clash, accepted: AcceptedClashes) -> Iterator[Clash]:
    if len(run) <= 1:
        return
    groups = [find_groups(each, accepted) for each in run]
    if not any(groups):
        yield run
    elif not set.intersection(*groups):
        yield from _connect(run, accepted)


def _connect(run: Clash, accepted: AcceptedClashes) -> Iterator[Clash]:
    """Yield what is connected by overlaps that nobody has accepted."""
    left = dict.fromkeys(run)
    while left:
        clash = [next(iter(left))]
        del left[clash[0]]
        for each in clash:
            found = find_overlapping(each, left, accepted)
            clash += found
            for other in found:
                del left[other]
        if len(clash) > 1:
            yield sorted(clash, key=_order)
