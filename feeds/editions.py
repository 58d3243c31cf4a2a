"""Editions of the festival: periods of festival days, one of which is current."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from typing import Any, TypeVar

from feeds.festival_time import ONE_DAY, FestivalTime
from feeds.names import fold
from feeds.vocabulary import BEFORE_ALL, LanguageCode, Text, Value

# The instants between which occasions start, the first of them included.
Span = tuple[datetime, datetime]


def find_span(first: date, last: date, festival: FestivalTime) -> Span:
    """Return the span of the occasions of festival days."""
    following = last + ONE_DAY if last < date.max else date.max
    return festival.day_begins(first), festival.day_begins(following)


# An edition, or a row of the model.
Chosen = TypeVar("Chosen", bound=Any)


class Edition(Value, frozen=True):
    """A period of festival days, both included.

    `current_since`: when it was last made current. `saved_at`: when it was last saved, or another edition
    was deleted.
    """

    id: int
    slug: str
    name: Text
    first_day: date
    last_day: date
    current_since: datetime | None
    saved_at: datetime

    def span(self, festival: FestivalTime) -> Span:
        return find_span(self.first_day, self.last_day, festival)

    def holds(self, day: date) -> bool:
        return self.first_day <= day <= self.last_day

    def title(self, festival: Text, language: LanguageCode) -> str:
        """Return `Kulturnatten 2025`, also where the edition's own name is `2025`."""
        name = self.name.within(language)
        if not festival or any(fold(each) in fold(name) for each in (festival.sv, festival.en) if each):
            return name
        return f"{festival.within(language)}{'' if name[:1].isdigit() else ':'} {name}"


def find_current(editions: Iterable[Chosen]) -> Chosen | None:
    """Return the edition that was made current last, else the first; `editions` are all, in order."""
    return max(editions, key=lambda each: each.current_since or BEFORE_ALL, default=None)


# So many days before and after most others there may be something at any festival.
_MARGIN = 14


def find_usual_days(days: Iterable[date]) -> frozenset[date]:
    """Return the days within Tukey's fences around those of most occasions: a stray one moves no fence."""
    numbers = sorted(day.toordinal() for day in days)
    if not numbers:
        return frozenset()
    first, last = numbers[len(numbers) // 4], numbers[(3 * len(numbers) - 1) // 4]
    margin = max(_MARGIN, (last - first) * 3 // 2)
    begins, ends = max(first - margin, 1), min(last + margin, date.max.toordinal())
    return frozenset(map(date.fromordinal, range(begins, ends + 1)))


def find_festival_days(stated: Collection[date], held: Sequence[date]) -> frozenset[date]:
    """Return the days from the first that is stated to the last, unless most of what is held is on others."""
    numbers = range(min(stated).toordinal(), max(stated).toordinal() + 1) if stated else ()
    days = frozenset(map(date.fromordinal, numbers))
    return days if days and sum(day in days for day in held) * 2 >= len(held) else find_usual_days(held)
