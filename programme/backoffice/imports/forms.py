"""What the page of importing asks for."""

from typing import Any, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.backoffice.imports.files import FilesField, FilesInput, UploadedContent, join_files
from programme.backoffice.rights import Rights
from programme.exchange.readers.interface.fetching import find_api
from programme.exchange.values import UnreadableFileError
from programme.models import Area, Event
from programme.models.cleaning import clean_line

ACCEPTED_EXTENSIONS = ".csv,.tsv,.txt,.xlsx,.xls,.xml,.json,.ics,.zip"


class CorrectedFileForm(forms.Form):
    """The file that takes the place of one that was uploaded; all that was chosen for that one stays."""

    file = FilesField(
        label=capfirst(_("file")),
        help_text=_(
            "A spreadsheet (CSV, XLSX), a calendar (iCalendar), a schedule (frab) or "
            "events of Linked Events (JSON). To move in from another service, choose its events.json, "
            "areas.json and events.ics together, or a zip file of them."
        ),
        widget=FilesInput(attrs={"accept": ACCEPTED_EXTENSIONS}),
        error_messages={"required": _("Choose a file."), "empty": _("This file is empty.")},
    )

    def clean_file(self) -> UploadedContent | None:
        """Return the name and the content of what is imported; several files are packed into one."""
        files = [each for each in self.cleaned_data["file"] if each]
        return join_files(files) if files else None


def _build_initial(choices: dict[str, Any]) -> dict[str, Any]:
    """Return the values of the form for choices that were made earlier: its `options`."""
    if not choices:
        return {}
    return {
        **choices,
        "new_events": "draft" if choices["draft"] else "published",
        "area": Area.objects.filter(name=choices["area"]).first(),
    }


class UploadForm(CorrectedFileForm):
    """A file, or several that are one programme, and how it is imported."""

    address = forms.CharField(
        label=_("or the address of another service"),
        required=False,
        max_length=1000,
        help_text=_(
            "Moves in the programme of a service with the same interface, with all IDs: "
            "https://program.example/api"
        ),
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
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
        self.initial = _build_initial(choices or {})
        limit = _("Up to %(most)s MB.") % {"most": settings.IMPORT_MB}
        self.fields["file"].help_text = f"{self.fields['file'].help_text} {limit}"
        if rights.is_administrator:
            self.fields["file"].required = False
        else:
            del self.fields["address"]
        if not rights.can_publish:
            del self.fields["new_events"]
        if not rights.can_publish or rights.areas is not None:
            del self.fields["withdraw_missing"]
        if rights.areas is not None:
            area = cast("forms.ModelChoiceField[Area]", self.fields["area"])
            area.queryset = Area.objects.filter(pk__in=rights.areas)

    def clean_address(self) -> str:
        address = clean_line(self.cleaned_data["address"])
        try:
            return find_api(address) if address else ""
        except UnreadableFileError as reason:
            raise ValidationError(f"{capfirst(str(reason))}.") from None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and "address" in self.fields:
            if not (cleaned["file"] or cleaned["address"]):
                self.add_error("file", self.fields["file"].error_messages["required"])
            elif cleaned["file"] and cleaned["address"]:
                self.add_error("address", _("Choose a file or give an address, not both."))
        return cleaned

    @property
    def upload(self) -> UploadedContent:
        """What is imported: a file, or nothing yet under the address where it is."""
        return self.cleaned_data["file"] or UploadedContent(self.cleaned_data["address"][-200:], b"")

    @property
    def options(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        return {
            "source": clean_line(cleaned["source"]),
            "draft": cleaned.get("new_events", "draft") == "draft",
            "area": cleaned["area"].name if cleaned["area"] else "",
            "language": cleaned["language"],
            "address": cleaned.get("address", ""),
            "withdraw_missing": cleaned.get("withdraw_missing", False),
        }

    @staticmethod
    def known_sources() -> list[str]:
        found = (
            Event.objects.exclude(source="").order_by("source").values_list("source", flat=True).distinct()
        )
        return list(found[:100])
