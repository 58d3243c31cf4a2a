"""Form fields for clock times and spans as editors type them, and for days."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

import datetime as dt
import re
from math import modf
from typing import Any, NoReturn

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.urls import reverse_lazy
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import Length
from programme.exchange.text.times import list_times, suggest_time

_UNIT = re.compile(r"^\+|[a-z]", re.IGNORECASE)
_THREE_DIGITS = re.compile(r"^(\d)([0-5]\d)$", re.ASCII)
# 130 is half past one, or two hours and ten minutes.
_CLOCK_OR_MINUTES = re.compile(r"[12][0-5]\d", re.ASCII)

_NUMBER = r"(\d{1,4}(?:[.,]\d{1,2})?)\s*"
_DAYS = "d|dag|dagar|dygn|day|days"
_HOURS = "h|t|tim|timme|timmar|hour|hours"
_MINUTES = "m|min|minut|minuter|minutes?"
_SIGN = r"([+\-−–])?\s*"
# 1 day 2 h 30 min, 2h30, 90 min; without a unit it is whole minutes: 1,5 may be meant as hours, 1930 and
# 20h30 as a clock time.
_SPAN = re.compile(
    rf"(?!\d\dh\d\d$){_SIGN}(?:{_NUMBER}(?:{_DAYS})\.?\s*)?(?:{_NUMBER}(?:{_HOURS})\.?\s*)?"
    rf"(?:{_NUMBER}(?:{_MINUTES})\.?|(\d{{1,3}}))?",
    re.IGNORECASE | re.ASCII,
)
# +2:30 is a span, 2:30 a time of the day.
_SIGNED_CLOCK = re.compile(r"([+\-−–])\s*(\d{1,2})[:.](\d{2})", re.ASCII)

EARLIEST = dt.date(1900, 1, 1)
LATEST = dt.date(2199, 12, 31)
UNLIKELY_YEAR = _("Check the year: it must be from 1900 to 2199.")


def parse_span(typed: str) -> Length | None:
    """Return a span such as `2 h`, `1 h 30 min`, `90` or `1 day` in whole minutes; None if it is none.

    A whole day is one of the calendar, a part of one is hours.
    """
    if found := _SIGNED_CLOCK.fullmatch(typed):
        sign, *parts = found[1], None, found[2], found[3], None
    elif (found := _SPAN.fullmatch(typed)) and any(found.groups()[1:]):
        sign, *parts = found.groups()
    else:
        return None
    days, hours, *minutes = (float((each or "0").replace(",", ".")) for each in parts)
    part, whole = modf(days)
    span = dt.timedelta(minutes=round((part * 24 + hours) * 60 + sum(minutes)))
    return Length(int(whole), span) if sign in {None, "+"} else Length(-int(whole), -span)


def read_times(typed: str) -> list[str]:
    """Return `19:00` of 19, 19.00, 1900, kl 19, 7 pm, two times of 18-20; nothing of what is neither."""
    times = list_times(_THREE_DIGITS.sub(r"\1:\2", typed.strip()))
    found = re.fullmatch(r"(\d\d:\d\d)(?:–(\d\d:\d\d))?", times[0]) if len(times) == 1 else None
    return [each for each in found.groups() if each] if found else []


def _read_clock(typed: str) -> str:
    times = read_times(typed)
    return times[0] if len(times) == 1 else ""


class ClockField(forms.TimeField):
    """A clock time in whole minutes."""

    widget = forms.TimeInput(format="%H:%M", attrs={"size": 5, "class": "clock", "autocomplete": "off"})
    default_error_messages = {"invalid": _("Write it as 19:00. Midnight is 00:00.")}
    is_end = False

    def to_python(self, value: Any) -> dt.time | None:
        if value in self.empty_values or isinstance(value, dt.time):
            return value or None
        try:
            return dt.time.fromisoformat(_read_clock(str(value)))
        except ValueError:
            self._refuse(str(value))

    def _refuse(self, typed: str) -> NoReturn:
        message = self.error_messages["invalid"]
        # Of a span, the time of this field.
        suggested = suggest_time(typed).split("–")[-1 if self.is_end else 0]
        if suggested not in {"", typed.strip()}:
            named = {"text": typed.strip(), "time": suggested}
            message = _("“%(text)s” is no single time: write it as %(time)s.") % named
        raise ValidationError(message, code="invalid")

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compare in whole minutes, as the field shows them."""
        shown = initial.replace(second=0, microsecond=0) if isinstance(initial, dt.time) else initial
        return super().has_changed(shown, data)


class EndClockField(ClockField):
    """The clock time of an end: midnight may be written as 24:00, too."""

    is_end = True

    def to_python(self, value: Any) -> dt.time | None:
        midnight = isinstance(value, str) and _read_clock(value) == "24:00"
        return dt.time(0) if midnight else super().to_python(value)


class StartField(ClockField):
    """The start of an occasion, or its start and end: 18-20. Scripts ask its address what is typed."""

    def to_python(self, value: Any) -> Any:
        times = read_times(value) if isinstance(value, str) else []
        if len(times) == 1 or not times:
            return super().to_python(value)
        return super().to_python(times[0]), EndClockField().to_python(times[1])

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {"data-times": reverse_lazy("admin:times")}


class EndField(EndClockField):
    """The end of an occasion: a clock time, or how long it lasts."""

    widget = forms.TimeInput(format="%H:%M", attrs={"size": 8, "class": "clock", "autocomplete": "off"})
    default_error_messages = {"invalid": _("Write it as 21:00, or how long it lasts: 2 h, 90 min.")}

    def to_python(self, value: Any) -> dt.time | Length | None:  # type: ignore[override]  # wider
        typed = value.strip() if isinstance(value, str) else ""
        # 18 is a time and 25 would be minutes: a number alone is never a length.
        is_number = re.fullmatch(r"\d{1,4}", typed)
        if _CLOCK_OR_MINUTES.fullmatch(typed) or (is_number and not _read_clock(typed)):
            self._refuse(typed)
        span = parse_span(typed)
        # Of numbers alone and 2:30 the clock time counts.
        if span is None or span.usual <= dt.timedelta() or (_read_clock(typed) and not _UNIT.search(typed)):
            return super().to_python(value)
        return span


class DayField(forms.DateField):
    """A date of our era, picked in the browser's own calendar."""

    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": "day"})

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(input_formats=["%Y-%m-%d"], **kwargs)
        limits = [MinValueValidator(EARLIEST, UNLIKELY_YEAR), MaxValueValidator(LATEST, UNLIKELY_YEAR)]
        self.validators += limits

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        # Without it browsers offer years of six digits.
        return {"max": LATEST.isoformat()}


class MomentField(forms.DateTimeField):
    """A calendar date and a clock time in whole minutes."""

    widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})

    def has_changed(self, initial: dt.datetime | None, data: Any) -> bool:
        return super().has_changed(initial and initial.replace(second=0, microsecond=0), data)

    def describe(self, value: Any) -> str:
        """Return what is stored or sent as `2026-08-20 10:00`."""
        return (self.widget.format_value(self.prepare_value(value)) or "").replace("T", " ")


def missing_hour(date: dt.date, clock: dt.time) -> str:
    """Return the message about a time that is skipped when the clock goes forward."""
    return _("There is no %(clock)s on %(date)s: the clock goes forward.") % {
        "clock": f"{clock:%H:%M}",
        "date": date_format(date, "j F"),
    }
