"""How many events and occasions areas, sub areas and organizers have."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import NamedTuple

from feeds.vocabulary import Event, Occasion

# Kinds: `area`, `sub_area`, `organizer`, and `in_sub_areas` (by the area's ID).
Thing = tuple[str, int]


class Counts(NamedTuple):
    """How many different events, and occasions of them."""

    events: int
    occasions: int


class Tallies:
    """Counts by thing; of areas and sub areas also by festival day (`days`), where there are any."""

    def __init__(self, by_event: Iterable[tuple[Occasion, ...]], day_of: Callable[[Occasion], date]) -> None:
        self._events: Counter[Thing] = Counter()
        self._occasions: Counter[Thing] = Counter()
        self.days: defaultdict[Thing, Counter[date]] = defaultdict(Counter)
        for occasions in by_event:
            event = occasions[0].event
            for thing in _things(event):
                self._events[thing] += 1
                self._occasions[thing] += len(occasions)
            for occasion in occasions:
                day = day_of(occasion)
                self.days["area", event.area.id][day] += 1
                if event.sub_area:
                    self.days["sub_area", event.sub_area.id][day] += 1

    def count(self, kind: str, key: int) -> Counts:
        return Counts(self._events[kind, key], self._occasions[kind, key])


def _things(event: Event) -> Iterator[Thing]:
    yield "area", event.area.id
    if event.sub_area:
        yield "in_sub_areas", event.area.id
        # As `?area=…&subarea=…` counts, which asks for the sub area's own area.
        if event.sub_area.area_id == event.area.id:
            yield "sub_area", event.sub_area.id
    if event.organizer:
        yield "organizer", event.organizer.id
