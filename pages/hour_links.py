"""Ways to an hour of a day on which much goes on: links above its list, which need no script."""

from collections.abc import Iterator
from datetime import date
from itertools import groupby
from typing import NamedTuple

from pages.rows import Slot

# As much as can be looked through from end to end.
MANY = 40


class HourLink(NamedTuple):
    hour: str
    anchor: str


class Part(NamedTuple):
    """A day's list: its name where several are shown, and the hours to jump to where there is much of it."""

    date: str
    name: str
    slots: list[Slot]
    hours: list[HourLink]


def part(day: date, name: str, slots: list[Slot]) -> Part:
    if sum(len(slot.rows) for slot in slots) <= MANY:
        return Part(day.isoformat(), name, slots, [])
    anchored = list(_anchored(day, slots))
    links = [HourLink(slot.clock[:2], slot.anchor) for slot in anchored if slot.anchor]
    return Part(day.isoformat(), name, anchored, links if len(links) > 1 else [])


def _anchored(day: date, slots: list[Slot]) -> Iterator[Slot]:
    """Yield the slots; the first of each hour can be jumped to."""
    for hour, together in groupby(slots, key=lambda each: each.clock[:2]):
        first, *others = together
        yield first._replace(anchor=f"t{day}-{hour}")
        yield from others
