"""The instants at which time changes a response."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from functools import lru_cache

from feeds.festival_time import ONE_DAY, FestivalTime, LocalSpan
from feeds.vocabulary import Occasion
from feeds.wording import is_label_changed_on

UPDATED_FOR = timedelta(hours=36)


def find_transitions(festival: FestivalTime, occasions: Iterable[Occasion]) -> list[datetime]:
    """Return the instants, in order."""
    found: set[datetime] = set()
    days: set[date] = set()
    shown: set[date] = set()
    for occasion in occasions:
        found.update(_instants_of(occasion))
        span = festival.span(occasion.start, occasion.end)
        days.add(span.day)
        shown.update(_shown_dates(span))
    for day in days:
        found.update(_instants_of_day(festival, day))
    for day in shown:
        found.update(_instants_of_label(festival, day))
    return sorted(found)


def _instants_of(occasion: Occasion) -> Iterator[datetime]:
    # `upcoming` and `now` change when an occasion starts, `now` also when it ends.
    yield occasion.start
    yield occasion.end
    # `updated` changes when an occasion or its event is marked as changed, and 36 hours later.
    if occasion.changed_at:
        yield occasion.changed_at
        yield occasion.changed_at + UPDATED_FOR


def _shown_dates(span: LocalSpan) -> Iterator[date]:
    """Yield the calendar dates that a time span names."""
    yield span.start.date()
    if span.is_long:
        yield span.end.date()


@lru_cache(maxsize=2048)
def _instants_of_day(festival: FestivalTime, day: date) -> tuple[datetime, ...]:
    """Return when a festival day becomes `tomorrow` and `today`, and is over."""
    return tuple(festival.day_begins(day + ONE_DAY * offset) for offset in (-1, 0, 1))


@lru_cache(maxsize=2048)
def _instants_of_label(festival: FestivalTime, shown: date) -> tuple[datetime, ...]:
    """Return when the label of a date changes."""
    near = (shown + ONE_DAY * offset for offset in (-1, 0, 1, 2))
    new_years = (date(year, 1, 1) for year in (shown.year, shown.year + 1))
    changing = {each for each in (*near, *new_years) if is_label_changed_on(each, shown)}
    return tuple(festival.instant(each, time.min) for each in changing)
