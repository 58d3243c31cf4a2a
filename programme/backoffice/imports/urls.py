"""The addresses of the import pages."""

from collections.abc import Callable
from functools import partial

from django.contrib.admin import AdminSite
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path

from programme.backoffice.imports import area, columns, mappings, views


def get_urls(site: AdminSite) -> list[URLPattern]:
    def wrap(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        return site.admin_view(partial(view, site=site))

    return [
        path("import/", wrap(views.show_upload_form), name="import"),
        path("import/done/", wrap(views.show_result), name="import_done"),
        path("import/saved/", wrap(mappings.manage_mappings), name="import_saved"),
        path("import/<int:pk>/", wrap(views.show_preview), name="import_file"),
        path("import/<int:pk>/read/", wrap(views.read_file), name="import_read"),
        path("import/<int:pk>/columns/", wrap(columns.choose_columns), name="import_columns"),
        path("import/<int:pk>/area/", wrap(area.choose_area), name="import_area"),
        path("import/<int:pk>/apply/", wrap(views.apply_file), name="import_apply"),
    ]
