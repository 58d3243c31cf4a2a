"""Actions that export the events chosen in the list as a sheet."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _

from programme.api.instant import get_instant
from programme.backoffice.admin.confirm_action import CONFIRMED, ask_to_confirm
from programme.backoffice.exports.page import build_attachment
from programme.exchange.exports.export import ExportError, ExportFormat
from programme.exchange.exports.registry import EXPORTS
from programme.models import Event


@admin.action(description=_("Export as Excel (XLSX)"), permissions=["view"])
def export_xlsx(model_admin: Any, request: HttpRequest, queryset: QuerySet[Event]) -> HttpResponseBase | None:
    return _export(model_admin, request, queryset, EXPORTS["xlsx"])


@admin.action(description=_("Export as CSV"), permissions=["view"])
def export_csv(model_admin: Any, request: HttpRequest, queryset: QuerySet[Event]) -> HttpResponseBase | None:
    return _export(model_admin, request, queryset, EXPORTS["csv"])


def _export(
    model_admin: Any, request: HttpRequest, queryset: QuerySet[Event], export: ExportFormat
) -> HttpResponseBase | None:
    # Without the annotations of the list.
    events = Event.objects.filter(pk__in=list(queryset.order_by().values_list("pk", flat=True)))
    excess = [] if CONFIRMED in request.POST else export.find_excess(events)
    if excess:
        return ask_to_confirm(model_admin, request, queryset, " ".join(excess))
    try:
        return build_attachment(export, events, get_instant(request))
    except ExportError as error:
        messages.error(request, str(error))
        return None
