"""What the page of importing asks for."""

from typing import Any, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.backoffice.forms.uploads import StoredFileField
from programme.backoffice.rights import Rights
from programme.models import Area, Event
from programme.models.cleaning import clean_line

ACCEPTED_EXTENSIONS = ".csv,.tsv,.txt,.xlsx,.xls,.xml,.json,.ics"


class UploadForm(forms.Form):
    """A file, and how it is imported."""

    file = StoredFileField(
        label=capfirst(_("file")),
        help_text=_(
            "A sheet (CSV, XLSX), a calendar (iCalendar), a schedule (frab) or "
            "events of Linked Events (JSON)."
        ),
        widget=forms.FileInput(attrs={"accept": ACCEPTED_EXTENSIONS}),
        error_messages={"required": _("Choose a file."), "empty": _("This file is empty.")},
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

    def __init__(self, rights: Rights, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit = _("Up to %(most)s MB.") % {"most": settings.IMPORT_MB}
        self.fields["file"].help_text = f"{self.fields['file'].help_text} {limit}"
        if not rights.can_publish:
            del self.fields["new_events"]
        if not rights.can_publish or rights.areas is not None:
            del self.fields["withdraw_missing"]
        if rights.areas is not None:
            area = cast("forms.ModelChoiceField[Area]", self.fields["area"])
            area.queryset = Area.objects.filter(pk__in=rights.areas)

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > settings.IMPORT_MB * 1024 * 1024:
            message = _("The file is larger than %(most)s MB: divide it into several files.")
            raise ValidationError(message % {"most": settings.IMPORT_MB})
        return file

    @property
    def options(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        return {
            "source": clean_line(cleaned["source"]),
            "draft": cleaned.get("new_events", "draft") == "draft",
            "area": cleaned["area"].name if cleaned["area"] else "",
            "language": cleaned["language"],
            "withdraw_missing": cleaned.get("withdraw_missing", False),
        }

    @staticmethod
    def known_sources() -> list[str]:
        found = (
            Event.objects.exclude(source="").order_by("source").values_list("source", flat=True).distinct()
        )
        return list(found[:100])
