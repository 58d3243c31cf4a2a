"""Choosing a place by typing, in forms, above lists and for many occasions at once."""

from html import escape
from typing import Any

from django import forms
from django.forms import Script
from django.forms.utils import flatatt
from django.utils.safestring import SafeString

from programme.backoffice.forms.base import PreloadedAutocomplete
from programme.models import Occasion

SCRIPT = Script("programme/places.js", type="module")


class PlaceSelect(forms.Select):
    """A choice with all places in it, which the script makes one to type in.

    Written here: a template takes a tenth of a millisecond for each of hundreds of places.
    """

    def __init__(self) -> None:
        super().__init__(attrs={"data-search": "true"})

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:  # noqa: ARG002 - Django's own
        chosen = self.format_value(value)
        options = "".join(
            f'<option value="{escape(str(key))}"{" selected" if str(key) in chosen else ""}>'
            f"{escape(str(label))}</option>"
            for key, label in self.choices
        )
        own = self.build_attrs(self.attrs, {**(attrs or {}), "name": name})
        return SafeString(f"<select{flatatt(own)}>{options}</select>")


def build_search_media(site: Any) -> forms.Media:
    """Return the scripts and styles of such boxes, in the language of the request."""
    room: Any = Occasion._meta.get_field("room")
    return PreloadedAutocomplete(room, site).media + forms.Media(js=[SCRIPT])  # type: ignore[list-item]  # stubs know paths only
