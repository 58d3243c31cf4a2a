"""Keeps an import within the editions that its file is of: the rest is neither changed nor missing."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import chain
from typing import Any

from msgspec.structs import replace

from feeds.names import fold
from programme.exchange.values import Contents, ScheduledEvent, group_by
from programme.models import Edition, Occasion
from programme.models.festival_time import festival_time

# An edition; the year of what is far from any; None where there are no editions.
Period = Edition | int | None

# What is so near an edition is meant for it: its days may be extended, or the date corrected.
_NEAR = timedelta(days=30)
# A file is of those editions that have a fourth of its occasions: of others it has mistakes.
_PART = 4


class ImportEditions:
    def __init__(self, contents: Contents) -> None:
        self.time = festival_time()
        self.all = [*Edition.objects.all()]
        self._of_day = lru_cache(maxsize=None)(self._find)
        counts = Counter(self.of(each.start) for event in contents.events for each in event.occasions)
        self.named = [period for period, _count in counts.most_common()]
        self.of_file = {period for period in self.named if counts[period] * _PART >= counts.total()}

    def of(self, start: datetime) -> Period:
        return self._of_day(self.time.day_of(start)) if self.all else None

    def split(self, event: ScheduledEvent) -> Iterator[ScheduledEvent]:
        found = group_by(event.occasions, lambda occasion: self.of(occasion.start))
        for each in found.values():
            yield event if len(found) == 1 else replace(event, occasions=tuple(each))
        if not found:
            yield event

    def of_first(self, starts: Iterable[datetime]) -> Period:
        """Return that of the first of these instants; without any, that of most of the file."""
        return next(iter([*map(self.of, starts), *self.named]), None)

    def has(self, starts: Collection[datetime]) -> bool:
        """Return whether the file is of all editions in which these instants are."""
        return not self.all or (bool(starts) and self.of_file.issuperset(map(self.of, starts)))

    def names(self, start: str | None) -> bool:
        """Return whether the file has anything of the edition of an instant, as imports remember it."""
        return not start or self.of(datetime.fromisoformat(start)) in self.named

    def _find(self, day: date) -> Period:
        apart = {each: max(each.first_day - day, day - each.last_day) for each in self.all}
        nearest = min(self.all, key=apart.__getitem__)
        return nearest if apart[nearest] <= _NEAR else day.year


def split_events(contents: Contents, editions: ImportEditions, source: str) -> Contents:
    """Return the contents with an event for each edition in which one of the file has occasions.

    One that is stored as a single event stays so.
    """
    if contents.is_own_export or not editions.named[1:]:
        return contents
    stored = Occasion.objects.filter(event__source=source).values_list("event_id", "event__title", "start")
    periods: dict[tuple[int, str], set[Period]] = defaultdict(set)
    for event_id, title, start in stored:
        periods[event_id, fold(title)].add(editions.of(start))
    whole = {title for (_event_id, title), of in periods.items() if len(of) > 1}
    events = chain.from_iterable(
        [event] if fold(event.title) in whole else editions.split(event) for event in contents.events
    )
    return replace(contents, events=tuple(events))


def find_apart(
    find: Callable[[Sequence[Any], Sequence[Any]], dict[int, Any]],
    wanted: Sequence[tuple[Any, Period]],
    known: Sequence[tuple[Any, Collection[Period]]],
) -> dict[int, Any]:
    """Return what `find` matches within each edition, by its place; rows that are of none may be of any."""
    found: dict[int, Any] = {}
    for period in dict.fromkeys(period for _each, period in wanted):
        places = [place for place, (_each, of) in enumerate(wanted) if of == period]
        claimed = {row.pk for row in found.values()}
        rows = [row for row, of in known if row.pk not in claimed and (period in of or not of)]
        matched = find([wanted[place][0] for place in places], rows)
        found |= {places[number]: row for number, row in matched.items()}
    return found
