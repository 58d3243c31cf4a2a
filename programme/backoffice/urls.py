"""The addresses of the back office, those of previews included."""

from typing import Any

from django.contrib import admin
from django.urls import URLPattern, URLResolver, path

from programme.models import Event
from programme.publishing.preview import PageWriter


def build_urls(write_page: PageWriter) -> tuple[list[URLPattern | URLResolver], str, str]:
    """Return what `path` takes for the back office; `write_page` writes the pages that previews show."""
    event_admin: Any = admin.site.get_model_admin(Event)
    preview = admin.site.admin_view(event_admin.preview_view)
    pages = {"write_page": write_page}
    own = [
        path("programme/event/add/preview/", preview, pages, name="programme_event_preview_new"),
        path("programme/event/<path:object_id>/preview/", preview, pages, name="programme_event_preview"),
    ]
    patterns, app_name, namespace = admin.site.urls
    return [*own, *patterns], app_name, namespace
