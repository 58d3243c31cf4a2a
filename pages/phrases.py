"""Dates, times and counts in the words of a page, whose language must be active (`pages.rendering`)."""

from datetime import date, datetime, time
from typing import Any

from django.core.paginator import Page
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from feeds.vocabulary import LanguageCode
from feeds.wording import EN_DASH, format_clock, format_day, format_opening_hours


def format_long_day(day: date, language: LanguageCode) -> str:
    """Return `fredag 31 juli 2026`."""
    return f"{format_day(day, language)} {day.year}"


def format_moment(local: datetime, language: LanguageCode) -> str:
    """Return `fredag 31 juli 2026 kl. 14:00`."""
    return _("{day}, {time}").format(day=format_long_day(local.date(), language), time=format_clock(local))


def format_end(start: datetime, end: datetime, language: LanguageCode) -> tuple[str, str]:
    """Return the joiner of start and end, and the end, which is only its clock time on the same date."""
    if start.date() == end.date():
        return EN_DASH, format_clock(end)
    return f" {_('to')} ", format_moment(end, language)


def describe_opening_hours(opens: time | None, closes: time | None) -> str:
    """Return `10:00–18:00`, `från 10:00` or `till 18:00`; '' if neither is known."""
    if opens and not closes:
        return _("from {}").format(format_clock(opens))
    if closes and not opens:
        return _("until {}").format(format_clock(closes))
    return format_opening_hours(opens, closes) or ""


def count_occasions(count: int) -> str:
    return ngettext("%(count)s occasion", "%(count)s occasions", count) % {"count": count}


def format_part(part: Page[Any], count: str) -> str:
    """Return `1–300 av 1614 tillfällen`."""
    return _("{first}–{last} of {count}").format(first=part.start_index(), last=part.end_index(), count=count)
