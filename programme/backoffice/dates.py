"""Dates and times as lists of the back office show them, beyond those of `programme/models/dates.py`."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from django.db.models import Count, Q
from django.utils.html import format_html
from django.utils.text import capfirst

from feeds.wording import format_clock, format_relative_day
from programme.models import Occasion
from programme.models.dates import CURRENT_INSTANT, editor_language, format_day
from programme.models.festival_time import festival_time


def format_day_and_time(instant: dt.datetime) -> str:
    """Return festival day and clock time, `ons 29 jul 14:00`, which wrap between the two only."""
    festival = festival_time()
    day, clock = format_day(festival.day_of(instant)), format_clock(festival.local(instant))
    return format_html('<span class="together">{}</span> {}', day, clock)


def format_moment(instant: dt.datetime) -> str:
    """Return when something was done: `idag 14:05`, `ons 29 jul 14:05`."""
    return f"{format_recent_day(instant)} {format_clock(festival_time().local(instant))}"


def format_recent_day(instant: dt.datetime) -> str:
    """Return the calendar day of something that was done: `idag`, `ons 29 jul`."""
    now, local = CURRENT_INSTANT.get(), festival_time().local
    day = local(instant).date()
    return format_relative_day(day, local(now).date(), editor_language()) if now else format_day(day)


def group_by_day(rows: Iterable[Any], when: Callable[[Any], dt.datetime]) -> list[tuple[str, list[Any]]]:
    """Return rows that are in the order of time by their calendar days, `Idag`."""
    days = groupby(rows, key=lambda row: format_recent_day(when(row)))
    return [(capfirst(day), [*each]) for day, each in days]


def count_by_day(chosen: Q) -> dict[dt.date, int]:
    """Return how many of the occasions chosen begin on each festival day that has any, in order."""
    festival = festival_time()
    # SQLite would cut each start to its hour in Python, which takes ten times as long.
    starts = Occasion.objects.filter(chosen).order_by().values_list("start").annotate(Count("pk"))
    days: Counter[dt.date] = Counter()
    for start, count in starts:
        days[festival.day_of(start)] += count
    return dict(sorted(days.items()))
