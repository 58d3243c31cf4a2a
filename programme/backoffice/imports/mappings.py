"""The page of saved column mappings: list, rename, delete."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from programme.backoffice.imports.views import may_import
from programme.models import SheetMapping
from programme.models.cleaning import clean_line
from programme.models.parsing import parse_int

_MAX_LENGTH = 200


def manage_mappings(request: HttpRequest, site: Any) -> HttpResponse:
    if not may_import(request):
        raise PermissionDenied
    if request.method == "POST":
        _change_mapping(request)
        return redirect("admin:import_saved")
    context = {
        **site.each_context(request),
        "title": _("Saved columns"),
        "saved": SheetMapping.objects.all(),
    }
    return TemplateResponse(request, "admin/programme/import/saved.html", context)


def _change_mapping(request: HttpRequest) -> None:
    key = request.POST.get("delete") or request.POST.get("rename") or ""
    pk = parse_int(key)
    found = None if pk is None else SheetMapping.objects.filter(pk=pk).first()
    if found is None:
        messages.warning(request, _("These columns are no longer saved."))
    elif "delete" in request.POST:
        found.delete()
        messages.success(request, _("“%(name)s” is deleted.") % {"name": found.name})
    elif name := clean_line(request.POST.get("name", ""))[:_MAX_LENGTH]:
        found.name = name
        found.save(update_fields=["name"])
        messages.success(request, _("They are called “%(name)s” now.") % {"name": name})
    else:
        messages.error(request, _("Give them a name."))
