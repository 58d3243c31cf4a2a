"""Links to the hours of a busy day, above its list. They need no script."""

from collections.abc import Iterator
from datetime import date
from itertools import groupby
from typing import NamedTuple

from pages.rows import Slot

# Shorter lists are read from end to end.
MIN_ROWS_FOR_LINKS = 40


class HourLink(NamedTuple):
    hour: str
    anchor: str


class DaySection(NamedTuple):
    """A day's list: its name if several days are shown, and links to its hours if it is long."""

    date: str
    name: str
    slots: list[Slot]
    hours: list[HourLink]


def build_day_section(day: date, name: str, slots: list[Slot]) -> DaySection:
    if sum(len(slot.rows) for slot in slots) <= MIN_ROWS_FOR_LINKS:
        return DaySection(day.isoformat(), name, slots, [])
    anchored = list(_add_anchors(day, slots))
    links = [HourLink(slot.clock[:2], slot.anchor) for slot in anchored if slot.anchor]
    return DaySection(day.isoformat(), name, anchored, links if len(links) > 1 else [])


def _add_anchors(day: date, slots: list[Slot]) -> Iterator[Slot]:
    """Yield the slots; the first of each hour has an anchor."""
    for hour, group in groupby(slots, key=lambda each: each.clock[:2]):
        first, *others = group
        yield first._replace(anchor=f"t{day}-{hour}")
        yield from others
