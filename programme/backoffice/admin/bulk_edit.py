"""The actions that lead from the lists of events and occasions to the page of the bulk edit."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from programme.backoffice.bulk.views import Selection, open_page
from programme.models import Occasion


# The page shows which rows the user may not change.
@admin.action(description=_("Change many … (time, place, cancelled, news, area, type)"), permissions=["view"])
def change_events(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse:
    events = list(queryset.values_list("pk", flat=True))
    occasions = list(Occasion.objects.filter(event__in=events).values_list("pk", flat=True))
    return open_page(request, model_admin.admin_site, Selection(occasions, events))


@admin.action(description=_("Change many … (time, place, cancelled, news)"), permissions=["view"])
def change_occasions(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse:
    occasions = list(queryset.values_list("pk", flat=True))
    return open_page(request, model_admin.admin_site, Selection(occasions))
