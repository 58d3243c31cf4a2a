"""Spans of time as editors type them, such as `2 h`, `1 h 30 min`, `90` or `1 day`."""

import datetime as dt
import re

_NUMBER = r"(\d{1,4}(?:[.,]\d{1,2})?)\s*"
_DAYS = "d|dag|dagar|dygn|day|days"
_HOURS = "h|t|tim|timme|timmar|hour|hours"
_MINUTES = "m|min|minut|minuter|minutes?"
_SIGN = r"([+\-−–])?\s*"
# 1 day 2 h 30 min, 2h30, 90 min; without a unit it is whole minutes: 1,5 may be meant as hours, 1930 as a
# clock time. The script of the timetable reads it with the same pattern.
SPAN = (
    rf"{_SIGN}(?:{_NUMBER}(?:{_DAYS})\.?\s*)?(?:{_NUMBER}(?:{_HOURS})\.?\s*)?"
    rf"(?:{_NUMBER}(?:{_MINUTES})\.?|(\d{{1,3}}))?"
)
_SPAN = re.compile(SPAN, re.IGNORECASE | re.ASCII)
# +2:30 is a span, 2:30 a time of the day.
_SIGNED_CLOCK = re.compile(r"([+\-−–])\s*(\d{1,2})[:.](\d{2})", re.ASCII)


def parse_span(typed: str) -> dt.timedelta | None:
    """Return what is typed in whole minutes; None if it is no span."""
    if found := _SIGNED_CLOCK.fullmatch(typed):
        sign, *parts = found[1], None, found[2], found[3], None
    elif (found := _SPAN.fullmatch(typed)) and any(found.groups()[1:]):
        sign, *parts = found.groups()
    else:
        return None
    days, hours, *minutes = (float((each or "0").replace(",", ".")) for each in parts)
    span = dt.timedelta(minutes=round((days * 24 + hours) * 60 + sum(minutes)))
    return span if sign in {None, "+"} else -span
