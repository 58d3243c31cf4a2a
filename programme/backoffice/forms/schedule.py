"""The fields with which editors plan when something is published or withdrawn."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.backoffice.dates import format_moment
from programme.backoffice.forms.fields import ClockField, DayField, missing_hour
from programme.models import Event, Status
from programme.models.festival_time import festival_time

MOMENT = ["due_day", "due_time"]
# Sent as the status of what gets another one at that moment.
PLANNED = "planned"


class MomentFields(forms.Form):
    """A moment to come, None if both fields are empty; mixed into a form before its other base classes."""

    due_day = DayField(label=capfirst(_("day")), required=False)
    due_time = ClockField(
        label=capfirst(_("time")), required=False, help_text=_("Leave both empty if nothing is planned.")
    )

    # When the form was sent.
    instant: datetime
    due: datetime | None = None

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
        return not set(MOMENT).isdisjoint(self.changed_data)

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
        for name in MOMENT:
            self.fields[name].help_text = ""
        self.fields["due_time"].widget.attrs["data-times"] = reverse("admin:times")
        if self.data.get("status", PLANNED) != PLANNED:
            # What has a status now is planned no more.
            self.data = cast("QueryDict", self.data).copy()
            self.data.update(dict.fromkeys(MOMENT, ""))
        if plan := getattr(self.instance, "plan", None):
            festival = festival_time()
            shown = festival.day_of(plan.due), festival.local(plan.due).time()
            self.initial = {**dict(zip(MOMENT, shown, strict=True)), **self.initial}

    def clean(self) -> Any:
        cleaned = super().clean()
        is_chosen = self.data.get("status") == PLANNED
        if is_chosen and self.due is None and not set(MOMENT) & self.errors.keys():
            self.add_error("due_day", _("Choose both a day and a time."))
        return cleaned

    @property
    def chosen_status(self) -> str:
        """The status as it was sent or is; `PLANNED` of an event with a plan."""
        sent = self.data.get("status") if "status" in self.fields else ""
        return str(sent or (PLANNED if hasattr(self.instance, "plan") else self.initial_status))

    @property
    def initial_status(self) -> str:
        return str(self.initial.get("status") or Status.DRAFT)

    @property
    def due_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in MOMENT]

    @property
    def plans(self) -> bool:
        """Whether the plan is to be another one; a status that is chosen now settles it."""
        return "status" not in self.changed_data and self.is_planned

    @property
    def statuses(self) -> list[tuple[str, Any, Any, Any]]:
        """Each status to choose from, its name, what saving does then, and the same with `%(when)s`."""
        is_published, plan = self.initial_status == Status.PUBLISHED, getattr(self.instance, "plan", None)
        if is_published:
            draft, published = _("Withdraw"), _("Save – readers see it at once")
            planned, later, at = _("Withdrawn …"), _("Withdraw later"), _("Withdraw %(when)s")
        else:
            draft, published = _("Save draft"), _("Publish")
            planned, later, at = _("Published …"), _("Publish later"), _("Publish %(when)s")
        shown = at % {"when": format_moment(plan.due)} if plan else later
        return [
            (Status.DRAFT, _("Draft"), draft, ""),
            (Status.PUBLISHED, _("Published"), published, ""),
            (PLANNED, planned, shown, at),
        ]
