"""The actions that take the events chosen in the list out as a sheet."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from programme.api.instant import get_instant
from programme.backoffice.exports.page import build_attachment, describe_too_long
from programme.exchange.exports.sheet import TooLongError, write_csv, write_xlsx
from programme.models import Event
from programme.models.festival_time import festival_time

WRITERS = {"csv": write_csv, "xlsx": write_xlsx}


@admin.action(description=_("Export as Excel (XLSX)"), permissions=["view"])
def export_xlsx(model_admin: Any, request: HttpRequest, queryset: QuerySet[Event]) -> HttpResponse | None:  # noqa: ARG001
    return _export(request, queryset, "xlsx")


@admin.action(description=_("Export as CSV"), permissions=["view"])
def export_csv(model_admin: Any, request: HttpRequest, queryset: QuerySet[Event]) -> HttpResponse | None:  # noqa: ARG001
    return _export(request, queryset, "csv")


def _export(request: HttpRequest, queryset: QuerySet[Event], kind: str) -> HttpResponse | None:
    # Without what the list reckons beside them.
    events = Event.objects.filter(pk__in=list(queryset.order_by().values_list("pk", flat=True)))
    try:
        content = WRITERS[kind](events, festival_time())
    except TooLongError as error:
        messages.error(request, describe_too_long(error))
        return None
    return build_attachment(kind, content, get_instant(request))
