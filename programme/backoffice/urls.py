"""The addresses of the back office, those of previews included."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from programme.backoffice.admin.previews import EventPreview
from programme.models import Event
from programme.publishing.preview import PageWriter


def build_urls(write_page: PageWriter) -> tuple[list[URLPattern | URLResolver], str, str]:
    """Return what `path` takes for the back office; `write_page` writes the pages that previews show."""
    preview = EventPreview(admin.site.get_model_admin(Event), write_page)
    patterns, app_name, namespace = admin.site.urls
    return [path("programme/event/", include(preview.get_urls())), *patterns], app_name, namespace
