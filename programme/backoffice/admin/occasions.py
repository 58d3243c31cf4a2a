"""Occasions: their own list, and the rows in the form of an event."""
# ruff: noqa: ARG002 - Django's hooks define the arguments

from typing import Any
from urllib.parse import quote

from django.contrib import admin
from django.contrib.admin.options import IS_POPUP_VAR
from django.db.models import BooleanField, ExpressionWrapper, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from feeds.fact import FactKind
from feeds.facts import facts_of
from feeds.marks import MARKING
from feeds.vocabulary import Text
from programme.backoffice.admin import actions
from programme.backoffice.admin.base import BackOfficeInline, any_case
from programme.backoffice.admin.fact_filters import build_filters
from programme.backoffice.admin.facts import show_in_words
from programme.backoffice.admin.filters import DayFilter, HoursFilter, PlaceFilter, TypeFilter
from programme.backoffice.admin.programme_list import ProgrammeAdmin, show_state
from programme.backoffice.admin.quick_facts import QuickFacts, build_quick_column
from programme.backoffice.forms.formsets import UniqueOccasionsFormSet
from programme.backoffice.forms.named import find_makeable
from programme.backoffice.forms.occasion import OccasionForm, OccasionTimesMixin
from programme.backoffice.forms.quick_facts import list_chosen_marks, read_chosen
from programme.backoffice.problems.problem import name_row_field
from programme.changes.rights import EventState, Verb, rights_of
from programme.models import Event, News, NewsKind, Occasion
from programme.models.dates import editor_language

# What stands in the line of a row, and what is used rarely.
LINE = ["day", "start_time", "end_time", "place", "booking"]
MORE = ["end_date", "stream", "booking_url", "booking_from", "access"]
# At its end, of what is stored; and the line of what is read only.
CANCELLED, READ = "cancelled", ["day", "time", "place", "booking", "cancelled"]


class OccasionRows(OccasionTimesMixin, BackOfficeInline):
    """The occasions of an event, as a table with actions on those that are ticked."""

    model = Occasion
    template = "admin/programme/event/occasions.html"
    form = OccasionForm
    formset = UniqueOccasionsFormSet
    fields = [*LINE, *MORE, CANCELLED]
    autocomplete_fields = ["stream"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Occasion]:
        return super().get_queryset(request).select_related("location", "room__location", "stream")

    def get_fieldsets(self, request: HttpRequest, obj: Event | None = None) -> Any:
        if self.has_change_permission(request, obj):
            return [(None, {"fields": LINE}), (_("More"), {"fields": MORE})]
        fixed = {show.__name__: show for show in self.get_readonly_fields(request, obj)}
        line, more = ([fixed.get(name, name) for name in names] for names in (READ, MORE[1:]))
        return [(None, {"fields": line}), (_("More"), {"fields": more})]

    def get_readonly_fields(self, request: HttpRequest, obj: Event | None = None) -> Any:
        if self.has_change_permission(request, obj):
            return []
        return [show_in_words(Occasion._meta.get_field(fact.name)) for fact in facts_of("occasion")]

    def get_formset(self, request: HttpRequest, obj: Event | None = None, **kwargs: Any) -> Any:
        formset: Any = super().get_formset(request, obj, **{"fields": self.fields} | kwargs)
        formset.form.may_make = find_makeable(request.user)
        return formset

    def get_extra(self, request: HttpRequest, obj: Event | None = None, **kwargs: Any) -> int:
        return 0 if getattr(obj, "occasions_in_all", 0) else 1

    def has_add_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        return self._allows("add", request, obj) and super().has_add_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        return self._allows("change", request, obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        return self._allows("delete", request, obj) and super().has_delete_permission(request, obj)

    def _allows(self, verb: Verb, request: HttpRequest, event: Event | None) -> bool:
        return event is None or rights_of(request.user).can_in_state(verb, Occasion, EventState.of(event))


@admin.register(Occasion)
class OccasionAdmin(OccasionTimesMixin, ProgrammeAdmin):
    """The list of occasions. Each is edited in its event's form, to whose row its address leads."""

    feature_classes = [*ProgrammeAdmin.feature_classes, QuickFacts]
    list_display = ["event", "day", "time", "area", "place", "state"]
    list_filter = [
        *(DayFilter, HoursFilter, PlaceFilter, "event__area", "event__status", "cancelled"),
        *build_filters("occasion", FactKind.ONE),
        ("event__type", TypeFilter),
        *build_filters("event", FactKind.SEVERAL, "event__"),
    ]
    search_fields = [*any_case("event__title", "event__organizer__name", "location__name"), "=id"]
    search_help_text = _("Words, name or ID")
    ordering = ["start", "end", "id"]
    actions = actions.of_occasions

    def get_queryset(self, request: HttpRequest) -> QuerySet[Occasion]:
        occasions = super().get_queryset(request)
        own: Any = occasions.select_related("location", "room__location", "stream")
        # Not why it was cancelled if it is held, and not why it is held if it is cancelled.
        untrue = Q(kind=NewsKind.CANCELLED, is_off=False) | Q(kind=NewsKind.REINSTATED, is_off=True)
        is_off = ExpressionWrapper(OuterRef("cancelled"), BooleanField())
        told = News.objects.filter(occasion_id=OuterRef("pk")).annotate(is_off=is_off).exclude(untrue)
        notes = {name: latest_news(told, name) for name in ("note_sv", "note_en")}
        found: QuerySet[Occasion] = own.select_related("event__area", "event__plan").annotate(**notes)
        return found

    def get_list_display(self, request: HttpRequest) -> Any:
        columns = super().get_list_display(request)
        return columns if IS_POPUP_VAR in request.GET else [*columns, build_quick_column(request)]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return super().changelist_view(request, {"has_add_permission": False} | (extra_context or {}))

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *_args: Any, **_kw: Any
    ) -> Any:
        if object_id is None:
            return redirect("admin:programme_event_add")
        occasion = self.get_object(request, object_id)
        if occasion is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        query = request.GET.copy()
        query["occasion"] = str(occasion.pk)
        rows = list(occasion.event.occasions.order_by("start", "end", "id").values_list("pk", flat=True))
        field = name_row_field(rows.index(occasion.pk), (query.pop("field", None) or ["day"])[0])
        form = reverse("admin:programme_event_change", args=[occasion.event_id])
        return redirect(f"{form}?{query.urlencode('/')}#id_{quote(field)}")

    @admin.display(description=_("area"), ordering="event__area")
    def area(self, occasion: Occasion) -> Any:
        return occasion.event.area.name

    @admin.display(description=_("status"), ordering="event__status")
    def state(self, occasion: Any) -> str:
        marks = list_chosen_marks(read_chosen(occasion))
        state = show_state(occasion.event, *marks, cancelled=occasion.cancelled)
        note = Text(occasion.note_sv or "", occasion.note_en or "").within(editor_language())
        return format_html('{}<span class="note">{}</span>', state, note) if note else state


def latest_news(told: QuerySet[News], column: str) -> Subquery:
    """Return a column of what readers were last told."""
    return Subquery(told.filter(kind__in=MARKING).order_by("-told_at").values(column)[:1])
