"""When time changes a response."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeVar

from feeds.festival_time import ONE_DAY, FestivalTime
from feeds.layered import Layered
from feeds.news import News
from feeds.vocabulary import Occasion
from feeds.wording import is_label_changed_on

Key = TypeVar("Key", bound=Hashable)


def recount(counted: Layered[Key, int], removed: Iterable[Key], added: Iterable[Key]) -> Layered[Key, int]:
    """Return a count without some keys and with others."""
    changed = Counter(added)
    changed.subtract(removed)
    return counted.derive(
        {key: (counted.find(key) or 0) + number for key, number in changed.items() if number}
    )


UPDATED_FOR = timedelta(hours=36)


class Day(NamedTuple):
    """A festival day on which occasions start, or (`is_shown`) a calendar date that a time span names."""

    date: date
    is_shown: bool


class Transitions(NamedTuple):
    """How many reasons there are for each instant, and for each day; the instants of the base in order."""

    reasons: Layered[datetime, int]
    days: Layered[Day, int]
    of_base: tuple[datetime, ...] = ()

    @classmethod
    def build(
        cls, festival: FestivalTime, occasions: Collection[Occasion], news: Collection[News] = ()
    ) -> "Transitions":
        return cls(Layered({}), Layered({})).replace(festival, (), occasions, (), news)

    def replace(
        self,
        festival: FestivalTime,
        removed: Collection[Occasion],
        added: Collection[Occasion],
        old: Collection[News] = (),
        new: Collection[News] = (),
    ) -> "Transitions":
        leaving, coming = _days_of_all(festival, removed, old), _days_of_all(festival, added, new)
        days = recount(self.days, leaving, coming)
        former = [*_instants_of_all(removed, old), *_instants_of_days(festival, {*leaving} - days.keys())]
        latter = [*_instants_of_all(added, new), *_instants_of_days(festival, {*coming} - self.days.keys())]
        reasons = recount(self.reasons, former, latter)
        is_shared = reasons.base is self.reasons.base
        return Transitions(reasons, days, self.of_base if is_shared else tuple(sorted(reasons.base)))

    @property
    def ordered(self) -> list[datetime]:
        return sorted(self.reasons)

    def around(self, now: datetime) -> tuple[datetime | None, datetime | None]:
        """Return the latest transition until now, and the next one."""
        place, reasons = bisect_right(self.of_base, now), self.reasons
        earlier = map(self.of_base.__getitem__, range(place - 1, -1, -1))
        later = map(self.of_base.__getitem__, range(place, len(self.of_base)))
        # Of those of the base the nearest which is left, and all that came later.
        near = [*(next((each for each in some if each in reasons), None) for some in (earlier, later))]
        known = [each for each in (*near, *reasons.changed) if each and each in reasons]
        begins = max((each for each in known if each <= now), default=None)
        return begins, min((each for each in known if each > now), default=None)


def _instants_of_all(occasions: Iterable[Occasion], news: Iterable[News]) -> Iterator[datetime]:
    for occasion in occasions:
        # `upcoming` and `now` change when an occasion starts, `now` also when it ends.
        yield occasion.start
        yield occasion.end
        # `updated` changes when an occasion or its event is marked as changed, and 36 hours later.
        if occasion.changed_at:
            yield occasion.changed_at
            yield occasion.changed_at + UPDATED_FOR
    yield from chain.from_iterable(each.instants for each in news)


def _days_of_all(festival: FestivalTime, occasions: Iterable[Occasion], news: Iterable[News]) -> list[Day]:
    spans = (festival.span(state.start, state.end) for each in news for state in each.states)
    days = [Day(span.day, is_shown=False) for span in spans]
    for span in (festival.span(each.start, each.end) for each in occasions):
        days += (Day(span.day, is_shown=False), Day(span.start.date(), is_shown=True))
        if span.is_long:
            days.append(Day(span.end.date(), is_shown=True))
    return days


def _instants_of_days(festival: FestivalTime, days: Iterable[Day]) -> Iterator[datetime]:
    return chain.from_iterable(_instants_of_day(festival, day) for day in days)


@lru_cache(maxsize=4096)
def _instants_of_day(festival: FestivalTime, day: Day) -> tuple[datetime, ...]:
    """Return when a festival day changes `today` and `tomorrow`, or when the label of a date changes."""
    if not day.is_shown:
        return tuple(festival.day_begins(day.date + ONE_DAY * offset) for offset in (-1, 0, 1))
    near = (day.date + ONE_DAY * offset for offset in (-1, 0, 1, 2))
    new_years = (date(year, 1, 1) for year in (day.date.year, day.date.year + 1))
    changing = {each for each in (*near, *new_years) if is_label_changed_on(each, day.date)}
    return tuple(festival.instant(each, time.min) for each in sorted(changing))
