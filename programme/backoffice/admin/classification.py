"""What events are told apart by: organizers, types and languages."""

import re
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from programme.backoffice.admin.base import BackOfficeAdmin, any_case, count_of
from programme.models import Event, EventType, Language, Organizer
from programme.models.cleaning import clean_line


class EventCountMixin:
    """Lists say how many events name the row."""

    events_by = ""

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        rows = super().get_queryset(request)  # type: ignore[misc]
        return rows.annotate(events_in_all=count_of(Event, self.events_by))

    @admin.display(description=_("events"), ordering="events_in_all")
    def event_count(self, row: Any) -> int:
        return row.events_in_all


class OrganizerForm(forms.ModelForm):
    def clean_name(self) -> str:
        name = clean_line(self.cleaned_data["name"])
        # An import may have brought such a name: its other fields can be edited nevertheless.
        if "name" in self.changed_data and re.fullmatch("[0-9]+", name):
            raise forms.ValidationError(_("Digits alone are an ID in the API. Add a word to the name."))
        return name


@admin.register(Organizer)
class OrganizerAdmin(EventCountMixin, BackOfficeAdmin):
    form = OrganizerForm
    events_by = "organizer"
    list_display = ["name", "event_count", "offer_count", "external_url"]
    search_fields = any_case("name")
    fields = ["name", ("info_sv", "info_en"), ("external_url", "offer_count")]


@admin.register(EventType)
class EventTypeAdmin(EventCountMixin, BackOfficeAdmin):
    events_by = "type"
    list_display = ["name_sv", "name_en", "event_count", "color", "sort_order"]
    search_fields = any_case("name_sv", "name_en")
    fields = [("name_sv", "name_en"), ("color", "sort_order")]


@admin.register(Language)
class LanguageAdmin(EventCountMixin, BackOfficeAdmin):
    events_by = "language"
    list_display = ["name_sv", "name_en", "code", "event_count"]
    search_fields = any_case("name_sv", "name_en", "code")
    fields = ["code", ("name_sv", "name_en")]
