"""Dates and times as the back office writes them."""

import datetime as dt

from django import template

from programme.backoffice import dates
from programme.backoffice.problems.problem import TimeRange
from programme.models.festival_time import festival_time

register = template.Library()


@register.filter
def clocks(span: TimeRange) -> str:
    """Return `22:00–03:00`."""
    return dates.format_times(*span)


@register.filter
def day_and_clocks(span: TimeRange) -> str:
    """Return `fre 2026-07-31 22:00–03:00`, which wraps before the time only."""
    return dates.join_day_and_time(
        dates.format_day(festival_time().day_of(span.start)), dates.format_times(*span)
    )


@register.filter
def moment(instant: dt.datetime) -> str:
    """Return `2026-07-31 14:03`."""
    return dates.format_date_and_time(instant)
