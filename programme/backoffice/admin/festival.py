"""The festival: one row, so there is a form and no list."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

from pathlib import PurePath
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from feeds.vocabulary import Headings
from programme.backoffice.admin.base import BackOfficeAdmin
from programme.backoffice.forms.base import ColorInput
from programme.backoffice.generics import ModelForm
from programme.models import Festival
from programme.models.festival import ONLY_ROW

LARGEST_FONT = 200_000
# How every WOFF2 file begins (W3C, WOFF File Format 2.0, section 4.1).
WOFF2 = b"wOF2"


class FestivalForm(ModelForm):
    """The festival, with a font that browsers can read."""

    class Meta:
        model = Festival
        fields = ["color", "font", "country", "contact_email"]
        widgets = {
            "color": ColorInput,
            "country": forms.TextInput(attrs={"placeholder": "SE", "size": 4}),
            "contact_email": forms.EmailInput(attrs={"class": "vTextField"}),
        }

    def clean_font(self) -> Any:
        font = self.cleaned_data["font"]
        if not font or not hasattr(font, "content_type"):
            return font
        if font.size > LARGEST_FONT:
            raise ValidationError(
                _("The font is larger than 200 kB. Leave out the characters you do not need.")
            )
        begins = font.read(len(WOFF2))
        font.seek(0)
        if begins != WOFF2:
            raise ValidationError(_("This is not a WOFF2 font. Ask for the font as WOFF2."))
        # Servers send a file as the type that its name says.
        font.name = f"{PurePath(font.name).stem}.woff2"
        return font

    def clean_headings(self) -> str:
        return self.cleaned_data["headings"] or Headings.SERIF


@admin.register(Festival)
class FestivalAdmin(BackOfficeAdmin):
    form = FestivalForm
    fieldsets = [
        (
            None,
            {
                "fields": [
                    ("name_sv", "name_en"),
                    ("subtitle_sv", "subtitle_en"),
                    "website",
                    ("town", "country"),
                ]
            },
        ),
        (_("The public pages"), {"fields": ["color", "logo", "headings", "font"]}),
        (
            _("For those who use the programme's data"),
            {"fields": [("license_name", "license_url"), "terms_url", ("contact_name", "contact_email")]},
        ),
    ]

    def changelist_view(self, request: HttpRequest, extra_context: object = None) -> HttpResponse:
        if Festival.objects.exists():
            return redirect("admin:programme_festival_change", ONLY_ROW)
        return redirect("admin:programme_festival_add")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not Festival.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Festival | None = None) -> bool:
        return False
