"""The festival: one row, so there is a form and no list."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.forms import Script
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from feeds.vocabulary import Headings, safe_url
from programme.backoffice.admin.base import BackOfficeAdmin, group
from programme.backoffice.admin.face import list_usual
from programme.backoffice.forms.base import ColorInput
from programme.backoffice.generics import ModelForm
from programme.backoffice.pictures import OF_MAP, keep_sizes
from programme.backoffice.roles import is_administrator
from programme.models import Festival
from programme.models.cleaning import complete_address
from programme.models.festival import ONLY_ROW
from programme.models.festival_images import LARGEST, encode, make_icons
from programme.publishing.loading import build_site
from programme.publishing.shared_values import load_festival


class FestivalForm(ModelForm):
    """The festival, with a picture of the size that pages show."""

    class Meta:
        model = Festival
        fields = ["color", "hero", "sponsors", "country", "contact_email"]
        widgets = {
            "color": ColorInput,
            "country": forms.TextInput(attrs={"placeholder": "SE", "size": 4}),
            "contact_email": forms.EmailInput(attrs={"class": "vTextField"}),
        }
        help_texts = {
            "logo": _(
                "Stands in place of the name at the top of the public pages, light and dark. In dark mode a "
                "light plate is behind it, unless your background is dark in light mode, too."
            )
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, usual in list_usual(load_festival(build_site()).theme).items():
            if name in self.fields:
                self.fields[name].widget.attrs["placeholder"] = usual

    def clean(self) -> None:
        super().clean()
        for name, side in LARGEST.items():
            if hasattr(file := self.cleaned_data.get(name), "content_type"):
                self.cleaned_data[name] = encode(file, side)
        if self.cleaned_data.get("map") and not self.cleaned_data.get("map_alt_sv"):
            self.add_error("map_alt_sv", _("Say in words what the map shows."))

    def clean_sponsors(self) -> str:
        """Return a name and an address on each line; an address may be typed without https://."""
        pairs = [line.strip().rpartition(" ") for line in self.cleaned_data["sponsors"].splitlines()]
        lines = [(name.strip(), complete_address(address)) for name, _space, address in pairs if address]
        if any(not (name and safe_url(address)) for name, address in lines):
            raise ValidationError(_("Write a name and a web address on each line: Name https://example.org"))
        return "\n".join(map(" ".join, lines))

    def clean_headings(self) -> str:
        return self.cleaned_data["headings"] or Headings.SERIF


@admin.register(Festival)
class FestivalAdmin(BackOfficeAdmin):
    form = FestivalForm
    fieldsets = [
        group(
            None,
            ("name_sv", "name_en"),
            "swedish_only",
            ("subtitle_sv", "subtitle_en"),
            "website",
            ("town", "country"),
        ),
        group(_("Pictures"), "logo", "hero", "icon"),
        group(_("Colours"), ("color", "dark_color")),
        group(_("Typefaces"), ("headings", "body")),
        group(_("Practical"), ("practical_sv", "practical_en"), "map", ("map_alt_sv", "map_alt_en")),
        group(_("Links below every page"), "contact_url", "privacy_url", "accessibility_url", "sponsors"),
    ]
    # What administrators are asked, too.
    beyond: Any = [
        group(_("Further colours"), ("background", "ink"), ("dark_background", "dark_ink")),
        group(
            _("For those who use the programme's data"),
            *(("license_name", "license_url"), "terms_url", ("contact_name", "contact_email")),
        ),
    ]

    class Media:
        js = (Script("programme/face.js", type="module"),)

    def get_fieldsets(self, request: HttpRequest, obj: Festival | None = None) -> Any:
        beyond = self.beyond if is_administrator(request.user) else []
        return [*super().get_fieldsets(request, obj), *beyond]

    def save_model(self, request: HttpRequest, obj: Festival, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if obj.icon.name:
            make_icons(obj.icon.name)
        keep_sizes(Festival.objects.all(), OF_MAP)

    def changelist_view(self, request: HttpRequest, extra_context: object = None) -> HttpResponse:
        if Festival.objects.exists():
            return redirect("admin:programme_festival_change", ONLY_ROW)
        return redirect("admin:programme_festival_add")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not Festival.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Festival | None = None) -> bool:
        return False
