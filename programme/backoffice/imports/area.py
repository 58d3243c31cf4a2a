"""Asks for the area of events whose file names none, instead of creating one by the file's name."""

from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.backoffice.imports.views import find_upload
from programme.backoffice.rights import Rights, rights_of
from programme.models import Area
from programme.models.cleaning import clean_line


class AreaForm(forms.Form):
    """An area that is there, or the name of a new one."""

    area = forms.ModelChoiceField(
        Area.objects.none(), label=capfirst(_("area")), required=False, empty_label=_("– choose –")
    )
    new = forms.CharField(
        label=_("or a new area, by its name"),
        required=False,
        max_length=200,
        help_text=_("It comes last among the areas."),
    )

    def __init__(self, rights: Rights, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast("forms.ModelChoiceField[Area]", self.fields["area"]).queryset = rights.assignable_areas()
        if rights.areas is not None or not rights.has_permission("add_area"):
            del self.fields["new"]
        elif not rights.assignable_areas().exists():
            del self.fields["area"]
            self.fields["new"].label, self.fields["new"].help_text = _("Name of the area"), ""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and bool(cleaned.get("area")) == bool(clean_line(cleaned.get("new", ""))):
            raise ValidationError(_("Choose an area, or name a new one."))
        return cleaned

    @property
    def name(self) -> str:
        area = self.cleaned_data.get("area")
        return area.name if area else clean_line(self.cleaned_data["new"])


def choose_area(request: HttpRequest, site: Any, pk: int) -> HttpResponse:
    upload = find_upload(request, pk)
    form = AreaForm(rights_of(request.user), request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        upload.options = upload.options | {"otherwise": form.name}
        upload.preview = None
        upload.save(update_fields=["options", "preview"])
        return redirect("admin:import_file", pk)
    context = {
        **site.each_context(request),
        "title": _("In which area?"),
        "upload": upload,
        "form": form,
    }
    return TemplateResponse(request, "admin/programme/import/area.html", context)
