"""The actions that take the events chosen in the list out as a sheet."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from programme.api.instant import get_instant
from programme.backoffice.exports.page import build_attachment
from programme.exchange.exports.export import ExportError
from programme.exchange.exports.registry import EXPORTS
from programme.models import Event


@admin.action(description=_("Export as Excel (XLSX)"), permissions=["view"])
def export_xlsx(model_admin: Any, request: HttpRequest, queryset: QuerySet[Event]) -> HttpResponse | None:  # noqa: ARG001
    return _export(request, queryset, "xlsx")


@admin.action(description=_("Export as CSV"), permissions=["view"])
def export_csv(model_admin: Any, request: HttpRequest, queryset: QuerySet[Event]) -> HttpResponse | None:  # noqa: ARG001
    return _export(request, queryset, "csv")


def _export(request: HttpRequest, queryset: QuerySet[Event], kind: str) -> HttpResponse | None:
    # Without the annotations of the list.
    events = Event.objects.filter(pk__in=list(queryset.order_by().values_list("pk", flat=True)))
    export = EXPORTS[kind]
    try:
        content = export.write(events)
    except ExportError as error:
        messages.error(request, str(error))
        return None
    return build_attachment(export, content, get_instant(request))
