"""What the pages of importing ask for: files, how they are imported, and the area of their events."""

import re
from pathlib import PurePath
from typing import Any, NamedTuple, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from feeds.names import fold
from programme.backoffice.rights import Rights
from programme.exchange.readers.interface.documents import pack
from programme.exchange.readers.interface.fetching import find_api
from programme.exchange.text.lines import truncate
from programme.exchange.values import UnreadableFileError
from programme.models import Area, Event
from programme.models.cleaning import clean_line, complete_address


class UploadedContent(NamedTuple):
    name: str
    content: bytes


def join_files(files: list[Any]) -> UploadedContent:
    """Return one file, or several packed into one."""
    if len(files) == 1:
        _refuse_size(files[0].size, settings.IMPORT_MB)
        return UploadedContent(files[0].name[-200:], files[0].read())
    _refuse_unrelated(files)
    names = ", ".join(each.name for each in files)
    content = pack({each.name: each.read() for each in files})
    _refuse_size(len(content), settings.IMPORT_MB)
    return UploadedContent(truncate(names, 200), content)


def _refuse_size(size: int, most: int) -> None:
    if size > most * 1024 * 1024:
        message = _("The file is larger than %(most)s MB: divide it into several files.")
        raise ValidationError(message % {"most": most})


def _refuse_unrelated(files: list[Any]) -> None:
    """Raise a `ValidationError` for several files that are not one programme."""
    if not any(each.name.lower().endswith(".json") for each in files):
        raise ValidationError(
            _("Import one file at a time. Only the files of another service (events.json) belong together.")
        )
    if len({each.name for each in files}) < len(files):
        raise ValidationError(_("Two of the files have the same name."))
    _refuse_size(sum(each.size for each in files), settings.IMPORT_UNPACKED_MB)


class FilesInput(forms.FileInput):
    allow_multiple_selected = True

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:  # noqa: ARG002 - Django's
        return files.getlist(name) if hasattr(files, "getlist") else files.get(name)


class FilesField(forms.FileField):
    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        files = data if isinstance(data, list) else [data]
        return [super(FilesField, self).clean(each, initial) for each in files or [None]]


ACCEPTED_EXTENSIONS = ".csv,.tsv,.txt,.xlsx,.ods,.xls,.xml,.json,.ics,.zip"


class CorrectedFileForm(forms.Form):
    """The file that takes the place of one that was uploaded; all that was chosen for that one stays."""

    file = FilesField(
        label=capfirst(_("file")),
        help_text=_(
            "A spreadsheet (XLSX, ODS, CSV), a calendar (iCalendar), a schedule (frab) or "
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


# What offices add to the name of a file's next version: "Program v2", "Program (1)", "Program - kopia".
_VERSION = re.compile(r"(?:[\s_-]+(?:v\d+|version|kopia|copy|ny|new|rättad|slutlig|final)|\s*\(\d+\))+$")


def _remove_version(name: str) -> str:
    return _VERSION.sub("", fold(name))


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
    pasted = forms.CharField(
        label=_("or paste the programme here"),
        required=False,
        strip=False,
        help_text=_(
            "Cells from a spreadsheet, lines such as “Lör 12/9 18-20 Jazz, Stora scenen” from an e-mail or a "
            "web page, or a calendar (BEGIN:VCALENDAR)."
        ),
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
        self.initial = _build_initial(choices or {})
        limit = _("Up to %(most)s MB.") % {"most": settings.IMPORT_MB}
        self.fields["file"].help_text = f"{self.fields['file'].help_text} {limit}"
        self.fields["file"].required = False
        if not rights.is_administrator:
            del self.fields["address"]
        if not rights.can_publish:
            del self.fields["new_events"]
        if not rights.can_publish or rights.areas is not None:
            del self.fields["withdraw_missing"]
        if rights.areas is not None:
            area = cast("forms.ModelChoiceField[Area]", self.fields["area"])
            area.queryset = Area.objects.filter(pk__in=rights.areas)

    def clean_address(self) -> str:
        address = complete_address(self.cleaned_data["address"])
        try:
            return find_api(address) if address else ""
        except UnreadableFileError as reason:
            raise ValidationError(f"{capfirst(str(reason))}.") from None

    def clean_pasted(self) -> UploadedContent | None:
        text = self.cleaned_data["pasted"]
        content = text.encode("utf-8", "replace")
        _refuse_size(len(content), settings.IMPORT_MB)
        # The ending says how it is read.
        return UploadedContent(f"{gettext('pasted text')}.txt", content) if text.strip() else None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        given = [name for name in ("file", "address", "pasted") if cleaned.get(name)]
        if not self.errors and not given:
            self.add_error("file", self.fields["file"].error_messages["required"])
        elif not self.errors and len(given) > 1:
            self.add_error(given[1], _("Give one of them: a file, an address or a pasted text."))
        return cleaned

    @property
    def upload(self) -> UploadedContent:
        """What is imported: a file, a text, or nothing yet under the address where it is."""
        found = self.cleaned_data["file"] or self.cleaned_data["pasted"]
        return found or UploadedContent(self.cleaned_data["address"][-200:], b"")

    @property
    def options(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        return {
            "source": clean_line(cleaned["source"]) or self._find_source(),
            "draft": cleaned.get("new_events", "draft") == "draft",
            "area": cleaned["area"].name if cleaned["area"] else "",
            "language": cleaned["language"],
            "address": cleaned.get("address", ""),
            "is_pasted": bool(cleaned["pasted"]),
            "withdraw_missing": cleaned.get("withdraw_missing", False),
        }

    def _find_source(self) -> str:
        """Return the only known source of which the file is called a version, or ''."""
        name = _remove_version(PurePath(self.upload.name).stem)
        found = [each for each in self.known_sources() if _remove_version(each) == name]
        return found[0] if len(found) == 1 else ""

    @staticmethod
    def known_sources() -> list[str]:
        found = (
            Event.objects.exclude(source="").order_by("source").values_list("source", flat=True).distinct()
        )
        return list(found[:100])


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
