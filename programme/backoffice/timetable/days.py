"""The days that the timetable has tabs for, and the one it opens at."""

import datetime as dt

# Nobody reads more tabs than fit: how many to show around the current day, as on the programme's own page
# (pages/days.py).
MAX_TABS = 21
TABS_ON_EACH_SIDE = 7


def choose_default_day(days: dict[dt.date, int], today: dt.date) -> dt.date:
    """Return today or the first coming day with occasions, else the last one; today where there is none."""
    coming = [day for day in days if day >= today]
    return min(coming, default=max(days, default=today))


def find_adjacent_days(days: dict[dt.date, int], day: dt.date) -> tuple[dt.date | None, dt.date | None]:
    """Return the last day with occasions before a day, and the first one after it."""
    before, after = [each for each in days if each < day], [each for each in days if each > day]
    return max(before, default=None), min(after, default=None)


def select_tabs(every: list[tuple[dt.date, int]], day: dt.date) -> list[tuple[dt.date, int]]:
    """Return those of the days in their order that have tabs: all of them, or some on both sides of a day."""
    if len(every) <= MAX_TABS:
        return every
    middle = sum(each < day for each, _count in every)
    first = min(max(middle - TABS_ON_EACH_SIDE, 0), len(every) - 2 * TABS_ON_EACH_SIDE - 1)
    return every[first : first + 2 * TABS_ON_EACH_SIDE + 1]
