"""The days that the timetable has tabs for, the one it opens at, and at which occasion a day opens."""

import datetime as dt
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from django.db.models import Q
from django.utils.text import capfirst

from feeds.day_layout import DAY, HOUR, MINUTE, MinuteSpan, choose_tabs, find_instant
from feeds.festival_time import FestivalTime, Length, SkippedTimeError
from feeds.wording import format_relative_day
from programme.backoffice.dates import count_by_day
from programme.backoffice.forms.fields import UNLIKELY_YEAR, missing_hour
from programme.backoffice.timetable.columns import WriteRefusedError
from programme.models.dates import editor_language

# What begins before is the night's: a day opens at it only where there is nothing else.
NIGHT_ENDS = 6 * HOUR
# What goes on for longer, as an exhibition does, does not say how far the day has come.
LONG_OCCASION = 4 * HOUR

TimedOccasion = tuple[int, MinuteSpan]


Span = tuple[dt.datetime, dt.datetime]


def add_length(start: dt.datetime, end: dt.datetime, by: Length, festival: FestivalTime) -> Span:
    """Return both later by a length; raises `WriteRefusedError` where there is no such time."""
    try:
        return festival.add(start, by), festival.add(end, by)
    except SkippedTimeError as never:
        raise WriteRefusedError(missing_hour(never.date, never.clock)) from None
    except OverflowError:
        raise WriteRefusedError(str(UNLIKELY_YEAR)) from None


def choose_default_day(today: dt.date, chosen: Q) -> dt.date:
    """Return today or the first coming day with occasions, else the last one; today where there is none."""
    days = count_by_day(chosen)
    return min((day for day in days if day >= today), default=max(days, default=today))


def build_tabs_context(date: dt.date, today: dt.date, chosen: Q) -> dict[str, Any]:
    """Return the tabs, of all days or some on both sides of a day, and the days with occasions beside it."""
    counts, language = count_by_day(chosen), editor_language()
    return {
        "tabs": [
            {
                "date": each,
                "label": capfirst(format_relative_day(each, today, language)),
                "occasions": counts.get(each, 0),
                "current": each == date,
                "today": each == today,
            }
            for each in choose_tabs(sorted({date, *counts}), date)
        ],
        "before": max((each for each in counts if each < date), default=None),
        "after": min((each for each in counts if each > date), default=None),
    }


def find_first_of_day(timed: Iterable[TimedOccasion], day_begins: int) -> int | None:
    """Return which occasion a day opens at: the first after the night, else the first of all."""
    ordered = sorted((each for each in timed if each[1].begins >= day_begins), key=lambda each: each[1])
    by_day = [each for each in ordered if each[1].begins >= NIGHT_ENDS]
    return next((key for key, _span in by_day or ordered), None)


def find_current_or_next(timed: Iterable[TimedOccasion], now: int) -> int | None:
    """Return the first occasion that is not over; None where the list begins with it, or none is left."""
    ordered = sorted(timed, key=lambda each: each[1])
    left = [each for each in ordered if each[1].ends > now]
    soon = [each for each in left if each[1].begins >= now or each[1].ends - each[1].begins <= LONG_OCCASION]
    found = (soon or left)[:1]
    return found[0][0] if found and found != ordered[:1] else None


def find_change(day: dt.date, festival: FestivalTime) -> tuple[int, int]:
    """Return the minute of a day or the next at which the clock changes, and by how many; zeros if none."""
    begins = festival.first_hour * HOUR
    hours = range(begins, begins + 2 * DAY, HOUR)
    shown = [festival.local(find_instant(each, day, festival)).replace(tzinfo=None) for each in hours]
    steps = ((new - old) // MINUTE - HOUR for old, new in pairwise(shown))
    return next(((minute, step) for minute, step in zip(hours[1:], steps, strict=True) if step), (0, 0))
