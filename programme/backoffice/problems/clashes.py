"""Double-booked rooms: which bookings of a room are held at the same time."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple


class Booking(NamedTuple):
    """An occasion that takes up a room from an instant until right before another one.

    The instants are aware and in UTC: Python compares those of one zone as its wall clock shows them, which
    is untrue in the night when the clock goes back. `booked` sees to it.
    """

    start: datetime
    end: datetime
    occasion: int
    room: int


def build_booking(occasion: int, room: int, start: datetime, end: datetime) -> Booking:
    """Return the booking of a room by an occasion, from aware instants of any zone."""
    return Booking(start.astimezone(UTC), end.astimezone(UTC), occasion, room)


def find_clashes(bookings: Iterable[Booking]) -> Iterator[list[Booking]]:
    """Yield groups of bookings of one room that overlap, by start, end and occasion.

    Each booking in a list overlaps another one in it, and none outside. Intervals are half-open: 20:00-21:00
    and 21:00-22:00 do not clash; 20:00-21:00 clashes with itself. What takes no time clashes with nothing.
    Lists come by room, then by start. Takes the time of sorting, however much clashes.
    """
    for _room, taken in sorted(_by_room(bookings).items()):
        run: list[Booking] = []
        until: datetime | None = None
        for booking in sorted(taken):
            if until is None or booking.start >= until:
                if len(run) > 1:
                    yield run
                run, until = [], booking.end
            run.append(booking)
            until = max(until, booking.end)
        if len(run) > 1:
            yield run


def find_overlapping(booking: Booking, others: Iterable[Booking]) -> list[Booking]:
    """Return those of the others, in order, that take up its room at the same time; never itself."""
    return sorted(
        other
        for other in others
        if other.occasion != booking.occasion
        and other.room == booking.room
        and max(other.start, booking.start) < min(other.end, booking.end)
    )


def _by_room(bookings: Iterable[Booking]) -> dict[int, list[Booking]]:
    rooms: dict[int, list[Booking]] = defaultdict(list)
    for booking in bookings:
        if booking.end > booking.start:
            rooms[booking.room].append(booking)
    return rooms
