"""Which occasions are chosen: by area, sub area, place, type, festival day and hours of their start."""

import datetime as dt
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import ONE_DAY, FestivalTime
from feeds.wording import format_relative_day
from programme.backoffice.dates import count_by_day, editor_language
from programme.backoffice.forms.base import PlaceSelect
from programme.backoffice.forms.fields import ClockField, EndClockField
from programme.backoffice.timetable.columns import VenueColumn, build_condition
from programme.models import Area, EventType, Occasion, SubArea
from programme.models.festival_time import festival_time


class ChoiceForm(forms.Form):
    """Bound if anything is chosen; without that it proposes today."""

    day = forms.ChoiceField(label=capfirst(_("festival day")), required=False)
    starts_from = ClockField(label=_("Starts from"), required=False)
    starts_before = EndClockField(label=_("and before"), required=False)
    area = forms.ModelChoiceField(
        Area.objects.all(), label=capfirst(_("area")), required=False, empty_label=_("all areas")
    )
    sub_area = forms.ModelChoiceField(
        SubArea.objects.select_related("area"),
        label=capfirst(_("sub area")),
        required=False,
        empty_label=_("all sub areas"),
    )
    place = forms.ChoiceField(label=capfirst(_("location or room")), required=False, widget=PlaceSelect())
    type = forms.ModelChoiceField(
        EventType.objects.all(), label=capfirst(_("type")), required=False, empty_label=_("all types")
    )

    def __init__(self, sent: Any, places: list[VenueColumn], today: dt.date) -> None:
        days = count_by_day()
        language = editor_language()
        chosen = sent if self.base_fields.keys() & sent.keys() else None
        super().__init__(
            chosen,
            auto_id="choice_%s",
            initial={"day": today.isoformat() if today in days else ""},
            label_suffix="",
        )
        self._offer(
            "day",
            _("all days"),
            [(day.isoformat(), capfirst(format_relative_day(day, today, language))) for day in days],
        )
        self._offer("place", _("all places"), [(each.key, each.label) for each in places])
        self._places = {each.key: each.place for each in places}

    def _offer(self, name: str, everything: Any, choices: list[tuple[str, str]]) -> None:
        cast("forms.ChoiceField", self.fields[name]).choices = [("", everything), *choices]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and all(value in {None, ""} for value in cleaned.values()):
            raise ValidationError(_("Choose at least a day, hours, an area, a place or a type."))
        return cleaned

    def find(self) -> list[int]:
        """Return the keys of the occasions chosen, in the order of time; none of what is not understood."""
        if not self.is_valid():
            return []
        occasions = Occasion.objects.with_venue().filter(self._condition()).order_by("start", "end", "id")
        starts = occasions.values_list("pk", "start")
        if not self._has_hours:
            return [key for key, _start in starts]
        festival = festival_time()
        return [key for key, start in starts if self._is_within_hours(start, festival)]

    def _condition(self) -> Q:
        cleaned = self.cleaned_data
        condition = Q()
        if cleaned["area"]:
            condition &= Q(event__area=cleaned["area"])
        if cleaned["sub_area"]:
            condition &= Q(event__sub_area=cleaned["sub_area"])
        if cleaned["type"]:
            condition &= Q(event__type=cleaned["type"])
        if cleaned["place"]:
            condition &= build_condition(self._places[cleaned["place"]])
        if cleaned["day"]:
            first, last = self._window(dt.date.fromisoformat(cleaned["day"]), festival_time())
            condition &= Q(start__gte=first, start__lt=last)
        return condition

    @property
    def _has_hours(self) -> bool:
        return self.cleaned_data["starts_from"] is not None or self.cleaned_data["starts_before"] is not None

    def _window(self, day: dt.date, festival: FestivalTime) -> tuple[dt.datetime, dt.datetime]:
        """Return from when until when occasions of a festival day start: 22:00 to 02:00 is a night."""
        day_begins = dt.time(festival.first_hour)
        clocks = (self.cleaned_data[name] for name in ("starts_from", "starts_before"))
        begins, ends = (day_begins if clock is None else clock for clock in clocks)
        return festival.occasion_span(day, begins, ends)

    def _is_within_hours(self, start: dt.datetime, festival: FestivalTime) -> bool:
        day = festival.day_of(start)
        windows = (self._window(each, festival) for each in (day, day - ONE_DAY))
        return any(first <= start < last for first, last in windows)
