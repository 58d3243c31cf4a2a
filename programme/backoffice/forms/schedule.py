"""The fields with which editors plan when something is published or withdrawn."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.backoffice.forms.fields import ClockField, DayField, missing_hour
from programme.models import Event
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

    def clean(self) -> Any:
        cleaned = super().clean()
        day, time = (self.cleaned_data.get(name) for name in MOMENT)
        if (
            not set(MOMENT) & set(self.changed_data)
            or set(MOMENT) & self.errors.keys()
            or (day, time) == (None, None)
        ):
            return cleaned
        if day is None or time is None:
            self.add_error("due_day" if day is None else "due_time", _("Choose both a day and a time."))
            return cleaned
        festival = festival_time()
        date = festival.calendar_date(day, time)
        self.due = festival.instant(date, time)
        if not festival.exists(date, time):
            self.add_error("due_time", missing_hour(date, time))
        elif self.due <= self.instant:
            self.add_error("due_time", _("This moment is over."))
        return cleaned


class PlanForm(MomentFields):
    title, consequence = _("When?"), _("Readers see nothing of it before.")

    def __init__(self, data: Any, instant: datetime) -> None:
        # The list has sent no fields yet.
        super().__init__(data if "due_day" in data else None, label_suffix="")
        self.instant = instant


class PlannedFields(MomentFields):
    """When an event is published or withdrawn, in its form: of those who may do so now."""

    instance: Event

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.data.get(REMOVE):
            self.data = {**self.data.dict(), **dict.fromkeys(MOMENT, "")}  # type: ignore[attr-defined]
        if "status" not in self.fields:
            del self.fields["due_day"], self.fields["due_time"]
        elif plan := getattr(self.instance, "plan", None):
            festival = festival_time()
            shown = festival.day_of(plan.due), festival.local(plan.due).time()
            self.initial = {**dict(zip(MOMENT, shown, strict=True)), **self.initial}

    @property
    def plans(self) -> bool:
        """Whether the plan is to be another one; a status that is chosen now settles it."""
        return "status" not in self.changed_data and bool(set(MOMENT) & set(self.changed_data))
