"""Clashes: which bookings of a room are held at the same time, unless that was accepted.

A clash is a room that is double-booked: occasions that are connected by overlaps are one. The start page, the
list of problems, the timetable and the preview of many changes all count what `find_clashes` yields.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from programme.backoffice.problems.problem import name_row

KIND = "double-booked"


class Booking(NamedTuple):
    """An occasion that takes up a room from an instant until right before another one.

    The instants are aware and in UTC: Python compares those of one zone as its wall clock shows them, which
    is untrue in the night when the clock goes back. `booked` sees to it.
    """

    start: datetime
    end: datetime
    occasion: int
    room: int


Clash = list[Booking]


def build_booking(occasion: int, room: int, start: datetime, end: datetime) -> Booking:
    """Return the booking of a room by an occasion, from aware instants of any zone."""
    return Booking(start.astimezone(UTC), end.astimezone(UTC), occasion, room)


def name_booking(booking: Booking) -> str:
    """Return what an accepted clash knows the booking by: it is another one when it is moved."""
    return name_row("occasion", booking.occasion, booking.start, booking.end, booking.room)


class AcceptedClashes:
    """Which bookings were accepted together, from the rows of accepted clashes."""

    def __init__(self, accepted: Iterable[str] = ()) -> None:
        self._groups: dict[int, dict[str, set[int]]] = defaultdict(dict)
        for number, rows in enumerate(accepted):
            for row in rows.split():
                occasion = int(row.split(":")[1])
                self._groups[occasion].setdefault(row, set()).add(number)

    def find_groups(self, booking: Booking) -> set[int]:
        """Return the numbers of the accepted clashes that a booking, as it is, belongs to."""
        known = self._groups.get(booking.occasion)
        return known.get(name_booking(booking), set()) if known else set()


NOTHING_ACCEPTED = AcceptedClashes()


def find_clashes(
    bookings: Iterable[Booking], accepted: AcceptedClashes = NOTHING_ACCEPTED
) -> Iterator[Clash]:
    """Yield groups of bookings of one room that overlap, by start, end and occasion.

    Each booking in a list overlaps another one in it, and none outside, but for what was accepted. Intervals
    are half-open: 20:00-21:00 and 21:00-22:00 do not clash; 20:00-21:00 clashes with itself. What takes no
    time clashes with nothing. Lists come by room, then by start. Takes the time of sorting, however much
    clashes, where nothing was accepted.
    """
    for _room, taken in sorted(_by_room(bookings).items()):
        run: Clash = []
        until: datetime | None = None
        for booking in sorted(taken):
            if until is None or booking.start >= until:
                yield from _leave_out_accepted(run, accepted)
                run, until = [], booking.end
            run.append(booking)
            until = max(until, booking.end)
        yield from _leave_out_accepted(run, accepted)


def find_overlapping(
    booking: Booking, others: Iterable[Booking], accepted: AcceptedClashes = NOTHING_ACCEPTED
) -> list[Booking]:
    """Return those of the others, in order, that take up its room at the same time; never itself."""
    groups = accepted.find_groups(booking)
    return sorted(
        other
        for other in others
        if other.occasion != booking.occasion
        and other.room == booking.room
        and max(other.start, booking.start) < min(other.end, booking.end)
        and not (groups and groups & accepted.find_groups(other))
    )


def _leave_out_accepted(run: Clash, accepted: AcceptedClashes) -> Iterator[Clash]:
    if len(run) <= 1:
        return
    groups = [accepted.find_groups(booking) for booking in run]
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
        for booking in clash:
            found = find_overlapping(booking, left, accepted)
            clash += found
            for other in found:
                del left[other]
        if len(clash) > 1:
            yield sorted(clash)


def _by_room(bookings: Iterable[Booking]) -> dict[int, list[Booking]]:
    rooms: dict[int, list[Booking]] = defaultdict(list)
    for booking in bookings:
        if booking.end > booking.start:
            rooms[booking.room].append(booking)
    return rooms
