"""The addresses of the timetable."""

from collections.abc import Callable
from functools import partial

from django.contrib.admin import AdminSite
from django.http import HttpResponse
from django.urls import URLPattern, path

from programme.backoffice.timetable import views


def get_urls(site: AdminSite) -> list[URLPattern]:
    def wrap(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        return site.admin_view(partial(view, site=site))

    return [
        path("timetable/", wrap(views.redirect_to_day), name="timetable"),
        path("timetable/<str:day>/", wrap(views.show_day), name="timetable_day"),
    ]
