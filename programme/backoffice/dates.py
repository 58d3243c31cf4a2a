"""Dates and times as lists of the back office show them."""

import datetime as dt
from collections import Counter

from django.db.models import Count, Q
from django.utils.html import format_html
from django.utils.translation import get_language

from feeds.vocabulary import LanguageCode
from feeds.wording import EN_DASH, WORDS, format_clock, format_near_day, format_relative_day
from programme.models import Occasion
from programme.models.festival_time import festival_time


def editor_language() -> LanguageCode:
    return "en" if (get_language() or "").startswith("en") else "sv"


def format_day(day: dt.date) -> str:
    """Return `ons 2026-07-29`."""
    return f"{WORDS[editor_language()].days_short[day.weekday()]} {day.isoformat()}"


def format_day_and_time(instant: dt.datetime) -> str:
    """Return festival day and clock time, `ons 2026-07-29 14:00`, which wrap between the two only."""
    festival = festival_time()
    return join_day_and_time(format_day(festival.day_of(instant)), format_clock(festival.local(instant)))


def format_near(instant: dt.datetime, now: dt.datetime, *, with_time: bool = False) -> str:
    """Return the festival day as lists show it, `ons 29 jul`, with the year where it is not this one."""
    festival = festival_time()
    day = format_near_day(festival.day_of(instant), festival.day_of(now), editor_language())
    return f"{day} {format_clock(festival.local(instant))}" if with_time else day


def format_times(start: dt.datetime, end: dt.datetime) -> str:
    """Return `22:00–03:00`, with the day of the end where it is 24 hours after the start or later."""
    festival = festival_time()
    first, last = festival.local(start), festival.local(end)
    is_long = festival.is_long(start, end)
    last_day = f"{format_near_day(last.date(), first.date(), editor_language())} " if is_long else ""
    return f"{format_clock(first)}{EN_DASH}{last_day}{format_clock(last)}"


def format_day_and_times(start: dt.datetime, end: dt.datetime) -> str:
    """Return `ons 2026-07-29 22:00–03:00`, with the festival day."""
    return f"{format_day(festival_time().day_of(start))} {format_times(start, end)}"


def format_moment(instant: dt.datetime, now: dt.datetime) -> str:
    """Return when something was done: `idag 14:05`, `ons 29 jul 14:05`."""
    local, today = (festival_time().local(each) for each in (instant, now))
    day = format_relative_day(local.date(), today.date(), editor_language())
    return f"{day} {format_clock(local)}"


def format_date_and_time(instant: dt.datetime) -> str:
    """Return calendar date and clock time, `2026-07-29 14:00`, which wrap between the two only."""
    local = festival_time().local(instant)
    return join_day_and_time(local.date().isoformat(), format_clock(local))


def join_day_and_time(day: str, time: str) -> str:
    return format_html('<span class="together">{}</span> {}', day, time)


def count_by_day(chosen: Q) -> dict[dt.date, int]:
    """Return how many of the occasions chosen begin on each festival day that has any, in order."""
    festival = festival_time()
    # SQLite would cut each start to its hour in Python, which takes ten times as long.
    starts = Occasion.objects.filter(chosen).order_by().values_list("start").annotate(Count("pk"))
    days: Counter[dt.date] = Counter()
    for start, count in starts:
        days[festival.day_of(start)] += count
    return dict(sorted(days.items()))
