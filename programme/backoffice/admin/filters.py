"""The filters of the lists of events and occasions: links, boxes to type in, and hours."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

import datetime as dt
from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feeds.festival_time import ONE_DAY
from feeds.wording import EN_DASH, format_relative_day
from programme.api.instant import get_instant
from programme.backoffice import schedule
from programme.backoffice.dates import count_by_day
from programme.backoffice.editions import get_scope
from programme.backoffice.forms.base import PlaceSelect
from programme.backoffice.forms.fields import EARLIEST, LATEST, ClockField, EndClockField
from programme.backoffice.timetable.columns import VenueColumn, build_condition, load_columns
from programme.models import Occasion
from programme.models.dates import editor_language
from programme.models.event_types import has_type
from programme.models.festival_time import festival_time
from programme.models.parsing import parse_int

# The parameters of the filter by hours, from and until: when occasions begin, and when they go on.
HOURS = ("starts_from", "starts_before", "on_from", "on_until")


def choose_day(request: HttpRequest) -> dt.date | None:
    """Return the festival day by which a list is filtered."""
    today, value = festival_time().day_of(get_instant(request)), request.GET.get("day", "")
    if found := {"today": today, "tomorrow": today + ONE_DAY}.get(value):
        return found
    try:
        day = dt.date.fromisoformat(value)
    except ValueError:
        return None
    return day if EARLIEST.year <= day.year <= LATEST.year else None


def find_nothing(request: HttpRequest, rows: QuerySet[Any], title: Any, value: str) -> QuerySet[Any]:
    """Return no rows, as an address asks for what cannot be chosen, and say so."""
    asked = {"field": capfirst(title), "typed": value}
    messages.error(request, _("%(field)s “%(typed)s” is none of the choices.") % asked)
    return rows.none()


class ChoiceFilter(admin.SimpleListFilter):
    """A filter by one of its choices. A value that is none of them finds nothing, instead of everything."""

    def has_output(self) -> bool:
        return bool(self.value()) or super().has_output()

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        if not value:
            return queryset
        if value not in dict(self.lookup_choices):
            return find_nothing(request, queryset, self.title, value)
        return self.narrow(request, queryset)

    def narrow(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        raise NotImplementedError


class DayFilter(ChoiceFilter):
    """By festival day: today, tomorrow, later days that have an occasion, and, folded away, earlier ones.

    The day of an address is also a choice where it has no occasion.
    """

    title = gettext_lazy("festival day")
    parameter_name = "day"
    template = "admin/programme/day_filter.html"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        festival = festival_time()
        today = festival.day_of(get_instant(request))
        days = [*count_by_day(get_scope(request).occasions)]
        if chosen := choose_day(request):
            days = sorted({*days, chosen})
            known = {today: "today", today + ONE_DAY: "tomorrow"}
            self.used_parameters[self.parameter_name] = known.get(chosen, chosen.isoformat())
        self.earlier = [day.isoformat() for day in days if day < today]
        ordered = [*(day for day in days if day > today + ONE_DAY), *(day for day in days if day < today)]
        language = editor_language()
        return [
            ("today", capfirst(format_relative_day(today, today, language))),
            ("tomorrow", capfirst(format_relative_day(today + ONE_DAY, today, language))),
            *((day.isoformat(), capfirst(format_relative_day(day, today, language))) for day in ordered),
        ]

    def choices(self, changelist: Any) -> Iterator[Any]:
        keys = ["", *(key for key, _label in self.lookup_choices)]
        for key, choice in zip(keys, super().choices(changelist), strict=True):
            yield choice | {"is_earlier": key in self.earlier}

    def narrow(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        day = choose_day(request)
        # The hours of a day are the other filter's, also those that are past its end.
        if day is None or any(request.GET.get(name) for name in HOURS):
            return queryset
        festival = festival_time()
        begins, ends = festival.day_begins(day), festival.day_begins(day + ONE_DAY)
        held = Q(start__gte=begins, start__lt=ends)
        if queryset.model is Occasion:
            return queryset.filter(held)
        return queryset.filter(pk__in=Occasion.objects.filter(held).order_by().values("event"))


class TypeFilter(admin.RelatedFieldListFilter):
    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        keys = [parse_int(each) for each in self.lookup_val or ()]
        if not keys or None in keys:
            return super().queryset(request, queryset)
        return queryset.filter(has_type(keys, self.field_path.removesuffix("type")))


class PlanFilter(ChoiceFilter):
    """By what is planned, for which moment: not there while nothing is."""

    title = gettext_lazy("planned")
    parameter_name = "plan"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        self.waiting = {each.key: each for each in schedule.load_waiting()}
        return [(key, f"{each.description} ({each.total})") for key, each in self.waiting.items()]

    def narrow(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        due, status, missed, *_one = self.waiting[str(self.value())]
        return queryset.filter(plan__due=due, plan__status=status, plan__missed=missed)


class TypedFilter(admin.ListFilter):
    """A form of its own in the panel of filters, which sends along what else is chosen."""

    template = "admin/programme/typed_filter.html"
    parameters: tuple[str, ...] = ()
    kind = ""

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
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


class PlaceFilter(TypedFilter):
    """What is held in a location or a room of it; nowhere also events without an occasion.

    It is a box with all places, in which the script lets people type.
    """

    title, parameters, kind = gettext_lazy("location or room"), ("place",), "box-filter"

    @property
    def value(self) -> str:
        return str(self.used_parameters.get("place", ""))

    @cached_property
    def columns(self) -> list[VenueColumn]:
        """What can be chosen; loaded where it is shown, or one is."""
        return load_columns()

    @property
    def box(self) -> SafeString:
        widget = PlaceSelect()
        widget.choices = [("", _("all places")), *((each.key, each.label) for each in self.columns)]
        return widget.render("place", self.value, {"id": "filter_place", "aria-label": self.title})

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.value:
            return queryset
        places = {each.key: each.place for each in self.columns}
        if self.value not in places:
            return find_nothing(request, queryset, self.title, self.value)
        place = places[self.value]
        found = Occasion.objects.filter(build_condition(place)).order_by()
        if queryset.model is Occasion:
            return queryset.filter(pk__in=found.values("pk"))
        held = Q(pk__in=found.values("event"))
        without = ~Exists(Occasion.objects.filter(event=OuterRef("pk")))
        return queryset.filter(held if place else held | Q(without))


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
        """What is chosen, for its chip: `Goes on 15–20`."""
        typed = [str(self.used_parameters.get(name, "")) for name in HOURS]
        pairs = (_("Starts"), *typed[:2]), (_("Goes on"), *typed[2:])
        return ", ".join(f"{word} {first}{EN_DASH}{last}" for word, first, last in pairs if first or last)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not any(self.used_parameters.values()):
            return queryset
        if self.form.errors:
            for name, errors in self.form.errors.items():
                typed = {"field": self.form[name].label, "typed": self.used_parameters[name]}
                messages.error(request, f"{_('%(field)s “%(typed)s”:') % typed} {errors[0]}")
            return queryset.none()
        day, around = choose_day(request), Q()
        if day:
            begins, ends = (festival_time().day_begins(each) for each in (day, day + 2 * ONE_DAY))
            around = Q(start__lt=ends, end__gte=begins)
        rows = Occasion.objects.filter(around).order_by().values_list("pk", "event", "start", "end")
        # Wall-clock times of a festival day are no column: they are compared in memory.
        found = [row[:2] for row in rows if self._is_within(row[2], row[3], day)]
        is_own = queryset.model is Occasion
        return queryset.filter(pk__in={key if is_own else event for key, event in found})

    def _is_within(self, start: dt.datetime, end: dt.datetime, day: dt.date | None) -> bool:
        first, last = festival_time().day_of(start) - ONE_DAY, festival_time().day_of(end)
        days = [day] if day else [first + number * ONE_DAY for number in range((last - first).days + 1)]
        return any(self._is_on(start, end, each) for each in days)

    def _is_on(self, start: dt.datetime, end: dt.datetime, day: dt.date) -> bool:
        begins, goes_on = self._find_span(day, *HOURS[:2]), self._find_span(day, *HOURS[2:])
        if begins and not begins[0] <= start < begins[1]:
            return False
        return goes_on is None or (start < goes_on[1] and (end > goes_on[0] or start >= goes_on[0]))

    def _find_span(self, day: dt.date, *names: str) -> tuple[dt.datetime, dt.datetime] | None:
        """Return from when until when hours of a day are, None where none are chosen."""
        festival, (begins, ends) = festival_time(), (self.hours[name] for name in names)
        if begins is None and ends is None:
            return None
        first = festival.day_begins(day) if begins is None else festival.instant_of_day(day, begins)
        return first, festival.day_begins(day + ONE_DAY) if ends is None else festival.end_after(first, ends)
