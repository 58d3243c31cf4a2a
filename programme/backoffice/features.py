"""What the lists and forms of a model can do beyond Django's: its admin names them in `feature_classes`."""
# ruff: noqa: ARG002 - hooks define the arguments

from collections.abc import Callable
from typing import Any

from django.db.models import Model
from django.forms.models import _get_foreign_key
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from programme.backoffice.generics import ModelAdmin
from programme.backoffice.rendering import render_page
from programme.history.versions import Part


class Feature:
    def __init__(self, model_admin: ModelAdmin) -> None:
        self.model_admin = model_admin

    def get_urls(self) -> list[URLPattern]:
        """Return addresses, which come before those of Django."""
        return []

    def open_form(self, request: HttpRequest, key: str) -> HttpResponse | dict[str, Any]:
        """Return what is shown instead of a change form, or context for it, before its row is read."""
        return {}

    def get_form_context(
        self, request: HttpRequest, row: Model | None, context: dict[str, Any]
    ) -> dict[str, Any]:
        """Return context to add to that of a form; `row` is None in the form of a new row."""
        return {}

    def after_save(self, request: HttpRequest, row: Model) -> None:
        """Do something once a row and the rows of its form are saved."""

    # --- For subclasses -------------------------------------------------------------------------

    def path(self, route: str, view: Any, name: str) -> URLPattern:
        """Return an address whose name begins with the names of app and model, as those of Django do."""
        opts = self.model_admin.opts
        wrapped: Callable[..., HttpResponse] = self.model_admin.admin_site.admin_view(view)
        return path(route, wrapped, name=f"{opts.app_label}_{opts.model_name}_{name}")

    def render(
        self, request: HttpRequest, name: str, title: str, row: Model | None, context: dict[str, Any]
    ) -> TemplateResponse:
        shared = {"opts": self.model_admin.opts, "original": row}
        return render_page(request, name, title, shared | context)

    @property
    def parts(self) -> list[Part]:
        return get_parts(self.model_admin)


def get_parts(model_admin: ModelAdmin) -> list[Part]:
    """Return the models that are edited in the form of another, each with the field that names it."""
    return [
        (inline.model, _get_foreign_key(model_admin.model, inline.model, fk_name=inline.fk_name).name)
        for inline in model_admin.inlines
    ]
