"""The festival: one row, so there is a form and no list."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from programme.admin.base import BackOfficeAdmin
from programme.models import Festival
from programme.models.festival import ONLY_ROW


@admin.register(Festival)
class FestivalAdmin(BackOfficeAdmin):
    fields = [("name_sv", "name_en"), ("subtitle_sv", "subtitle_en"), "website"]

    def changelist_view(self, request: HttpRequest, extra_context: object = None) -> HttpResponse:
        if Festival.objects.exists():
            return redirect("admin:programme_festival_change", ONLY_ROW)
        return redirect("admin:programme_festival_add")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not Festival.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Festival | None = None) -> bool:
        return False
