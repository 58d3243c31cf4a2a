"""The days of a series: every day or week until a date, on some weekdays, except some days."""

import datetime as dt
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feeds.festival_time import ONE_DAY
from feeds.wording import WORDS
from programme.backoffice.forms.fields import DayField
from programme.exchange.text.when import split_days
from programme.models.dates import editor_language

DAILY, WEEKLY = "day", "week"
# Rows that are made at once.
MOST = 100


def _list_weekdays() -> list[tuple[int, str]]:
    return list(enumerate(WORDS[editor_language()].days_short))


class SeriesForm(forms.Form):
    """The days that follow one; without an end the day alone."""

    day = DayField(widget=forms.HiddenInput)
    every = forms.ChoiceField(
        label=gettext_lazy("How often"),
        required=False,
        choices=[(WEEKLY, gettext_lazy("every week")), (DAILY, gettext_lazy("every day"))],
    )
    weekdays = forms.TypedMultipleChoiceField(
        label=gettext_lazy("on"),
        required=False,
        coerce=int,
        choices=_list_weekdays,
        widget=forms.CheckboxSelectMultiple({"class": "beside"}),
    )
    until = DayField(label=gettext_lazy("Until and including"), required=False)
    omitted = forms.CharField(
        label=gettext_lazy("Except"),
        required=False,
        max_length=500,
        help_text=gettext_lazy("For example 12 Dec, 26/12."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )

    days: list[dt.date]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        first, until = cleaned["day"], cleaned["until"]
        if until is None:
            self.days = [first]
            return cleaned
        weekdays = range(7) if cleaned["every"] == DAILY else cleaned["weekdays"] or [first.weekday()]
        following = (first + number * ONE_DAY for number in range(1, (until - first).days + 1))
        self.days = [day for day in following if day.weekday() in weekdays]
        self._omit(cleaned["omitted"])
        if not self.days:
            self.add_error("until", _("There is no such day until then."))
        elif len(self.days) > MOST:
            self.add_error("until", _("At most %(most)d days at once.") % {"most": MOST})
        return cleaned

    def _omit(self, text: str) -> None:
        """Leave out the days of a text, which all have to be among them."""
        parts = [split_days(part, self.days) for part in text.split(",")]
        for each in [each for named, rest in parts for each in (*named, rest) if each]:
            # `lör 19/12`, `2026-12-19`.
            spelt = each.split()[-1]
            found = [day for day in self.days if spelt in {f"{day.day}/{day.month}", day.isoformat()}]
            if not found:
                self.add_error("omitted", _("“%(text)s” is none of the days.") % {"text": each})
            self.days = [day for day in self.days if day not in found]
