"""The back office: Django's admin under the product's name, with its lists in the order of the work."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext_lazy as _

from programme.api.instant import get_instant
from programme.backoffice.imports.urls import ImportPages

# What editors open most comes first; the models of other apps follow in groups of their own.
GROUPS = [
    (_("Programme"), ["Event", "Occasion", "Organizer", "EventType", "Language"]),
    (_("Places"), ["Area", "SubArea", "Location", "Stream"]),
    (_("The festival"), ["Festival"]),
]
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


class BackOfficeSite(ImportPages, AdminSite):
    site_header = site_title = _("Festival programme")
    index_title = _("Back office")

    def admin_view(self, view: Callable[..., HttpResponse], cacheable: bool = False) -> Any:
        return super().admin_view(_recorded(view), cacheable)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        from programme.backoffice import handbook  # noqa: PLC0415 - needs the models to be loaded
        from programme.backoffice.problems import page  # noqa: PLC0415 - needs the models to be loaded
        from programme.backoffice.timetable import urls as timetable  # noqa: PLC0415 - the same

        def ours(view: Any) -> Any:
            return self.admin_view(partial(view, site=self))

        return [
            path("problems/", ours(page.problems), name="problems"),
            path("handbook/", ours(handbook.handbook), name="handbook"),
            *timetable.addresses(self),
            *super().get_urls(),
        ]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        from programme.backoffice import start  # noqa: PLC0415 - needs the models to be loaded

        return super().index(request, start.start_page_context(request) | (extra_context or {}))

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        from programme.backoffice.imports.views import may_import  # noqa: PLC0415 - needs the models to be loaded

        return super().each_context(request) | {"imports": may_import(request)}

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        apps = super().get_app_list(request, app_label)
        ours = [app for app in apps if app["app_label"] == "programme"]
        others = [app | _named(app) for app in apps if app["app_label"] != "programme"]
        return [group for app in ours for group in _groups(app)] + others


def _recorded(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return the view as one that makes one edit, and one transaction, of all that a request writes."""
    from programme.history import edits  # noqa: PLC0415 - needs the models to be loaded

    @wraps(view)
    def recorded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method in SAFE_METHODS:
            return view(request, *args, **kwargs)
        with edits.record(request.user, get_instant(request)):
            return view(request, *args, **kwargs)

    return recorded


def _named(app: dict[str, Any]) -> dict[str, Any]:
    """Return what the app is called here, where Django's name for it says little."""
    return {"name": _("People")} if app["app_label"] == "auth" else {}


def _groups(app: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the app as one group for each heading under which the user may see anything."""
    models = {model["object_name"]: model for model in app["models"]}
    groups = [
        app | {"name": heading, "models": [models[name] for name in names if name in models]}
        for heading, names in GROUPS
    ]
    return [group for group in groups if group["models"]]
