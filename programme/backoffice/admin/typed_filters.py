"""The filters of lists by what is typed or found in a box: location or room, and hours."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

import datetime as dt
from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feeds.festival_time import ONE_DAY, FestivalTime
from feeds.wording import EN_DASH, format_clock
from programme.backoffice.dates import HOURS, choose_day
from programme.backoffice.forms.base import PlaceSelect
from programme.backoffice.forms.fields import ClockField, EndClockField
from programme.backoffice.timetable.columns import VenueColumn, build_condition, load_columns
from programme.models import Occasion, SubArea
from programme.models.festival_time import festival_time
from programme.models.parsing import parse_int


class TypedFilter(admin.ListFilter):
    """A form of its own in the panel of filters, which sends along what else is chosen."""

    template = "admin/programme/typed_filter.html"
    parameters: tuple[str, ...] = ()
    kind = ""

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        self.request = request
        # As Django's own filters keep it: the last one.
        self.used_parameters = {name: params.pop(name)[-1] for name in self.parameters if name in params}

    def expected_parameters(self) -> list[str | None]:
        return [*self.parameters]

    def has_output(self) -> bool:
        return True

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Yield what else is chosen, which the form sends along."""
        for name, values in changelist.filter_params.items():
            if name not in self.parameters:
                yield from ((name, value) for value in values)
        self.without = changelist.get_query_string(remove=self.parameters)


class BoxFilter(TypedFilter):
    """A box with all that can be chosen, in which the script lets people type."""

    kind = "box-filter"
    everything: Any = ""

    @property
    def value(self) -> str:
        return str(self.used_parameters.get(self.parameters[0], ""))

    @property
    def options(self) -> list[tuple[Any, Any]]:
        raise NotImplementedError

    @property
    def box(self) -> SafeString:
        [name] = self.parameters
        widget = PlaceSelect()
        widget.choices = [("", self.everything), *self.options]
        return widget.render(name, self.value, {"id": f"filter_{name}", "aria-label": self.title})


class PlaceFilter(BoxFilter):
    """What is held in a location or a room of it; nowhere also events without an occasion."""

    title, everything = gettext_lazy("location or room"), gettext_lazy("all places")
    parameters = ("place",)

    @cached_property
    def columns(self) -> list[VenueColumn]:
        """What can be chosen; loaded where it is shown, or one is."""
        return load_columns()

    @property
    def options(self) -> list[tuple[Any, Any]]:
        return [(each.key, each.label) for each in self.columns]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        places = {each.key: each.place for each in self.columns} if self.value else {}
        if self.value not in places:
            return queryset
        place = places[self.value]
        found = Occasion.objects.filter(build_condition(place)).order_by()
        if queryset.model is Occasion:
            return queryset.filter(pk__in=found.values("pk"))
        held = Q(pk__in=found.values("event"))
        without = ~Exists(Occasion.objects.filter(event=OuterRef("pk")))
        return queryset.filter(held if place else held | Q(without))


class SubAreaFilter(BoxFilter):
    """Occasions by the sub area of their event."""

    title, everything = gettext_lazy("sub area"), gettext_lazy("all sub areas")
    parameters = ("sub_area_id",)

    @property
    def options(self) -> list[tuple[Any, Any]]:
        return [(each.pk, str(each)) for each in SubArea.objects.select_related("area")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        key = parse_int(self.value)
        return queryset if key is None else queryset.filter(event__sub_area=key)


class HoursForm(forms.Form):
    starts_from = ClockField(label=gettext_lazy("Starts from"), required=False)
    starts_before = EndClockField(label=gettext_lazy("and before"), required=False)
    on_from = ClockField(label=gettext_lazy("Goes on from"), required=False)
    on_until = EndClockField(label=gettext_lazy("and until"), required=False)


class HoursFilter(TypedFilter):
    """What begins or goes on at some hours of the festival day that is chosen, or of any."""

    title, parameters, kind = gettext_lazy("hours"), HOURS, "hours-filter"

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.form = HoursForm(self.used_parameters, auto_id="filter_%s", label_suffix="")
        self.hours = self.form.cleaned_data if self.form.is_valid() else {}

    @property
    def chosen(self) -> str:
        """What is chosen, for its chip: `Goes on 15:00–20:00`."""
        pairs = ((_("Starts"), *HOURS[:2]), (_("Goes on"), *HOURS[2:]))
        typed = ((word, self._format(first), self._format(last)) for word, first, last in pairs)
        return ", ".join(f"{word} {first}{EN_DASH}{last}" for word, first, last in typed if first or last)

    def _format(self, name: str) -> str:
        found = self.hours.get(name)
        return format_clock(dt.datetime.combine(dt.date.min, found)) if found is not None else ""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not any(self.used_parameters.values()):
            return queryset
        if self.form.errors:
            return queryset.none()
        festival, day = festival_time(), choose_day(request)
        around = Q()
        if day:
            last = festival.day_begins(day + 2 * ONE_DAY)
            around = Q(start__lt=last, end__gte=festival.day_begins(day))
        rows = Occasion.objects.filter(around).order_by().values_list("pk", "event", "start", "end")
        # Wall-clock times of a festival day are no column: they are compared in memory.
        found = [row[:2] for row in rows if self._is_within(row[2], row[3], day, festival)]
        is_own = queryset.model is Occasion
        return queryset.filter(pk__in={key if is_own else event for key, event in found})

    def _is_within(
        self, start: dt.datetime, end: dt.datetime, day: dt.date | None, festival: FestivalTime
    ) -> bool:
        first, last = festival.day_of(start) - ONE_DAY, festival.day_of(end)
        days = [day] if day else [first + number * ONE_DAY for number in range((last - first).days + 1)]
        return any(self._is_on(start, end, each, festival) for each in days)

    def _is_on(self, start: dt.datetime, end: dt.datetime, day: dt.date, festival: FestivalTime) -> bool:
        begins, goes_on = (self._find_span(names, day, festival) for names in (HOURS[:2], HOURS[2:]))
        if begins and not begins[0] <= start < begins[1]:
            return False
        return goes_on is None or (start < goes_on[1] and (end > goes_on[0] or start >= goes_on[0]))

    def _find_span(
        self, names: tuple[str, ...], day: dt.date, festival: FestivalTime
    ) -> tuple[dt.datetime, dt.datetime] | None:
        """Return from when until when hours of a day are, None where none are chosen."""
        begins, ends = (self.hours[name] for name in names)
        if begins is None and ends is None:
            return None
        first = festival.day_begins(day) if begins is None else festival.instant_of_day(day, begins)
        return first, festival.day_begins(day + ONE_DAY) if ends is None else festival.end_after(first, ends)
