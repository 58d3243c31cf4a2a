"""Exporting the programme as a file: the page."""

from datetime import datetime
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from feeds.columns import EXPORTED_COLUMNS, USUAL_COLUMNS, Columns
from programme.api.instant import get_instant
from programme.backoffice.editions import get_scope
from programme.backoffice.features import Feature
from programme.backoffice.rendering import render_page
from programme.changes.rights import require_permission
from programme.exchange.exports.sheet import EXPORTS, ExportError, SheetExport, select_events
from programme.models import Area, Event
from programme.models.festival_time import festival_time


class ExportForm(forms.Form):
    format = forms.ChoiceField(
        label=capfirst(_("format")),
        choices=[(name, export.label) for name, export in EXPORTS.items()],
        widget=forms.RadioSelect,
    )
    area = forms.ModelChoiceField(
        label=capfirst(_("area")), queryset=Area.objects.all(), required=False, empty_label=_("All areas")
    )
    drafts = forms.BooleanField(label=_("Drafts, too"), required=False)
    all = forms.BooleanField(label=_("All columns"), required=False)

    @property
    def choices(self) -> list[tuple[Any, Any]]:
        return [(button, EXPORTS[button.data["value"]].purpose) for button in self["format"]]

    @property
    def columns(self) -> Columns:
        return EXPORTED_COLUMNS if self.cleaned_data["all"] else USUAL_COLUMNS

    def select_events(self, within: Q) -> QuerySet[Event]:
        chosen = self.cleaned_data
        return select_events(drafts=chosen["drafts"], area=chosen["area"], within=within)


class Export(Feature):
    def get_urls(self) -> list[URLPattern]:
        return [self.path("export/", show_export_page, "export")]


def show_export_page(request: HttpRequest) -> HttpResponseBase:
    """Ask what is to be exported; an address that says it gives the file."""
    require_permission(request.user, "view_event")
    query = request.GET if "format" in request.GET else None
    form, scope = ExportForm(query, initial={"format": next(iter(EXPORTS))}), get_scope(request)
    if form.is_valid():
        export, within = EXPORTS[form.cleaned_data["format"]], scope.occasions
        try:
            events, columns = form.select_events(within), form.columns
            return build_attachment(export, events, get_instant(request), within, columns)
        except ExportError as error:
            form.add_error("format", str(error))
    return render_page(request, "export", _("Export"), {"form": form, "opts": Event._meta})


def build_attachment(
    export: SheetExport,
    events: QuerySet[Event],
    instant: datetime,
    within: Q | None = None,
    columns: Columns = USUAL_COLUMNS,
) -> StreamingHttpResponse:
    """Return a response that writes the file while it is sent. Raises `ExportError`."""
    kind = "programme-all-columns" if columns == EXPORTED_COLUMNS else "programme"
    name = f"{kind}-{festival_time().local(instant):%Y-%m-%d}.{export.name}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(
        export.stream(events, within, columns), content_type=export.media_type, headers=headers
    )
