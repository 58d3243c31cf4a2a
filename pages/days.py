"""The festival's days as tabs: how many occasions each has, and which one is shown."""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date
from typing import NamedTuple

from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion
from feeds.wording import WORDS

# Of more days than that, only those around the day that is shown are tabs.
MAX_TABS = 21
TABS_AROUND = 7


class DayTab(NamedTuple):
    date: str
    weekday: str
    number: int
    month: str
    year: str
    size: int
    today: str
    chosen: bool
    path: str


class DayTabs:
    def __init__(self, snapshot: Snapshot, selected: Iterable[Occasion]) -> None:
        span = snapshot.programme.span
        self.snapshot = snapshot
        self.every = sorted(snapshot.programme.index.by_day)
        self.counts = Counter(span(occasion).day for occasion in selected)

    def default(self) -> date | None:
        """Return today or the next day with occasions, else the last day with any."""
        having = [day for day in self.every if self.counts[day]] or self.every
        to_come = [day for day in having if day >= self.snapshot.today]
        return to_come[0] if to_come else having[-1] if having else None

    def around(self, chosen: date | None) -> list[date]:
        if len(self.every) <= MAX_TABS:
            return self.every
        middle = sum(day < (chosen or self.default() or day) for day in self.every)
        first = min(max(middle - TABS_AROUND, 0), len(self.every) - 2 * TABS_AROUND - 1)
        return self.every[first : first + 2 * TABS_AROUND + 1]

    def beyond(self, shown: list[date]) -> tuple[date | None, date | None]:
        if not shown:
            return None, None
        before = [day for day in self.every if day < shown[0]]
        after = [day for day in self.every if day > shown[-1]]
        return (before[-1] if before else None), (after[0] if after else None)

    def tabs(
        self, chosen: date | None, shown: list[date], language: LanguageCode, path: Callable[[date], str]
    ) -> list[DayTab]:
        words, today = WORDS[language], self.snapshot.today
        year = self.snapshot.date.year
        several_years = len({day.year for day in shown} | {year}) > 1
        return [
            DayTab(
                date=day.isoformat(),
                weekday=words.days_short[day.weekday()],
                number=day.day,
                month=words.months_short[day.month - 1],
                year=str(day.year) if several_years and day.year != year else "",
                size=self.counts[day],
                today=words.today if day == today else "",
                chosen=day == chosen,
                path=path(day),
            )
            for day in shown
        ]
