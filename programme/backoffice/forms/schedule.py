"""The fields with which editors plan when something is published or withdrawn."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.backoffice.dates import format_moment
from programme.backoffice.forms.fields import ClockField, DayField, missing_hour
from programme.models import Event, Status
from programme.models.festival_time import festival_time

MOMENT = ["due_day", "due_time"]
# Sent by the button that removes the plan, which saves the form as the others do.
REMOVE = "_unplan"


class MomentFields(forms.Form):
    """A moment to come, None if both fields are empty; mixed into a form before its other base classes."""

    due_day = DayField(label=capfirst(_("festival day")), required=False)
    due_time = ClockField(
        label=capfirst(_("time")), required=False, help_text=_("Leave both empty if nothing is planned.")
    )

    # When the form was sent.
    instant: datetime
    due: datetime | None = None
    # Whether a button was pressed that plans even what was planned before.
    schedules = False

    def clean(self) -> Any:
        cleaned = super().clean()
        day, time = (self.cleaned_data.get(name) for name in MOMENT)
        if set(MOMENT) & self.errors.keys() or (day, time) == (None, None):
            return cleaned
        if day is None or time is None:
            self.add_error("due_day" if day is None else "due_time", _("Choose both a day and a time."))
            return cleaned
        festival = festival_time()
        date = festival.calendar_date(day, time)
        self.due = festival.end_after(self.instant, time, date)
        if not self.is_planned:
            return cleaned
        if not festival.exists(date, time):
            self.add_error("due_time", missing_hour(date, time))
        elif self.due <= self.instant:
            self.add_error("due_time", _("This moment is over."))
        return cleaned

    @property
    def is_planned(self) -> bool:
        return self.schedules or not set(MOMENT).isdisjoint(self.changed_data)

    def refuse_after(self, ends: Iterable[datetime]) -> None:
        """Refuse to publish an event whose last occasion ends before; `ends` are those of each."""
        if self.due and min(ends, default=self.due + timedelta.resolution) <= self.due:
            self.add_error("due_day", _("The last occasion is over by then."))


class PlannedFields(MomentFields):
    """When an event is published or withdrawn, in its form: of those who may do so now."""

    instance: Event

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "status" not in self.fields:
            del self.fields["due_day"], self.fields["due_time"]
            return
        self.data = data = cast("QueryDict", self.data).copy()
        if data.get(REMOVE):
            data.update(dict.fromkeys(MOMENT, ""))
        elif any(map(data.get, MOMENT)):
            # What is planned is neither published nor withdrawn now.
            self.schedules = bool(data.pop("status", ""))
        if plan := getattr(self.instance, "plan", None):
            festival = festival_time()
            shown = festival.day_of(plan.due), festival.local(plan.due).time()
            self.initial = {**dict(zip(MOMENT, shown, strict=True)), **self.initial}

    @property
    def plans(self) -> bool:
        """Whether the plan is to be another one; a status that is chosen now settles it."""
        return "status" not in self.changed_data and self.is_planned

    @property
    def button(self) -> str:
        """`Schedule Fri 4 Dec 09:00`; '' where the button publishes or withdraws at once."""
        due = self.due if self.is_bound else getattr(getattr(self.instance, "plan", None), "due", None)
        is_published = self.instance.status == Status.PUBLISHED
        text = _("Withdraw %(when)s") if is_published else _("Schedule %(when)s")
        return text % {"when": format_moment(due, self.instant)} if due else ""
