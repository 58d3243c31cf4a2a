"""Exporting the programme as a file: the page, and the actions on events chosen in the list."""

from datetime import datetime
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.api.instant import get_instant
from programme.backoffice.features import Feature
from programme.backoffice.rights import rights_of
from programme.exchange.exports.export import ExportError, ExportFormat
from programme.exchange.exports.registry import EXPORTS
from programme.exchange.exports.selection import select_events
from programme.models import Area, Event
from programme.models.festival_time import festival_time


class ExportForm(forms.Form):
    """What is to be exported, and as what."""

    format = forms.ChoiceField(
        label=capfirst(_("format")),
        choices=[(name, export.label) for name, export in EXPORTS.items()],
        widget=forms.RadioSelect,
    )
    area = forms.ModelChoiceField(
        label=capfirst(_("area")), queryset=Area.objects.all(), required=False, empty_label=_("All areas")
    )
    drafts = forms.BooleanField(label=_("Drafts, too"), required=False)
    language = forms.ChoiceField(
        label=_("Language of texts"),
        choices=[("sv", _("Swedish")), ("en", _("English"))],
        required=False,
        help_text=_("For calendars and schedules, which hold one language. The spreadsheet holds both."),
    )

    @property
    def choices(self) -> list[tuple[Any, Any]]:
        return [(button, EXPORTS[button.data["value"]].purpose) for button in self["format"]]

    def write(self, export: ExportFormat) -> bytes:
        """Return the chosen programme as a file. Raises `ExportError`."""
        cleaned = self.cleaned_data
        events = select_events(drafts=cleaned["drafts"], area=cleaned["area"])
        return export.write(events, cleaned["language"] or "sv")


class Export(Feature):
    """The page on which events are exported."""

    def get_urls(self) -> list[URLPattern]:
        view = partial(show_export_page, site=self.model_admin.admin_site)
        return [self.path("export/", view, "export")]


def show_export_page(request: HttpRequest, site: Any) -> HttpResponse:
    """Ask what is to be exported; an address that says it gives the file."""
    if not rights_of(request.user).has_permission("view_event"):
        raise PermissionDenied
    query = request.GET if "format" in request.GET else None
    form = ExportForm(query, initial={"format": next(iter(EXPORTS))})
    if form.is_valid():
        try:
            export = EXPORTS[form.cleaned_data["format"]]
            return build_attachment(export, form.write(export), get_instant(request))
        except ExportError as error:
            form.add_error("format", str(error))
    context = {**site.each_context(request), "title": _("Export"), "form": form, "opts": Event._meta}
    return TemplateResponse(request, "admin/programme/export.html", context)


def build_attachment(export: ExportFormat, content: bytes, instant: datetime) -> HttpResponse:
    name = f"programme-{festival_time().local(instant):%Y-%m-%d}.{export.extension}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=export.media_type, headers=headers)


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
