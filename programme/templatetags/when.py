"""When something is, as the back office writes it."""

import datetime as dt

from django import template

from programme.backoffice import dates
from programme.backoffice.problems.problem import Span
from programme.models.festival_time import festival_time

register = template.Library()


@register.filter
def clocks(span: Span) -> str:
    """Return `22:00–03:00`."""
    return dates.clocks(*span)


@register.filter
def day_and_clocks(span: Span) -> str:
    """Return `fre 2026-07-31 22:00–03:00`, that breaks before the time only."""
    return dates.together(dates.weekday_and_date(festival_time().day_of(span.start)), dates.clocks(*span))


@register.filter
def moment(instant: dt.datetime) -> str:
    """Return `2026-07-31 14:03`."""
    return dates.date_and_clock(instant)
