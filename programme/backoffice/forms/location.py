"""The form of a location: its coordinates as people copy them, compared with those of the other ones."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from programme.backoffice.generics import ModelForm
from programme.models import Location
from programme.models.coordinates import Coordinates, are_swapped, read_pair
from programme.models.locations import list_coordinates

_NAMES = ("latitude", "longitude")
_INVALID = gettext_lazy(
    "Write it as 57.708870, or paste the address of a map that shows the place; short links do not say "
    "where it is."
)


class LocationForm(ModelForm):
    class Meta:
        model = Location
        fields = "__all__"
        widgets = {name: forms.TextInput({"autocomplete": "off"}) for name in _NAMES}
        error_messages = {
            name: dict.fromkeys(("invalid", "min_value", "max_value"), _INVALID) for name in _NAMES
        }

    def __init__(self, data: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(_read_coordinates(data), *args, **kwargs)

    def clean_parallel(self) -> bool | None:
        """Leave it to the model where it is not said of a new one."""
        return self.cleaned_data["parallel"] or (False if self.instance.pk else None)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        latitude, longitude = map(cleaned.get, _NAMES)
        if self.errors or latitude is longitude is None:
            return cleaned
        if latitude is None or longitude is None:
            missing = "latitude" if latitude is None else "longitude"
            self.add_error(missing, _("Enter both coordinates or none."))
        elif are_swapped(Coordinates(latitude, longitude), list_coordinates(self.instance.pk)):
            self.add_error(
                "latitude", _("Latitude and longitude seem to be swapped: no other place is near.")
            )
        return cleaned


def _read_coordinates(data: Any) -> Any:
    """Return what was sent, with both coordinates in their fields if one field has them."""
    if not data:
        return data
    found = read_pair(*(data.get(name) or "" for name in _NAMES))
    changed = {name: str(value) for name, value in zip(_NAMES, found, strict=True) if value is not None}
    data = data.copy()
    for name, text in changed.items():
        data[name] = text
    return data
