"""When something is, as the back office writes it."""

import datetime as dt

from django import template

from programme.admin import days
from programme.problems.problem import Span
from programme.reckoning import reckoning

register = template.Library()


@register.filter
def clocks(span: Span) -> str:
    """Return `22:00–03:00`."""
    return days.clocks(*span)


@register.filter
def day_and_clocks(span: Span) -> str:
    """Return `fre 2026-07-31 22:00–03:00`, that breaks before the time only."""
    return days.together(days.weekday_and_date(reckoning().day_of(span.start)), days.clocks(*span))


@register.filter
def moment(instant: dt.datetime) -> str:
    """Return `2026-07-31 14:03`."""
    return days.date_and_clock(instant)
