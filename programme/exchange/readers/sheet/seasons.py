"""Lists how dates without a year may be read: as a season that begins in one year or another."""

from collections.abc import Collection, Iterable, Iterator
from datetime import date, timedelta

from programme.exchange.readers.sheet.date_cells import MonthDay, build_date

# The dates of a programme, by month and day.
Reading = dict[MonthDay, date]

# Years around today's in which a programme is looked for.
_YEARS_BEFORE, _YEARS_AFTER = 1, 3
# A season begins after a pause of so many days, and so many times longer than any other.
_PAUSE, _TIMES = timedelta(days=60), 2
# So long after its last date a programme is still worked on.
_RECENT = timedelta(days=60)
_LEAP_YEAR, _YEAR = 2000, timedelta(days=366)
_NEW_YEAR = (1, 1)


def begins(reading: Reading) -> date:
    return min(reading.values())


def ends(reading: Reading) -> date:
    return max(reading.values())


def list_readings(dates: Collection[MonthDay], others: Iterable[date], today: date | None) -> list[Reading]:
    """Return the readings of dates in the years around today and of other dates, likelier ones first."""
    years = {year for each in others for year in (each.year - 1, each.year)}
    if today:
        years |= set(range(today.year - _YEARS_BEFORE - 1, today.year + _YEARS_AFTER + 1))
    found: dict[tuple[date, ...], Reading] = {}
    for first in _list_beginnings(dates, today):
        for year in sorted(years):
            reading = _read(dates, first, year)
            if reading:
                found.setdefault(tuple(reading.values()), reading)
    return list(found.values())


def list_nearest(dates: Collection[MonthDay], today: date) -> list[Reading]:
    """Return the reading that is not past: the next season, or the next of each date.

    There are two of a season that has passed for the most part, or has just ended.
    """
    first = _find_season(dates)
    if first is None:
        return list(filter(None, [_read(dates, (today.month, today.day), today.year)]))
    seasons = [season for number in range(-2, 3) if (season := _read(dates, first, today.year + number))]
    past = [season for season in seasons if ends(season) < today]
    coming = seasons[len(past) :]
    if any(begins(season) < today for season in coming[:1]):
        passed = sum(day < today for day in coming[0].values())
        return coming[: 2 if passed * 2 > len(coming[0]) else 1]
    just_ended = [season for season in past if today - ends(season) <= _RECENT]
    return [*just_ended, *coming[:1]]


def _list_beginnings(dates: Collection[MonthDay], today: date | None) -> Iterator[MonthDay]:
    if first := _find_season(dates):
        yield first
    if today:
        yield today.month, today.day
    yield _NEW_YEAR


def _find_season(dates: Collection[MonthDay]) -> MonthDay | None:
    """Return the date that follows on the longest pause of a year; None if no pause stands out."""
    days = sorted(day for each in dates if (day := build_date(_LEAP_YEAR, *each)))
    before = [days[-1] - _YEAR, *days]
    pauses = sorted(((day - last, day) for last, day in zip(before, days, strict=False)), reverse=True)
    longest, first = pauses[0]
    others = [pause for pause, _day in pauses[1:2]]
    if longest < _PAUSE or any(longest < pause * _TIMES for pause in others):
        return None
    return first.month, first.day


def _read(dates: Iterable[MonthDay], first: MonthDay, year: int) -> Reading:
    read = {each: build_date(year + (each < first), *each) for each in sorted(dates)}
    return {each: day for each, day in read.items() if day}
