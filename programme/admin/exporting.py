"""Taking the programme out as a sheet: the whole of it, or the events chosen in the list."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from programme.models import Event
from programme.reckoning import reckoning
from programme.schedules.sheets.writing import TooLongError, write_csv, write_xlsx

# The media type and the writer of each kind, by the ending of its files.
SHEETS: dict[str, tuple[str, Callable[..., bytes]]] = {
    "csv": ("text/csv; charset=utf-8", write_csv),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", write_xlsx),
}


def programme(request: HttpRequest, site: Any, kind: str) -> HttpResponse:  # noqa: ARG001 - every page of the site gets it
    """Answer with the whole programme."""
    if not request.user.has_perm("programme.view_event"):
        raise PermissionDenied
    if kind not in SHEETS:
        raise Http404
    return _sheet(request, Event.objects.all(), kind) or redirect("admin:import")


def _sheet(request: HttpRequest, events: QuerySet[Event], kind: str) -> HttpResponse | None:
    media_type, write = SHEETS[kind]
    try:
        content = write(events, reckoning())
    except TooLongError as error:
        told = _("“%(event)s” has a text that is too long for a cell of a workbook: export as CSV.")
        messages.error(request, told % {"event": error.event})
        return None
    name = f"{_('programme')}-{request.instant:%Y-%m-%d}.{kind}"  # type: ignore[attr-defined]
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=media_type, headers=headers)


@admin.action(description=gettext_lazy("Export as Excel (XLSX)"), permissions=["view"])
def export_xlsx(model_admin: Any, request: HttpRequest, queryset: QuerySet[Event]) -> HttpResponse | None:  # noqa: ARG001
    return _sheet(request, _plain(queryset), "xlsx")


@admin.action(description=gettext_lazy("Export as CSV"), permissions=["view"])
def export_csv(model_admin: Any, request: HttpRequest, queryset: QuerySet[Event]) -> HttpResponse | None:  # noqa: ARG001
    return _sheet(request, _plain(queryset), "csv")


def _plain(queryset: QuerySet[Event]) -> QuerySet[Event]:
    """Return the events without what the list reckons beside them."""
    return Event.objects.filter(pk__in=list(queryset.order_by().values_list("pk", flat=True)))
