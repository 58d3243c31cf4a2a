"""Ways to an hour of a day on which much goes on: links above its list, which need no script."""

from collections.abc import Iterator
from datetime import date
from itertools import groupby
from typing import NamedTuple

from pages.rows import Slot

# As much as can be looked through from end to end.
MIN_ROWS_FOR_LINKS = 40


class HourLink(NamedTuple):
    hour: str
    anchor: str


class DaySection(NamedTuple):
    """A day's list: its name where several are shown, and the hours to jump to where there is much of it."""

    date: str
    name: str
    slots: list[Slot]
    hours: list[HourLink]


def build_day_section(day: date, name: str, slots: list[Slot]) -> DaySection:
    if sum(len(slot.rows) for slot in slots) <= MIN_ROWS_FOR_LINKS:
        return DaySection(day.isoformat(), name, slots, [])
    anchored = list(_anchored(day, slots))
    links = [HourLink(slot.clock[:2], slot.anchor) for slot in anchored if slot.anchor]
    return DaySection(day.isoformat(), name, anchored, links if len(links) > 1 else [])


def _anchored(day: date, slots: list[Slot]) -> Iterator[Slot]:
    """Yield the slots; the first of each hour can be jumped to."""
    for hour, together in groupby(slots, key=lambda each: each.clock[:2]):
        first, *others = together
        yield first._replace(anchor=f"t{day}-{hour}")
        yield from others
