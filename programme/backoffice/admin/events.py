"""Events with their occasions."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.options import IS_POPUP_VAR
from django.contrib.admin.utils import flatten, flatten_fieldsets
from django.db.models import CharField, Max, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Concat
from django.forms import Script
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from feeds.fact import FactKind
from programme.api.instant import get_instant
from programme.backoffice import schedule
from programme.backoffice.admin import actions
from programme.backoffice.admin.base import any_case, count_of, fold, group
from programme.backoffice.admin.duplicates import Duplication
from programme.backoffice.admin.fact_filters import build_filters
from programme.backoffice.admin.facts import HasFacts
from programme.backoffice.admin.filters import DayFilter, HoursFilter, PlaceFilter, PlanFilter, TypeFilter
from programme.backoffice.admin.occasions import OccasionRows, latest_news
from programme.backoffice.admin.permissions import EditOffers
from programme.backoffice.admin.programme_list import ProgrammeAdmin, show_state
from programme.backoffice.admin.warnings import Warnings
from programme.backoffice.changes.messages import say_instead
from programme.backoffice.dates import format_day_and_time, format_moment
from programme.backoffice.export import Export
from programme.backoffice.forms.event import WholeEventForm
from programme.backoffice.forms.places import name_place
from programme.backoffice.forms.schedule import MOMENT
from programme.backoffice.forms.series import SeriesForm
from programme.backoffice.news.forgetting import forget_told
from programme.backoffice.pictures import Pictures
from programme.changes.rights import rights_of
from programme.models import Day, Event, News, Occasion, Status
from programme.models.event_types import FURTHER_TYPES
from programme.models.events import INTERNAL
from programme.models.name_order import InOrder
from programme.models.occasions import is_event_cancelled

# By area, then by sub area. The names are of a field class of their own, and a mixture has no type by itself.
PLACE_ORDER = InOrder(Concat("area__name", Value(" "), "sub_area__name", output_field=CharField()))
FEATURES = (Warnings, Duplication, Export, EditOffers, Pictures)


@admin.register(Event)
class EventAdmin(HasFacts, ProgrammeAdmin):
    feature_classes = [*ProgrammeAdmin.feature_classes, *FEATURES]
    form = WholeEventForm
    inlines = [OccasionRows]

    class Media:
        js = [
            Script("programme/scheduling.js", type="module"),
            Script("programme/focal-point.js", type="module"),
            Script("programme/occasions.js", type="module"),
            Script("programme/ticks.js", type="module"),
        ]

    related_links = False
    autocomplete_fields = ["organizer"]
    list_display = ["title", "whole_area", "type", "state", "first_occasion", "occasion_count", "changed"]
    list_filter = [
        *(DayFilter, HoursFilter, PlaceFilter, PlanFilter, "status", "area", ("type", TypeFilter)),
        *build_filters("event", FactKind.ONE),
        *build_filters("event", FactKind.SEVERAL),
        *("language", "highlighted"),
    ]
    search_fields = [*any_case("title", "organizer__name", "occasions__location__name"), "=id"]
    search_help_text = _("Words, name or ID")
    actions = [*actions.of_events, actions.export_xlsx, actions.export_csv]
    readonly_fields = ["readers_see", "published_at", "last_modified", "source", "source_id"]
    # In the order in which a producer writes; a group of the class `collapse` is folded.
    fieldsets = [
        group(None, ("title", "area", "sub_area"), classes=["naming"]),
        group(
            _("Short text and image"),
            ("intro_sv", "intro_en"),
            ("image", "image_alt"),
            classes=["focal-point"],
        ),
        group(_("About the event"), ("organizer", "type", "price"), "audience"),
        fold(_("Long text"), ("description_sv", "description_en")),
        fold(
            _("Caption and focal point of the image"),
            *(("image_caption", "image_url"), ("image_focus_x", "image_focus_y")),
        ),
        fold(_("Tickets and links"), ("ticket_url", "external_url", "production")),
        fold(
            _("Language and further types"), ("language", "highlighted"), FURTHER_TYPES[:3], FURTHER_TYPES[3:]
        ),
    ]
    facts_above = ("audience",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        events: QuerySet[Event] = super().get_queryset(request)
        first = Occasion.objects.filter(event=OuterRef("pk")).order_by("start").values("start")[:1]
        return events.select_related(*("area", "sub_area__area", "type", "organizer", "plan")).annotate(
            first_start=Subquery(first),
            occasions_in_all=count_of(Occasion, "event"),
            is_cancelled=is_event_cancelled(get_instant(request)),
            told_at=latest_news(News.objects.filter(event_id=OuterRef("pk")), "told_at"),
        )

    def get_fieldsets(self, request: HttpRequest, obj: Event | None = None) -> Any:
        *fieldsets, (heading, facts) = super().get_fieldsets(request, obj)
        groups = [*fieldsets, (heading, {**facts, "classes": ["collapse"]})]
        if obj is None or rights_of(request.user).can("change", obj):
            groups.append(fold(_("Internal"), INTERNAL[0], INTERNAL[1:]))
        found = [_name_stated(name, options, obj) for name, options in groups]
        history = fold(_("History"), ("published_at", "last_modified"), ("source", "source_id"))
        return [*found, history] if obj else found

    def lookup_allowed(self, lookup: str, value: str, request: Any = None) -> bool:
        """Refuse addresses that would tell of what is internal."""
        return not lookup.startswith(INTERNAL) and super().lookup_allowed(lookup, value, request)

    # --- What is offered to whom ----------------------------------------------------------------

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and rights_of(request.user).can_add_event()

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        if rights_of(request.user).can_publish:
            # It stands beside the button that saves, in no fieldset.
            fields = kwargs.get("fields") or flatten_fieldsets(self.get_fieldsets(request, obj))
            kwargs["fields"] = [*fields, "status"]
        return super().get_form(request, obj, change, **kwargs)

    def _create_formsets(self, request: HttpRequest, obj: Any, change: bool) -> Any:
        formsets, inlines = super()._create_formsets(request, obj, change)  # type: ignore[misc]
        # What its form says of its publication depends on its occasions.
        obj.sent_rows = next((each for each in formsets if each.model is Occasion), None)
        return formsets, inlines

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "area":
            kwargs["queryset"] = rights_of(request.user).assignable_areas()
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if db_field.name == "sub_area":
            field.queryset = rights_of(request.user).assignable_sub_areas()
        return field

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Fill in the area of an editor who has one only."""
        areas = rights_of(request.user).areas or frozenset()
        only: dict[str, Any] = {"area": next(iter(areas))} if len(areas) == 1 else {}
        return only | super().get_changeform_initial_data(request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if request.GET.get("model_name") == "occasion" and request.GET.get("field_name") == "event":
            queryset = rights_of(request.user).filter_events_for_occasions(queryset)
        return super().get_search_results(request, queryset, search_term)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        form = context["adminform"].form
        if form.is_bound and "status" in form.fields:
            # One that was refused is not the event's.
            form.instance.status = form.initial.get("status", Status.DRAFT)
        context["state_words"] = show_state(form.instance, cancelled=False)
        context["series"] = SeriesForm(auto_id="series-%s")
        # A row that is added is not after it.
        context["last_day"] = Day.objects.aggregate(last=Max("date"))["last"]
        if form.instance.pk and IS_POPUP_VAR not in request.GET:
            rows = [each for each in context["inline_admin_formsets"] if each.has_change_permission]
            stored = [form.instance for each in rows for form in each.formset.initial_forms]
            context["changes_ticked"] = actions.TICKED if stored else {}
            context["reinstates"] = any(occasion.cancelled for occasion in stored)
        return super().render_change_form(request, context, *args, **kwargs)

    # --- Saving ---------------------------------------------------------------------------------

    def save_model(self, request: HttpRequest, obj: Event, form: WholeEventForm, change: bool) -> None:
        # A plan alone is as invisible to readers as a draft.
        if not (change and form.changed_data and set(form.changed_data) <= set(MOMENT)):
            super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        event = form.instance
        rows = [each.instance for formset in formsets for each in formset.forms if each.is_made]
        for name in dict.fromkeys(name_place(each.location, each.room) for each in rows):
            messages.warning(request, _("New place: %(name)s.") % {"name": name})
        if form.plans:
            status = Status.DRAFT if event.status == Status.PUBLISHED else Status.PUBLISHED
            if form.due and status == Status.PUBLISHED and not event.occasions.exists():
                messages.warning(request, _("What has no occasion by then is not published."))
            schedule.plan(Event.objects.filter(pk=event.pk), status, form.due, request.user)
            what = schedule.describe(form.due, status) or _("nothing is planned any more")
            say_instead(request, f"{event}: {what}.")
        if event.status == Status.PUBLISHED and not event.occasions.exists():
            messages.warning(request, _("Readers do not see the event before it has an occasion."))

    def delete_model(self, request: HttpRequest, obj: Event) -> None:
        forget_told(request, [obj.pk])
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        forget_told(request, list(queryset.values_list("pk", flat=True)))
        super().delete_queryset(request, queryset)

    # --- Columns --------------------------------------------------------------------------------

    @admin.display(description=_("area"), ordering=PLACE_ORDER)
    def whole_area(self, event: Event) -> str:
        return str(event.sub_area or event.area)

    @admin.display(description=_("status"), ordering="status")
    def state(self, event: Any) -> str:
        # One that is being added has no occasions yet.
        return show_state(event, cancelled=getattr(event, "is_cancelled", False))

    @admin.display(description=_("first occasion"), ordering="first_start", empty_value="")
    def first_occasion(self, event: Any) -> str | None:
        return format_day_and_time(event.first_start) if event.first_start else None

    @admin.display(description=_("occasions"), ordering="occasions_in_all")
    def occasion_count(self, event: Any) -> Any:
        return event.occasions_in_all

    @admin.display(description=_("changed"), ordering="told_at", empty_value="")
    def changed(self, event: Any) -> str | None:
        return format_moment(event.told_at) if event.told_at else None


def _name_stated(name: Any, options: dict[str, Any], event: Event | None) -> tuple[Any, dict[str, Any]]:
    """Return a group; the heading of one that is folded names the fields that are stated."""
    if "collapse" not in options.get("classes", ()):
        return name, options
    names, default, own = {*flatten(options["fields"])}, Event(), event or Event()
    fields = [each for each in Event._meta.concrete_fields if each.name in names]
    stated = [each for each in fields if each.value_from_object(own) != each.value_from_object(default)]
    named = ", ".join(str(each.verbose_name) for each in stated)
    return format_html('{} <span class="small quiet">{}</span>', name, named), {**options}
