"""How many events and occasions each thing in a programme has, which an edit changes in part."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import NamedTuple, TypeVar

from feeds.vocabulary import Event, Occasion

Key = TypeVar("Key", bound=Hashable)
# Kinds: `area`, `sub_area`, `organizer`, and `in_sub_areas` (by the area's ID).
Thing = tuple[str, int]


class Counts(NamedTuple):
    """How many different events, and occasions of them."""

    events: int
    occasions: int


class Dated(NamedTuple):
    """An occasion and its festival day."""

    occasion: Occasion
    day: date


def recount(counted: Counter[Key], removed: Iterable[Key], added: Iterable[Key]) -> Counter[Key]:
    """Return a count without some keys and with others; it holds no key that is left without any."""
    recounted, changed = counted.copy(), Counter(added)
    changed.subtract(removed)
    for key, difference in changed.items():
        if number := counted[key] + difference:
            recounted[key] = number
        else:
            recounted.pop(key, None)
    return recounted


@dataclass(frozen=True)
class Tallies:
    """Counts by thing; of areas and sub areas also by festival day (`days`), where there are any."""

    events: Counter[Thing]
    occasions: Counter[Thing]
    days: Mapping[Thing, Counter[date]]

    @classmethod
    def build(cls, occasions: Iterable[Dated]) -> "Tallies":
        return cls(Counter(), Counter(), {}).replace((), list(occasions))

    def replace(self, removed: Iterable[Dated], added: Iterable[Dated]) -> "Tallies":
        """Return the tallies without all occasions of some events, and with all of others."""
        return Tallies(
            recount(self.events, _count_events(removed), _count_events(added)),
            recount(self.occasions, _count_occasions(removed), _count_occasions(added)),
            self._replace_days(_group_days(removed), _group_days(added)),
        )

    def count(self, kind: str, key: int) -> Counts:
        return Counts(self.events[kind, key], self.occasions[kind, key])

    def _replace_days(
        self, removed: Mapping[Thing, list[date]], added: Mapping[Thing, list[date]]
    ) -> dict[Thing, Counter[date]]:
        replaced = dict(self.days)
        for thing in {*removed, *added}:
            former = replaced.pop(thing, Counter())
            if days := recount(former, removed.get(thing, ()), added.get(thing, ())):
                replaced[thing] = days
        return replaced


def _count_events(occasions: Iterable[Dated]) -> Iterator[Thing]:
    events = {each.occasion.event.id: each.occasion.event for each in occasions}
    return chain.from_iterable(map(_things, events.values()))


def _count_occasions(occasions: Iterable[Dated]) -> Iterator[Thing]:
    return chain.from_iterable(_things(each.occasion.event) for each in occasions)


def _things(event: Event) -> Iterator[Thing]:
    yield "area", event.area.id
    if event.sub_area:
        yield "in_sub_areas", event.area.id
        # As `?area=…&subarea=…` counts, which asks for the sub area's own area.
        if event.sub_area.area_id == event.area.id:
            yield "sub_area", event.sub_area.id
    if event.organizer:
        yield "organizer", event.organizer.id


def _group_days(occasions: Iterable[Dated]) -> dict[Thing, list[date]]:
    days: dict[Thing, list[date]] = {}
    for occasion, day in occasions:
        event = occasion.event
        days.setdefault(("area", event.area.id), []).append(day)
        if event.sub_area:
            days.setdefault(("sub_area", event.sub_area.id), []).append(day)
    return days
