"""The back office: Django's admin under the product's name, with its lists in the order of the work."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.conf import settings
from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext_lazy as _

from programme.api.instant import get_instant
from programme.backoffice import handbook, look, start
from programme.backoffice.bulk import views as bulk_edit
from programme.backoffice.changes import views as changes
from programme.backoffice.errors import explain_methods
from programme.backoffice.forms.choices import ChoicesView
from programme.backoffice.imports import area, columns, mappings
from programme.backoffice.imports import views as imports
from programme.backoffice.problems import page as problems
from programme.backoffice.suggestions import sending as organizer_links
from programme.backoffice.suggestions import views as suggestions
from programme.backoffice.timetable import views as timetable
from programme.history import edits

# What editors open most comes first; the models of other apps follow in groups of their own.
GROUPS = [
    (_("Programme"), ["Event", "Occasion", "Organizer", "EventType", "Language"]),
    (_("Places"), ["Area", "SubArea", "Location", "Stream"]),
    (_("The festival"), ["Festival"]),
]
# The apps of users and of what happens to their accounts.
PEOPLE = ("auth", "accounts")
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})

View = Callable[..., HttpResponseBase]


class BackOfficeSite(AdminSite):
    site_header = site_title = _("Festival programme")
    index_title = _("Back office")

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        return super().admin_view(explain_methods(record_edit(view)), cacheable)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        def wrap(view: View) -> Any:
            return self.admin_view(partial(view, site=self))

        # It writes nothing of the programme, and sends messages, for which no transaction must wait.
        show_links = super().admin_view(explain_methods(partial(organizer_links.show_links, site=self)))
        return [
            path("problems/", wrap(problems.show_problems), name="problems"),
            path("changes/", wrap(changes.show_changes), name="changes"),
            path("changes/<int:pk>/", wrap(changes.show_change), name="change"),
            path("changes/<int:pk>/undo/", wrap(changes.undo_change), name="change_undo"),
            path("change-many/", wrap(bulk_edit.show_page), name="bulk_edit"),
            path("suggestions/", wrap(suggestions.show_queue), name="suggestions"),
            path("suggestions/<int:pk>/", wrap(suggestions.show_suggestions), name="suggestion"),
            path("suggestions/<int:pk>/image/", wrap(suggestions.show_image), name="suggestion_image"),
            path("suggestions/links/", show_links, name="organizer_links"),
            path("handbook/", wrap(handbook.show_handbook), name="handbook"),
            path("timetable/", wrap(timetable.redirect_to_day), name="timetable"),
            path("timetable/<str:day>/", wrap(timetable.show_day), name="timetable_day"),
            path("import/", wrap(imports.show_upload_form), name="import"),
            path("import/done/", wrap(imports.show_result), name="import_done"),
            path("import/saved/", wrap(mappings.manage_mappings), name="import_saved"),
            path("import/<int:pk>/", wrap(imports.show_preview), name="import_file"),
            path("import/<int:pk>/read/", wrap(imports.read_file), name="import_read"),
            path("import/<int:pk>/columns/", wrap(columns.choose_columns), name="import_columns"),
            path("import/<int:pk>/area/", wrap(area.choose_area), name="import_area"),
            path("import/<int:pk>/answers/", wrap(imports.answer_questions), name="import_answers"),
            path("import/<int:pk>/apply/", wrap(imports.apply_file), name="import_apply"),
            *super().get_urls(),
        ]

    def autocomplete_view(self, request: HttpRequest) -> Any:
        return ChoicesView.as_view(admin_site=self)(request)

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        return super().index(request, start.start_page_context(request) | (extra_context or {}))

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return super().each_context(request) | {
            "imports": imports.may_import(request),
            "version": settings.VERSION,
            **look.build_look(),
        }

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        apps = super().get_app_list(request, app_label)
        own = [app for app in apps if app["app_label"] == "programme"]
        others = [app for app in apps if app["app_label"] not in ("programme", *PEOPLE)]
        people = [app for label in PEOPLE for app in apps if app["app_label"] == label]
        if people:
            # Users and groups, and the log of them: Django's names for these apps say little.
            models = [model for app in people for model in app["models"]]
            others.append(people[0] | {"name": _("People"), "models": models})
        return [group for app in own for group in _groups(app)] + others


def record_edit(view: View) -> View:
    """Record all that a request writes as one edit, in one transaction."""

    @wraps(view)
    def recorded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method in SAFE_METHODS:
            return view(request, *args, **kwargs)
        with edits.record(request.user, get_instant(request)):
            response = view(request, *args, **kwargs)
        # What is still to be rendered is a form again, or a question.
        request.is_saved = getattr(response, "is_rendered", True)  # type: ignore[attr-defined]
        return response

    return recorded


def _groups(app: dict[str, Any]) -> list[dict[str, Any]]:
    """Split the app into one group for each heading under which the user may see anything."""
    models = {model["object_name"]: model for model in app["models"]}
    groups = [
        app | {"name": heading, "models": [models[name] for name in names if name in models]}
        for heading, names in GROUPS
    ]
    return [group for group in groups if group["models"]]
