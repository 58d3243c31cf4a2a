"""What readers are told: the fields that every form which moves or cancels has."""

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from feeds.vocabulary import Text
from programme.backoffice.forms.base import is_in_english
from programme.models.telling import Telling

# The names of the fields, in order.
NEWS = ("tell", "note", "note_en")
YES, NO = "yes", "no"
TOLD = [(YES, _("Yes")), (NO, _("No"))]
FALLBACK = _("Where one is empty, readers see the other.")


class TellField(forms.ChoiceField):
    """Whether readers are told: by default they are, also where it is not asked."""

    def __init__(self, initial: str = YES, **options: Any) -> None:
        options = {"label": _("Tell readers"), **options}
        super().__init__(choices=TOLD, initial=initial, required=False, **options)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(data) and super().has_changed(initial, data)


class NoteField(forms.CharField):
    def __init__(self, language: str, help_text: Any = "") -> None:
        label = _("Why, in English") if language == "en" else _("Why, in Swedish")
        widget = forms.TextInput(attrs={"class": "vTextField", "autocomplete": "off"})
        super().__init__(label=label, required=False, max_length=500, widget=widget, help_text=help_text)
        self.language = language

    def get_bound_field(self, form: Any, field_name: str) -> forms.BoundField:
        """Keep what there is in English of a festival in Swedish alone; show it if there is nothing else."""
        is_alone = form.get_initial_for_field(self, field_name) and not form.initial.get("note")
        if self.language == "en" and not is_in_english() and not is_alone:
            self.widget = forms.HiddenInput()
        return super().get_bound_field(form, field_name)


def drop_news(form: forms.BaseForm) -> None:
    """Leave the fields out where there is nothing to tell."""
    for name in NEWS:
        del form.fields[name]


def read_note(cleaned: Mapping[str, Any]) -> Text:
    return Text(cleaned.get("note") or "", cleaned.get("note_en") or "")


class NewsFields(forms.Form):
    """The fields in `NEWS`, to be mixed into a form, before its other base classes."""

    tell = TellField()
    note = NoteField("sv", _("A few words for readers. The former time and place are shown anyway."))
    note_en = NoteField("en", FALLBACK)

    def clean(self) -> Any:
        cleaned = super().clean()
        if not self.tells and read_note(self.cleaned_data):
            self.add_error("tell", _("A note is for readers: tell them, or leave it empty."))
        return cleaned

    @property
    def tells(self) -> bool:
        return self.cleaned_data.get("tell") != NO

    def build_telling(self, about: Collection[int] = ()) -> Telling:
        """Return what readers are told; of these occasions, if there is a note and nothing has moved."""
        note = read_note(self.cleaned_data)
        return Telling(self.tells, note, about if note else ())
