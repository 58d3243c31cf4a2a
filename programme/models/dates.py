"""Dates and times as the back office shows them, in the language of the editor."""

import datetime as dt
from contextvars import ContextVar

from django.utils.translation import get_language

from feeds.vocabulary import LanguageCode
from feeds.wording import format_clock, format_near_day, format_short_date
from programme.models.festival_time import festival_time

# The instant at which the current request is answered; dates of its year are shown without it.
CURRENT_INSTANT: ContextVar[dt.datetime | None] = ContextVar("current_instant", default=None)


def editor_language() -> LanguageCode:
    return "en" if (get_language() or "").startswith("en") else "sv"


def format_day(day: dt.date, *, dated: bool = False) -> str:
    """Return `ons 29 jul`, with the year where it is not the current one, or always."""
    now, language = CURRENT_INSTANT.get(), editor_language()
    if now is None or dated:
        return format_short_date(day, language)
    return format_near_day(day, festival_time().day_of(now), language)


def format_instant(instant: dt.datetime) -> str:
    """Return calendar date and clock time, `ons 29 jul 14:00`."""
    local = festival_time().local(instant)
    return f"{format_day(local.date())} {format_clock(local)}"
