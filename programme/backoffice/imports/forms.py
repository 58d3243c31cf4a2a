"""What the pages of importing ask for: files, and how they are imported."""

from typing import Any, NamedTuple

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from programme.backoffice.forms.news import TellField
from programme.changes.rights import Rights
from programme.exchange.merge.options import find_source, list_sources, recall_choices
from programme.models.cleaning import clean_line


class UploadedContent(NamedTuple):
    name: str
    content: bytes


def _refuse_size(size: int, most: int) -> None:
    if size > most * 1024 * 1024:
        message = _("The file is larger than %(most)s MB: divide it into several files.")
        raise ValidationError(message % {"most": most})


class CorrectedFileForm(forms.Form):
    """The file that takes the place of one that was uploaded; all that was chosen for that one stays."""

    file = forms.FileField(
        label=capfirst(_("file")),
        help_text=_("A spreadsheet (XLSX, ODS, CSV), a calendar (iCalendar) or a schedule (frab)."),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.ods,.xls,.xml,.json,.ics"}),
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
    """A file or a pasted text; how it is imported is decided where it is seen."""

    pasted = forms.CharField(
        label=_("or paste the programme here"),
        required=False,
        strip=False,
        help_text=_("Cells from a spreadsheet, or a calendar (BEGIN:VCALENDAR)."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    source = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit = _("Up to %(most)s MB.") % {"most": settings.IMPORT_MB}
        self.fields["file"].help_text = f"{self.fields['file'].help_text} {limit}"
        self.fields["file"].required = False

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
        """What was chosen for the file's source before, else what is usual."""
        source = clean_line(self.cleaned_data["source"]) or find_source(self.upload.name)
        usual = {"area": "", "language": "", "draft": True, "withdraw_missing": False}
        is_pasted = bool(self.cleaned_data["pasted"])
        return usual | recall_choices(source) | {"source": source, "is_pasted": is_pasted}


class OptionsForm(forms.Form):
    """How a file is imported, as the preview suggests it."""

    source = forms.CharField(
        label=_("Name of the source"),
        required=False,
        max_length=200,
        help_text=_("Use the same name next time, and the import updates."),
        widget=forms.TextInput(attrs={"list": "known-sources", "autocomplete": "off"}),
    )
    new_events = forms.ChoiceField(
        label=_("New events become"),
        choices=[("draft", _("drafts")), ("published", _("published at once"))],
        widget=forms.RadioSelect,
    )
    area = forms.CharField(
        label=capfirst(_("area")),
        required=False,
        max_length=200,
        help_text=_("Puts all events of the file into this area. Empty: as the file says."),
        widget=forms.TextInput(attrs={"list": "known-areas", "autocomplete": "off"}),
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

    def __init__(self, rights: Rights, choices: dict[str, Any], source: str, data: Any = None) -> None:
        initial = choices | {"source": source, "new_events": "draft" if choices["draft"] else "published"}
        super().__init__(data, initial=initial, label_suffix="")
        self.known_areas = rights.assignable_areas().values_list("name", flat=True)
        if not rights.can_publish:
            del self.fields["new_events"]
        if not rights.can_publish or rights.areas is not None:
            del self.fields["withdraw_missing"]

    @property
    def options(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        return {
            "source": clean_line(cleaned["source"]) or self.initial["source"],
            "draft": cleaned.get("new_events", "draft") == "draft",
            "area": clean_line(cleaned["area"]),
            "language": cleaned["language"],
            "withdraw_missing": cleaned.get("withdraw_missing", False),
        }

    known_sources = staticmethod(list_sources)
