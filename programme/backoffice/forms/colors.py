"""A colour: its code, and the browser's own picker beside it."""

from typing import Any

from django import forms
from django.forms import Script
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _


class ColorInput(forms.TextInput):
    """The code is what is sent; without a script there is no picker."""

    class Media:
        js = [Script("programme/color.js", type="module")]

    def __init__(self) -> None:
        super().__init__({"size": 8, "maxlength": 7, "placeholder": "#8c2f4b", "autocomplete": "off"})

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        return format_html(
            '<span class="color">{}<input type="color" aria-label="{}" value="{}"></span>',
            super().render(name, value, attrs, renderer),
            _("Choose the colour"),
            # Without a colour the picker needs one all the same.
            value or "#ffffff",
        )
