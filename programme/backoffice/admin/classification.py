"""Organizers, types and languages, by which events are classified."""

import re
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from programme.backoffice.admin.base import EventCountAdmin, any_case
from programme.backoffice.features import Feature
from programme.backoffice.generics import ModelForm
from programme.backoffice.suggestions.sending import build_address, open_links
from programme.models import EventType, Language, Organizer
from programme.models.cleaning import clean_line


class OrganizerForm(ModelForm):
    def clean_name(self) -> str:
        name: str = clean_line(self.cleaned_data["name"])
        # An import may have brought such a name: its other fields can be edited nevertheless.
        if "name" in self.changed_data and re.fullmatch("[0-9]+", name):
            raise forms.ValidationError(_("Digits alone are an ID in the API. Add a word to the name."))
        return name


class LinkForCorrections(Feature):
    """Leads from an organizer's form to the page of its link."""

    def get_form_context(
        self,
        request: HttpRequest,  # noqa: ARG002 - a hook's
        row: Model | None,
        context: dict[str, Any],  # noqa: ARG002
    ) -> dict[str, Any]:
        return {"link_page": build_address([row.pk])} if row else {}


@admin.register(Organizer)
class OrganizerAdmin(EventCountAdmin):
    form = OrganizerForm
    feature_classes = [*EventCountAdmin.feature_classes, LinkForCorrections]
    actions = [open_links]
    events_by = "organizer"
    list_display = ["name", "event_count", "offer_count", "external_url"]
    search_fields = any_case("name")
    fields = ["name", ("info_sv", "info_en"), ("external_url", "offer_count")]


@admin.register(EventType)
class EventTypeAdmin(EventCountAdmin):
    events_by = "type"
    list_display = ["name_sv", "name_en", "event_count", "color", "sort_order"]
    search_fields = any_case("name_sv", "name_en")
    fields = [("name_sv", "name_en"), ("color", "sort_order")]


@admin.register(Language)
class LanguageAdmin(EventCountAdmin):
    events_by = "language"
    list_display = ["name_sv", "name_en", "code", "event_count"]
    search_fields = any_case("name_sv", "name_en", "code")
    fields = ["code", ("name_sv", "name_en")]
