"""Moving occasions: by a span of time such as `+2 h` or `90`, or to a clock time, `18:00`."""

import datetime as dt
import re
from typing import Any, NoReturn

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import Length
from programme.backoffice.forms.fields import ClockField, parse_span, read_times

FARTHEST = dt.timedelta(days=366)
# Of what is typed.
LONGEST = 40

# By a span or to a clock time.
Shift = Length | dt.time

_CLOCK = re.compile(r"kl\b.*|\d{1,2}[:.]\d{2}|\d{4}", re.IGNORECASE | re.ASCII)


class ShiftField(forms.Field):
    """What is typed without a unit is minutes; four digits are a clock time, as in other fields."""

    widget = forms.TextInput(attrs={"size": 12, "maxlength": LONGEST, "autocomplete": "off"})
    default_error_messages = {
        "invalid": _("Write how far, such as +2 h, 90, -15 min or 1 day, or when to start, such as 18:00."),
        "too_far": _("At most 366 days."),
    }

    def to_python(self, value: Any) -> Shift | None:
        typed = str(value or "").strip()
        return self._parse(typed[: LONGEST + 1]) if typed else None

    def _parse(self, typed: str) -> Shift:
        span = None if _CLOCK.fullmatch(typed) else parse_span(typed)
        if span is None:
            clock = ClockField().to_python(typed) if len(read_times(typed)) == 1 else None
            return self._refuse("invalid") if clock is None else clock
        if abs(span.usual) > FARTHEST:
            self._refuse("too_far")
        return span

    def _refuse(self, code: str) -> NoReturn:
        raise ValidationError(self.error_messages[code], code=code)
