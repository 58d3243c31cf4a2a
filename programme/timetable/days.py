"""The festival days that the timetable has tabs for, and which of them it opens at."""

import datetime as dt
from collections import Counter

from django.db.models import Count
from django.db.models.functions import TruncHour

from programme.models import Occasion
from programme.reckoning import reckoning


def counts() -> dict[dt.date, int]:
    """Return how many occasions begin on each festival day that has any, in the order of days."""
    festival = reckoning()
    # Whole hours, because on them a festival day begins: at most 24 rows for each.
    hours = Occasion.objects.order_by().annotate(hour=TruncHour("start", tzinfo=festival.zone))
    days: Counter[dt.date] = Counter()
    for hour, count in hours.values_list("hour").annotate(Count("pk")):
        days[festival.day_of(hour)] += count
    return dict(sorted(days.items()))


def opening(days: dict[dt.date, int], today: dt.date) -> dt.date:
    """Return today or the first coming day with occasions, else the last one; today where there is none."""
    coming = [day for day in days if day >= today]
    return min(coming, default=max(days, default=today))


def around(days: dict[dt.date, int], day: dt.date) -> tuple[dt.date | None, dt.date | None]:
    """Return the last day with occasions before a day, and the first one after it."""
    before, after = [each for each in days if each < day], [each for each in days if each > day]
    return max(before, default=None), min(after, default=None)
