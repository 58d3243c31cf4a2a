"""What a visitor finds on a day: what goes on then though it began before, and what is on after an hour."""

from collections.abc import Callable, Iterable
from datetime import date, datetime, time
from functools import cache

from feeds.festival_time import FestivalTime
from feeds.vocabulary import Occasion

NIGHT_ENDS = time(6)


def build_day_test(festival: FestivalTime, day: date) -> Callable[[Occasion], bool]:
    """Return whether an occasion that began before a festival day goes on in it.

    What began the evening before and ends in that night belongs to the evening.
    """
    begins, morning = festival.day_begins(day), festival.instant(day, NIGHT_ENDS)

    def goes_on(occasion: Occasion) -> bool:
        if not occasion.start < begins < occasion.end:
            return False
        return occasion.end > morning or festival.is_long(occasion.start, occasion.end)

    return goes_on


def build_hour_test(
    festival: FestivalTime, hours: Iterable[int], first: date = date.min
) -> Callable[[Occasion], bool]:
    """Return whether an occasion begins or goes on after any of some hours by the wall clock.

    They are those of its own day, or of the `first` one on which what began before is looked for.
    """
    clocks = [*map(time, hours)]

    @cache
    def find_moments(day: date) -> list[datetime]:
        return [datetime.combine(festival.calendar_date(day, each), each, festival.zone) for each in clocks]

    def is_on(occasion: Occasion) -> bool:
        span = festival.span(occasion.start, occasion.end)
        moments = find_moments(max(span.day, first))
        return any(each <= span.start or each < span.end for each in moments)

    return is_on
