"""What the forms of events and occasions have in common."""

from collections.abc import Sequence
from typing import Any

from django.contrib.admin.widgets import AutocompleteSelect
from django.db import models

from programme.backoffice.generics import ModelForm
from programme.models.parsing import parse_int


class PreloadedAutocomplete(AutocompleteSelect):
    """Takes the label of the stored choice from an instance that is loaded already."""

    loaded: models.Model | None = None

    def optgroups(self, name: str, value: Sequence[str], attr: Any = None) -> list[Any]:
        if self.loaded is None or list(value) != [str(self.loaded.pk)]:
            # Django passes submitted values to the query, which fails for anything but numbers.
            keys = [key for key in value if parse_int(key) is not None]
            return super().optgroups(name, keys, attr)
        blank = [] if self.is_required else [self.create_option(name, "", "", False, 0)]
        chosen = self.create_option(name, self.loaded.pk, str(self.loaded), True, len(blank))
        return [(None, [*blank, chosen], 0)]


class ProgrammeForm(ModelForm):
    """Hands related rows to the autocompletes that show them, and refuses changes of locked fields."""

    # The refusal for each field that some users can only read: Django silently ignores what they send.
    locked: dict[str, Any] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            # The admin wraps the widget in one that adds links.
            widget = getattr(field.widget, "widget", field.widget)
            if isinstance(widget, PreloadedAutocomplete):
                widget.loaded = getattr(self.instance, name, None)

    def clean(self) -> dict[str, Any]:
        super().clean()
        for name, refusal in self.locked.items():
            if name not in self.fields and self._submits_change(name):
                self.add_error(None, refusal)
        return self.cleaned_data

    def _submits_change(self, name: str) -> bool:
        sent = self.data.get(self.add_prefix(name))
        field = self._meta.model._meta.get_field(name)
        return sent is not None and sent != str(field.value_from_object(self.instance))
