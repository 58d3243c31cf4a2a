"""Dates and times as lists of the back office show them, and the filter by festival day."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import ONE_DAY
from feeds.vocabulary import LanguageCode
from feeds.wording import EN_DASH, WORDS, format_clock, format_relative_day
from programme.api.instant import get_instant
from programme.backoffice.editions import get_scope
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


def format_times(start: dt.datetime, end: dt.datetime) -> str:
    """Return `22:00–03:00`, with the day of the end where it is 24 hours after the start or later."""
    festival = festival_time()
    first, last = festival.local(start), festival.local(end)
    last_day = f"{format_day(last.date())} " if festival.is_long(start, end) else ""
    return f"{format_clock(first)}{EN_DASH}{last_day}{format_clock(last)}"


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


# The parameters of the filter by hours, from and until: when occasions begin, and when they go on.
HOURS = ("starts_from", "starts_before", "on_from", "on_until")


def choose_day(request: HttpRequest) -> dt.date | None:
    """Return the festival day by which a list is filtered."""
    today, value = festival_time().day_of(get_instant(request)), request.GET.get("day", "")
    if found := {"today": today, "tomorrow": today + ONE_DAY}.get(value):
        return found
    try:
        return dt.date.fromisoformat(value)
    except ValueError:
        return None


class DayFilter(admin.SimpleListFilter):
    """By festival day: today, tomorrow, later days that have an occasion, and, folded away, earlier ones."""

    title = _("festival day")
    parameter_name = "day"
    template = "admin/programme/day_filter.html"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        festival = festival_time()
        today = festival.day_of(get_instant(request))
        days = count_by_day(get_scope(request).occasions)
        self.earlier = [day.isoformat() for day in days if day < today]
        ordered = [*(day for day in days if day > today + ONE_DAY), *(day for day in days if day < today)]
        language = editor_language()
        return [
            ("today", capfirst(format_relative_day(today, today, language))),
            ("tomorrow", capfirst(format_relative_day(today + ONE_DAY, today, language))),
            *((day.isoformat(), capfirst(format_relative_day(day, today, language))) for day in ordered),
        ]

    def choices(self, changelist: Any) -> Iterator[Any]:
        keys = ["", *(key for key, _label in self.lookup_choices)]
        for key, choice in zip(keys, super().choices(changelist), strict=True):
            yield choice | {"is_earlier": key in self.earlier}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        # Only what `lookups` offers: Django passes the value on, whatever is in the address.
        day = choose_day(request) if self.value() in dict(self.lookup_choices) else None
        # The hours of a day are the other filter's, also those that are past its end.
        if day is None or any(request.GET.get(name) for name in HOURS):
            return queryset
        festival = festival_time()
        begins, ends = festival.day_begins(day), festival.day_begins(day + ONE_DAY)
        held = Q(start__gte=begins, start__lt=ends)
        if queryset.model is Occasion:
            return queryset.filter(held)
        return queryset.filter(pk__in=Occasion.objects.filter(held).order_by().values("event"))
