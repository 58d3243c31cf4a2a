"""Taking the programme out of the back office as a file."""

from datetime import datetime
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.api.instant import get_instant
from programme.backoffice.features import Feature
from programme.backoffice.rights import rights_of
from programme.exchange.exports.registry import EXPORTS
from programme.exchange.exports.selection import ExportOptions
from programme.exchange.exports.sheet import TooLongError
from programme.models import Area, Event
from programme.models.festival_time import festival_time

_PURPOSES = {
    "xlsx": _("The sheet to work on: everything, and it can be imported again."),
    "csv": _("The same sheet for other programs."),
    "ical": _("For calendars such as Outlook and Google Calendar."),
    "frab-xml": _("For schedule apps of conferences, and for printing systems."),
    "frab-json": _("The same for newer apps."),
}


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
        help_text=_("Of calendars and schedules, which hold one language. The sheet holds both."),
    )

    @property
    def choices(self) -> list[tuple[Any, Any]]:
        """The buttons of the formats, each with what it is for."""
        return [(button, _PURPOSES[button.data["value"]]) for button in self["format"]]

    def wish(self) -> ExportOptions:
        cleaned = self.cleaned_data
        return ExportOptions(cleaned["drafts"], cleaned["area"], cleaned["language"] or "sv")


class Export(Feature):
    """The page on which events are exported."""

    def get_urls(self) -> list[URLPattern]:
        view = partial(show_export_page, site=self.model_admin.admin_site)
        return [self.path("export/", view, "export")]


def show_export_page(request: HttpRequest, site: Any) -> HttpResponse:
    """Ask what is to be exported; an address that says it gives the file."""
    if not rights_of(request.user).has_permission("view_event"):
        raise PermissionDenied
    asked = request.GET if "format" in request.GET else None
    form = ExportForm(asked, initial={"format": next(iter(EXPORTS))})
    if form.is_valid():
        try:
            kind = form.cleaned_data["format"]
            return build_attachment(kind, EXPORTS[kind].write(form.wish()), get_instant(request))
        except TooLongError as error:
            form.add_error("format", describe_too_long(error))
    context = {**site.each_context(request), "title": _("Export"), "form": form, "opts": Event._meta}
    return TemplateResponse(request, "admin/programme/export.html", context)


def describe_too_long(error: TooLongError) -> str:
    what = _("“%(event)s” has a text that is too long for a cell of a workbook: export as CSV.")
    return str(what % {"event": error.event})


def build_attachment(kind: str, content: bytes, instant: datetime) -> HttpResponse:
    """Return a file of a kind of export, named by the festival's date."""
    name = f"programme-{festival_time().local(instant):%Y-%m-%d}.{EXPORTS[kind].ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=EXPORTS[kind].media_type, headers=headers)
