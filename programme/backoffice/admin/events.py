"""Events with their occasions."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Concat
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext_lazy as _

from programme.api.instant import get_instant
from programme.backoffice.admin import actions, bulk_edit, duplicates
from programme.backoffice.admin.base import BackOfficeAdmin, any_case, count_of
from programme.backoffice.admin.duplicates import DuplicateMixin
from programme.backoffice.admin.event_permissions import EventPermissionsMixin
from programme.backoffice.admin.occasion_rows import PLACE, OccasionRows
from programme.backoffice.admin.permissions import RightsMixin, require_saved_occasion, require_saved_step
from programme.backoffice.admin.previews import PreviewMixin
from programme.backoffice.admin.warnings import WarningsMixin
from programme.backoffice.dates import (
    DayFilter,
    OccasionDayFilter,
    format_date_and_time,
    format_day_and_time,
    format_times,
)
from programme.backoffice.exports import page
from programme.backoffice.exports.actions import export_csv, export_xlsx
from programme.backoffice.forms.event import EventForm
from programme.backoffice.forms.occasion import OccasionForm, OccasionTimesMixin
from programme.backoffice.imports.filters import EditFilter
from programme.backoffice.restore.permissions import RestorePermissionsMixin
from programme.backoffice.timetable.links import redirect_to_timetable
from programme.history.timeline import Names, title_of
from programme.models import Event, Occasion, Status
from programme.models.venue import find_place


@admin.register(Event)
class EventAdmin(
    WarningsMixin,
    PreviewMixin,
    DuplicateMixin,
    RestorePermissionsMixin,
    EventPermissionsMixin,
    BackOfficeAdmin,
):
    form = EventForm
    inlines = [OccasionRows]

    class Media:
        # Django takes one definition of those that are inherited.
        js = [*WarningsMixin.Media.js, "programme/focal-point.js"]

    save_on_top = True
    autocomplete_fields = ["organizer", "location", "room"]
    list_display = [
        "title",
        "area_and_sub_area",
        "type",
        "state",
        "first_occasion",
        "occasion_count",
        "changed",
    ]
    list_filter = [
        DayFilter,
        EditFilter,
        "status",
        "area",
        "type",
        "language",
        "highlighted",
        "cancelled",
        "sign_interpreted",
    ]
    search_fields = [*any_case("title", "organizer__name", "location__name"), "=id"]
    search_help_text = _("Title, organizer, location or ID")
    actions = [
        actions.publish,
        actions.withdraw,
        actions.cancel_events,
        actions.reinstate_events,
        actions.highlight,
        actions.remove_highlight,
        actions.mark_changed,
        export_xlsx,
        export_csv,
        bulk_edit.change_events,
        duplicates.duplicate,
        duplicates.duplicate_without_occasions,
    ]
    readonly_fields = ["state", "changed_at", "published_at", "last_modified", "source", "source_id"]
    changes = (_("Changes"), {"fields": [("change_info", "mark_changed")]})
    only_read = (_("Changes"), {"fields": ["change_info"]})
    fieldsets = [
        (
            None,
            {
                "fields": [
                    "title",
                    ("state", "type"),
                    ("area", "sub_area"),
                    ("organizer", "language"),
                    ("location", "room"),
                    ("highlighted", "sign_interpreted", "cancelled"),
                ]
            },
        ),
        (
            _("Texts"),
            {"fields": [("intro_sv", "intro_en"), ("description_sv", "description_en")]},
        ),
        changes,
        (
            _("Image"),
            {
                "classes": ["focal-point"],
                "fields": [("image", "image_url"), "image_caption", ("image_focus_x", "image_focus_y")],
            },
        ),
        (_("Tickets and links"), {"fields": [("price", "production"), ("ticket_url", "external_url")]}),
    ]
    history = (
        _("History"),
        {
            "classes": ["collapse"],
            "fields": [("changed_at", "published_at", "last_modified"), ("source", "source_id")],
        },
    )

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(lambda request: page.show_export_page(request, self.admin_site))
        return [path("export/", view, name="programme_event_export"), *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        first = Occasion.objects.filter(event=OuterRef("pk")).order_by("start").values("start")[:1]
        return (
            super()
            .get_queryset(request)
            .select_related("area", "sub_area__area", "type", "organizer", "location", "room__location")
            .annotate(first_start=Subquery(first), occasions_in_all=count_of(Occasion, "event"))
        )

    def get_fieldsets(self, request: HttpRequest, obj: Event | None = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        if obj and not self.has_change_permission(request, obj):
            fieldsets = [self.only_read if part == self.changes else part for part in fieldsets]
        return [*fieldsets, self.history] if obj else fieldsets

    def save_model(self, request: HttpRequest, obj: Event, form: EventForm, change: bool) -> None:
        require_saved_step(request, obj)
        # Rows edited in a list have no tick for it.
        if getattr(form, "marks_changed", False):
            obj.changed_at = get_instant(request)
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        event = form.instance
        if event.status == Status.PUBLISHED and not event.occasions.exists():
            messages.warning(request, _("Readers do not see the event before it has an occasion."))
        elif change and "status" in form.changed_data:
            shown = event.status == Status.PUBLISHED
            messages.success(request, _("Readers see it now.") if shown else _("Readers do not see it now."))

    @admin.display(description=_("area"), ordering=Concat("area__name", Value(" "), "sub_area__name"))
    def area_and_sub_area(self, event: Event) -> str:
        return str(event.sub_area or event.area)

    @admin.display(description=_("status"), ordering="status")
    def state(self, event: Event) -> str:
        return _state(event, cancelled=event.cancelled)

    @admin.display(description=_("first occasion"), ordering="first_start", empty_value="")
    def first_occasion(self, event: Any) -> str | None:
        return event.first_start and format_day_and_time(event.first_start)

    @admin.display(description=_("occasions"), ordering="occasions_in_all")
    def occasion_count(self, event: Any) -> int:
        return event.occasions_in_all

    @admin.display(description=_("changed"), ordering="changed_at", empty_value="")
    def changed(self, event: Event) -> str | None:
        return event.changed_at and format_date_and_time(event.changed_at)


@admin.register(Occasion)
class OccasionAdmin(OccasionTimesMixin, RestorePermissionsMixin, RightsMixin, BackOfficeAdmin):
    form = OccasionForm
    autocomplete_fields = ["event", *PLACE]
    list_display = ["event", "day", "time", "area", "place", "state"]
    list_filter = [OccasionDayFilter, "event__area", "event__status", "cancelled", "event__type"]
    search_fields = [
        *any_case("event__title", "event__organizer__name", "event__location__name", "location__name"),
        "=id",
    ]
    search_help_text = _("Event, organizer, location or ID")
    ordering = ["start", "end", "id"]
    actions = [actions.cancel_occasions, actions.reinstate_occasions, bulk_edit.change_occasions]
    fieldsets = [
        (
            None,
            {
                "fields": [
                    "event",
                    ("day", "start_time", "end_time", "end_date"),
                    "cancelled",
                    ("location", "room"),
                    "stream",
                ]
            },
        )
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        occasions = super().get_queryset(request)
        own = occasions.select_related("location", "room__location", "stream")
        return own.select_related("event__area", "event__location", "event__room__location")

    def get_readonly_fields(self, request: HttpRequest, obj: Occasion | None = None) -> list[str]:
        # To take it from a published event is to take it away from readers.
        return ["event"] if obj and not self.rights(request).may("delete", obj) else []

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "event":
            kwargs["queryset"] = self.rights(request).events_for_occasions(Event.objects.all())
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and self.rights(request).areas != frozenset()

    def save_model(self, request: HttpRequest, obj: Occasion, form: OccasionForm, change: bool) -> None:
        require_saved_occasion(request, obj)
        super().save_model(request, obj, form, change)

    def deleted_name(self, version: Any, names: Names) -> str:
        return f"{names.of(Event, version.event_id)}, {title_of(version)}"

    @admin.display(description=_("time"))
    def time(self, occasion: Occasion) -> str:
        return format_times(occasion.start, occasion.end)

    @admin.display(description=_("area"), ordering="event__area")
    def area(self, occasion: Occasion) -> str:
        return occasion.event.area.name

    @admin.display(description=_("location"), empty_value="")
    def place(self, occasion: Occasion) -> str:
        location, room = find_place(occasion, occasion.event)
        return str(room or location or "")

    @admin.display(description=_("status"), ordering="event__status")
    def state(self, occasion: Occasion) -> str:
        return _state(occasion.event, cancelled=occasion.cancelled or occasion.event.cancelled)

    def response_post_save_change(self, request: HttpRequest, obj: Occasion) -> HttpResponse:
        """Go back to where the editor came from: the timetable or the list."""
        return redirect_to_timetable(request, obj) or super().response_post_save_change(request, obj)


def _state(event: Event, *, cancelled: bool) -> str:
    status = event.get_status_display()
    return f"{status}, {_('cancelled')}" if cancelled else status
