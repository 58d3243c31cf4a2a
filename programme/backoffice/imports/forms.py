"""What the pages of importing ask for: files, how they are imported, and the area of their events."""

from typing import Any, NamedTuple, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from programme.backoffice.forms.news import TellField
from programme.changes.rights import Rights
from programme.exchange.merge.options import find_source, list_sources
from programme.models import Area
from programme.models.cleaning import clean_line


class UploadedContent(NamedTuple):
    name: str
    content: bytes


def _refuse_size(size: int, most: int) -> None:
    if size > most * 1024 * 1024:
        message = _("The file is larger than %(most)s MB: divide it into several files.")
        raise ValidationError(message % {"most": most})


ACCEPTED_EXTENSIONS = ".csv,.tsv,.txt,.xlsx,.ods,.xls,.xml,.json,.ics"


class CorrectedFileForm(forms.Form):
    """The file that takes the place of one that was uploaded; all that was chosen for that one stays."""

    file = forms.FileField(
        label=capfirst(_("file")),
        help_text=_("A spreadsheet (XLSX, ODS, CSV), a calendar (iCalendar) or a schedule (frab)."),
        widget=forms.FileInput(attrs={"accept": ACCEPTED_EXTENSIONS}),
        error_messages={"required": _("Choose a file."), "empty": _("This file is empty.")},
    )

    def clean_file(self) -> UploadedContent | None:
        """Return the name and the content of what is imported."""
        file = self.cleaned_data["file"]
        if not file:
            return None
        _refuse_size(file.size, settings.IMPORT_MB)
        return UploadedContent(file.name[-200:], file.read())


def ask_whether_told(question: str, answer: str) -> forms.Form:
    """Return the form with whether readers are told, sent with the one that applies an import."""
    form, widget = forms.Form(label_suffix=""), forms.RadioSelect({"form": "apply"})
    form.fields["tell"] = TellField(answer, label=question, widget=widget)
    return form


class UploadForm(CorrectedFileForm):
    """A file or a pasted text, and how it is imported."""

    pasted = forms.CharField(
        label=_("or paste the programme here"),
        required=False,
        strip=False,
        help_text=_("Cells from a spreadsheet, or a calendar (BEGIN:VCALENDAR)."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    source = forms.CharField(
        label=_("Name of the source"),
        required=False,
        max_length=200,
        help_text=_("Use the same name next time, and the import updates. Empty: as the file is called."),
        widget=forms.TextInput(attrs={"list": "known-sources", "autocomplete": "off"}),
    )
    new_events = forms.ChoiceField(
        label=_("New events become"),
        choices=[("draft", _("drafts")), ("published", _("published at once"))],
        initial="draft",
        widget=forms.RadioSelect,
    )
    area = forms.ModelChoiceField(
        Area.objects.all(),
        label=capfirst(_("area")),
        required=False,
        empty_label=_("as the file says"),
        help_text=_("Puts all events of the file into this area."),
    )
    language = forms.ChoiceField(
        label=_("Language of the texts"),
        required=False,
        choices=[("", _("as the file says")), ("sv", _("Swedish")), ("en", _("English"))],
    )
    withdraw_missing = forms.BooleanField(
        label=_("Take away what is no longer in the file"),
        required=False,
        help_text=_(
            "Of what this source brought earlier: an event that is missing is withdrawn and becomes a draft; "
            "an occasion that is missing of an event that goes on is deleted. Both are restored when the "
            "file has them again. Leave it unticked for a file that is only a part."
        ),
    )

    def __init__(
        self, rights: Rights, *args: Any, choices: dict[str, Any] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        if choices:
            # Those that were made earlier: its `options`.
            area = Area.objects.filter(name=choices["area"]).first()
            new_events = "draft" if choices["draft"] else "published"
            self.initial = choices | {"new_events": new_events, "area": area}
        limit = _("Up to %(most)s MB.") % {"most": settings.IMPORT_MB}
        self.fields["file"].help_text = f"{self.fields['file'].help_text} {limit}"
        self.fields["file"].required = False
        if not rights.can_publish:
            del self.fields["new_events"]
        if not rights.can_publish or rights.areas is not None:
            del self.fields["withdraw_missing"]
        if rights.areas is not None:
            areas = cast("forms.ModelChoiceField[Area]", self.fields["area"])
            areas.queryset = Area.objects.filter(pk__in=rights.areas)

    def clean_pasted(self) -> UploadedContent | None:
        text = self.cleaned_data["pasted"]
        content = text.encode("utf-8", "replace")
        _refuse_size(len(content), settings.IMPORT_MB)
        # The ending says how it is read.
        return UploadedContent(f"{gettext('pasted text')}.txt", content) if text.strip() else None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        given = [name for name in ("file", "pasted") if cleaned.get(name)]
        if not self.errors and not given:
            self.add_error("file", self.fields["file"].error_messages["required"])
        elif not self.errors and len(given) > 1:
            self.add_error("pasted", _("Give one of them: a file or a pasted text."))
        return cleaned

    @property
    def upload(self) -> UploadedContent:
        found: UploadedContent = self.cleaned_data["file"] or self.cleaned_data["pasted"]
        return found

    @property
    def options(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        return {
            "source": clean_line(cleaned["source"]) or find_source(self.upload.name),
            "draft": cleaned.get("new_events", "draft") == "draft",
            "area": cleaned["area"].name if cleaned["area"] else "",
            "language": cleaned["language"],
            "is_pasted": bool(cleaned["pasted"]),
            "withdraw_missing": cleaned.get("withdraw_missing", False),
        }

    known_sources = staticmethod(list_sources)


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
