"""Transitions: the instants at which the clock changes a response."""

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
    """Return a count after removing some keys and adding others."""
    changed = Counter(added)
    changed.subtract(removed)
    counts = {key: (counted.find(key) or 0) + number for key, number in changed.items() if number}
    return counted.derive(counts)


UPDATED_FOR = timedelta(hours=36)


class TransitionDay(NamedTuple):
    """A festival day on which occasions start, or (`is_shown`) a calendar date in a time span."""

    date: date
    is_shown: bool


class Transitions(NamedTuple):
    """The instants and the days with their numbers of reasons; `of_base` are the base's instants in order."""

    reasons: Layered[datetime, int]
    days: Layered[TransitionDay, int]
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

    def around(self, now: datetime) -> tuple[datetime | None, datetime | None]:
        """Return the latest transition up to `now`, and the next one."""
        place, reasons = bisect_right(self.of_base, now), self.reasons
        earlier = map(self.of_base.__getitem__, range(place - 1, -1, -1))
        later = map(self.of_base.__getitem__, range(place, len(self.of_base)))
        # The nearest remaining instants of the base, and all instants that were added to it.
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


def _days_of_all(
    festival: FestivalTime, occasions: Iterable[Occasion], news: Iterable[News]
) -> list[TransitionDay]:
    spans = (festival.span(state.start, state.end) for each in news for state in each.states)
    days = [TransitionDay(span.day, is_shown=False) for span in spans]
    for span in (festival.span(each.start, each.end) for each in occasions):
        days += (TransitionDay(span.day, is_shown=False), TransitionDay(span.start.date(), is_shown=True))
        if span.is_long:
            days.append(TransitionDay(span.end.date(), is_shown=True))
    return days


def _instants_of_days(festival: FestivalTime, days: Iterable[TransitionDay]) -> Iterator[datetime]:
    return chain.from_iterable(_instants_of_day(festival, day) for day in days)


@lru_cache(maxsize=4096)
def _instants_of_day(festival: FestivalTime, day: TransitionDay) -> tuple[datetime, ...]:
    """Return the instants at which a day begins or ceases to be `today`, or a date's label changes."""
    if not day.is_shown:
        return tuple(festival.day_begins(day.date + ONE_DAY * offset) for offset in (-1, 0, 1))
    near = (day.date + ONE_DAY * offset for offset in (-1, 0, 1, 2))
    new_years = (date(year, 1, 1) for year in (day.date.year, day.date.year + 1))
    changing = {each for each in (*near, *new_years) if is_label_changed_on(each, day.date)}
    return tuple(festival.instant(each, time.min) for each in sorted(changing))
