"""The timetable's addresses in the back office."""

from collections.abc import Callable
from functools import partial

from django.contrib.admin import AdminSite
from django.http import HttpResponse
from django.urls import URLPattern, path

from programme.backoffice.timetable import views


def addresses(site: AdminSite) -> list[URLPattern]:
    def asked(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        return site.admin_view(partial(view, site=site))

    return [
        path("timetable/", asked(views.first_day), name="timetable"),
        path("timetable/<str:day>/", asked(views.day), name="timetable_day"),
    ]
