"""The form of a location: its coordinates as people copy them, compared with those of the other ones."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from programme.backoffice.generics import ModelForm
from programme.models import Location
from programme.models.coordinates import Coordinates, measure, parse_coordinates, parse_degrees

_NAMES = ("latitude", "longitude")
# Kilometres: the places of a festival are near each other.
_FAR, _NEAR = 1000, 100
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

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        latitude, longitude = map(cleaned.get, _NAMES)
        if self.errors or latitude is longitude is None:
            return cleaned
        if latitude is None or longitude is None:
            missing = "latitude" if latitude is None else "longitude"
            self.add_error(missing, _("Enter both coordinates or none."))
        elif self._are_swapped(Coordinates(latitude, longitude)):
            self.add_error(
                "latitude", _("Latitude and longitude seem to be swapped: no other place is near.")
            )
        return cleaned

    def _are_swapped(self, stated: Coordinates) -> bool:
        """Return whether they are far from all other places, and near one the other way around."""
        others = Location.objects.exclude(pk=self.instance.pk).exclude(latitude=None)
        rows = [Coordinates(*row) for row in others.values_list(*_NAMES)]
        here, turned = ([measure(one, each) for each in rows] for one in (stated, Coordinates(*stated[::-1])))
        return bool(rows) and min(here) > _FAR and min(turned) < _NEAR


def _read_coordinates(data: Any) -> Any:
    """Return what was sent, with both coordinates in their fields if one field has them."""
    texts = {name: data.get(name) or "" for name in _NAMES} if data else {}
    both = next(filter(None, map(parse_coordinates, texts.values())), None)
    found = both or map(parse_degrees, texts.values())
    changed = {name: str(value) for name, value in zip(texts, found, strict=True) if value is not None}
    if not changed:
        return data
    data = data.copy()
    for name, text in changed.items():
        data[name] = text
    return data
