"""The form of the next edition: its name and days, what it takes along, and how far that is moved."""

import datetime as dt
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import build_day_id
from programme.backoffice.forms.base import is_hidden
from programme.backoffice.forms.fields import DayField
from programme.backoffice.generics import ModelForm
from programme.backoffice.next_edition.plan import TakenAlong
from programme.models import AreaDay, Edition, Occasion, Status
from programme.models.dates import format_day

WEEKS = "weeks"
_WAYS = [
    (WEEKS, _("by whole weeks: a Saturday stays a Saturday")),
    ("first", _("so that the first day becomes the first day")),
]
_EVENTS = [
    ("", _("none")),
    (Status.PUBLISHED, _("the published ones, as drafts")),
    ("all", _("all of them, as drafts")),
]


class NextEditionForm(ModelForm):
    """A new edition that follows another one; one that is there already stays as it is."""

    hours = forms.BooleanField(label=_("The areas’ days, with opening hours"), required=False)
    events = forms.ChoiceField(label=_("Events"), choices=_EVENTS, required=False, widget=forms.RadioSelect)
    by = forms.ChoiceField(label=_("How days are moved"), choices=_WAYS, widget=forms.RadioSelect)

    class Meta:
        model = Edition
        fields = ["name_sv", "name_en", "slug", "first_day", "last_day"]
        field_classes = {"first_day": DayField, "last_day": DayField}
        error_messages = {"slug": {"unique": _("Another edition has this.")}}

    def __init__(self, source: Edition, edition: Edition, data: Any) -> None:
        super().__init__(data or propose(source), instance=edition, label_suffix="")
        self.source = source
        for name in self.Meta.fields:
            if edition.pk or is_hidden(source, name):
                del self.fields[name]

    def load_plan(self) -> TakenAlong:
        gap = (self.instance.first_day - self.source.first_day).days
        days = round(gap / 7) * 7 if self.cleaned_data["by"] == WEEKS else gap
        plan = TakenAlong(self.instance, dt.timedelta(days))
        if self.cleaned_data["hours"]:
            self._take_hours(plan)
        if chosen := self.cleaned_data["events"]:
            self._take_events(plan, {"event__status": chosen} if chosen == Status.PUBLISHED else {})
        return plan

    def _take_hours(self, plan: TakenAlong) -> None:
        there = set(AreaDay.objects.values_list("area", "day"))
        days = self.source.first_day, self.source.last_day
        for row in AreaDay.objects.filter(day__date__range=days).select_related("area", "day"):
            new = row.day.date + plan.by
            if (row.area_id, build_day_id(new)) in there:
                plan.known.append(f"{row.area} {format_day(new)}")
            else:
                plan.take_hours(row)

    def _take_events(self, plan: TakenAlong, wanted: dict[str, Any]) -> None:
        held = Occasion.objects.filter(self.instance.occasions)
        there = set(held.values_list("event__title", "event__area"))
        for row in Occasion.objects.filter(self.source.occasions, **wanted).select_related("event"):
            if (row.event.title, row.event.area_id) not in there:
                plan.take_occasion(row)
            elif row.event.title not in plan.known:
                plan.known.append(row.event.title)


def propose(source: Edition) -> dict[str, Any]:
    """Return what the form shows first: the next year, on the same weekdays."""
    first, last = (day + dt.timedelta(weeks=52) for day in (source.first_day, source.last_day))
    years = str(source.first_day.year), str(first.year)
    named = {name: getattr(source, name).replace(*years) for name in ("name_sv", "name_en", "slug")}
    return {**named, "first_day": first, "last_day": last, "by": WEEKS, "hours": "on"}
