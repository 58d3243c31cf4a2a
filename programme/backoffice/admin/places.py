"""What events refer to: areas, locations and rooms, organizers, types and languages."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from feeds.fact import FactKind
from feeds.facts import facts_of
from programme import models
from programme.backoffice.admin import base
from programme.backoffice.admin.fact_filters import build_filters
from programme.backoffice.admin.facts import HasFacts
from programme.backoffice.editions import list_scopes
from programme.backoffice.forms.formsets import AreaDayForm, UniqueDaysFormSet, UniqueRowsFormSet
from programme.backoffice.forms.location import LocationForm
from programme.backoffice.forms.named import refuse_digits
from programme.backoffice.generics import ModelForm
from programme.backoffice.merging.views import merge_rows
from programme.backoffice.problems.finders import KINDS, LACKING, UNMAPPED
from programme.backoffice.problems.survey import get_survey
from programme.backoffice.suggestions.sending import build_address, open_links
from programme.models.cleaning import clean_line
from programme.models.dates import format_day
from programme.models.event_types import TYPES

# The parameter of the table in which facts are filled in.
FILLS_IN = "fill"
AREA_FIELDS = [
    ("name", "full_name"),
    ("color", "sort_order"),
    ("info_sv", "info_en"),
    ("location_name", "address"),
]


class SubAreaRows(base.BackOfficeInline):
    model = models.SubArea
    formset = UniqueRowsFormSet
    fields = ["name", "full_name", "physical", "color", "sort_order"]
    show_change_link = True


class AreaDayRows(base.BackOfficeInline):
    model = models.AreaDay
    form = AreaDayForm
    formset = UniqueDaysFormSet
    fields = ["date", "opens", "closes", "ticket_opens", "ticket_closes", "title", "price_info"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("day")

    @admin.display(description=_("day"))
    def date(self, area_day: models.AreaDay) -> str:
        return format_day(area_day.day.date)


class StreamRows(base.BackOfficeInline):
    model = models.Stream
    fields = ["name", "url", "source"]


class RoomRows(base.BackOfficeInline):
    model = models.Room
    formset = UniqueRowsFormSet
    facts = tuple(fact.name for fact in facts_of("room"))
    fields = ["name", "floor", "parallel", "accessibility_sv", "accessibility_en", "other_names", *facts]


@admin.register(models.Area)
class AreaAdmin(base.EventCountAdmin):
    events_by = ("area",)
    inlines = [SubAreaRows, AreaDayRows, StreamRows]
    list_display = ["name", "full_name", "event_count", "color", "sort_order"]
    search_fields = base.any_case("name", "full_name")
    fields = [*AREA_FIELDS, ("price", "ticket_url"), "external_url"]

    def get_fields(self, request: HttpRequest, obj: models.Area | None = None) -> Any:
        return [*super().get_fields(request, obj), *(["current"] if list_scopes(request)[1:] else [])]


@admin.register(models.SubArea)
class SubAreaAdmin(base.EventCountAdmin):
    events_by = ("sub_area",)
    inlines = [StreamRows]
    list_display = ["name", "area", "event_count", "physical", "color", "sort_order"]
    list_filter = ["area", "physical"]
    search_fields = base.any_case("name", "full_name", "area__name")
    fields = [("area", "physical"), *AREA_FIELDS, "external_url"]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("area")

    def save_model(self, request: HttpRequest, obj: models.SubArea, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        left = models.Event.objects.filter(sub_area=obj).exclude(area=obj.area)
        moved = left.update(area=obj.area)
        if moved:
            text = ngettext(
                "%(count)d event moved along into %(area)s.",
                "%(count)d events moved along into %(area)s.",
                moved,
            )
            messages.info(request, text % {"count": moved, "area": obj.area})


@admin.register(models.Stream)
class StreamAdmin(base.BackOfficeAdmin):
    list_display = ["name", "source", "area", "sub_area", "url"]
    list_select_related = ["area", "sub_area__area"]
    list_filter = ["source", "area"]
    search_fields = base.any_case("name", "url")
    fields = [("name", "source"), "url", ("area", "sub_area")]


class CoordinatesFilter(admin.SimpleListFilter):
    title = _("coordinates")
    parameter_name, _lacking = LACKING

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(self._lacking, _("lacking, where something is held"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() != self._lacking:
            return queryset
        found = KINDS[UNMAPPED].find(get_survey().programme)
        return queryset.filter(pk__in=[key for problem in found for key in problem.links[0].facts])


@admin.action(description=_("Fill in accessibility …"), permissions=["change"])
def fill_in(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse:  # noqa: ARG001
    """Open the table in which what is known of some places is filled in, and saved as one edit."""
    keys = ",".join(map(str, sorted(queryset.values_list("pk", flat=True))))
    return redirect(f"{request.path}?{urlencode({'pk__in': keys, FILLS_IN: 'on'})}")


class AccessForm(ModelForm):
    """A row of that table, refused where somebody has saved the place since it was shown."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "access" in self.fields:
            self.fields["access"].show_hidden_initial = True

    def clean_access(self) -> str:
        stored = self.instance.access
        if self.has_changed() and self.data.get(self.add_initial_prefix("access")) != stored:
            now = self.fields["access"].describe(stored)  # type: ignore[attr-defined]
            text = _("Somebody has saved this meanwhile: %(now)s. Open it again.")
            raise ValidationError(text % {"now": now})
        return str(self.cleaned_data["access"])


class PlaceList(base.OrderedList):
    """The list of places, and that table."""

    def get_filters_params(self, params: Any = None) -> dict[str, Any]:
        return {name: each for name, each in super().get_filters_params(params).items() if name != FILLS_IN}


@admin.register(models.Location)
class LocationAdmin(HasFacts, base.EventCountAdmin):
    form = LocationForm
    actions = [fill_in, merge_rows]
    events_by = ("occasions__location",)
    inlines = [RoomRows]
    list_display = ["name", "address", "room_count", "event_count", "online", "access"]
    list_editable = ["access"]
    list_filter = ["online", "parallel", CoordinatesFilter, *build_filters("location", FactKind.STATES)]
    search_fields = base.any_case("name", "address", "other_names")
    fields = [
        ("name", "address"),
        ("latitude", "longitude"),
        ("public_transport_station", "online", "parallel"),
        ("accessibility_sv", "accessibility_en"),
        "other_names",
    ]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(rooms_in_all=base.count_of(models.Room, "location"))

    def get_list_display(self, request: HttpRequest) -> Any:
        return ["name", "access"] if FILLS_IN in request.GET else self.list_display[:-1]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return PlaceList

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        return super().get_changelist_form(request, form=AccessForm, **kwargs)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        shown = super().get_changelist_instance(request)
        if FILLS_IN not in request.GET:
            shown.list_editable = ()
        return shown

    @admin.display(description=_("rooms"), ordering="rooms_in_all")
    def room_count(self, location: Any) -> Any:
        address = f"{reverse('admin:programme_room_changelist')}?location__id__exact={location.pk}"
        return format_html('<a href="{}">{}</a>', address, location.rooms_in_all)


@admin.register(models.Room)
class RoomAdmin(HasFacts, base.BackOfficeAdmin):
    """For searching a room and adding one beside an event; rooms are kept with their location."""

    actions = [merge_rows]
    autocomplete_fields = ["location"]
    list_display = ["name", "location", "floor"]
    search_fields = base.any_case("name", "location__name", "other_names")
    fields = [
        *("location", ("name", "floor"), "parallel"),
        *(("accessibility_sv", "accessibility_en"), "other_names"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("location")

    def get_readonly_fields(self, request: HttpRequest, obj: models.Room | None = None) -> list[str]:
        # Occasions name the room and its location.
        return ["location"] if obj else []

    def get_model_perms(self, request: HttpRequest) -> dict[str, bool]:
        return {}


# --- Classification -----------------------------------------------------------------------------


class OrganizerForm(ModelForm):
    def clean_name(self) -> str:
        name: str = clean_line(self.cleaned_data["name"])
        # An import may have brought such a name: its other fields can be edited nevertheless.
        if "name" in self.changed_data:
            refuse_digits(name)
        return name


@admin.register(models.Organizer)
class OrganizerAdmin(base.EventCountAdmin):
    form = OrganizerForm
    actions = [open_links, merge_rows]
    events_by = ("organizer",)
    list_display = ["name", "event_count", "offer_count", "external_url"]
    search_fields = base.any_case("name", "other_names")
    fields = ["name", ("info_sv", "info_en"), ("external_url", "offer_count"), "other_names"]

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        if row := kwargs.get("obj"):
            context["link_page"] = build_address([row.pk])
        return super().render_change_form(request, context, *args, **kwargs)


@admin.register(models.EventType)
class EventTypeAdmin(base.EventCountAdmin):
    actions = [merge_rows]
    events_by = TYPES
    list_display = ["name_sv", "name_en", "event_count", "color", "sort_order"]
    search_fields = base.any_case("name_sv", "name_en", "other_names")
    fields = [("name_sv", "name_en"), ("color", "sort_order"), "other_names"]


@admin.register(models.Language)
class LanguageAdmin(base.EventCountAdmin):
    events_by = ("language",)
    list_display = ["name_sv", "name_en", "code", "event_count"]
    search_fields = base.any_case("name_sv", "name_en", "code")
    fields = ["code", ("name_sv", "name_en")]
