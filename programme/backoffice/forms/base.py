"""Widgets of the back office, and what the forms of events and occasions have in common."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from operator import attrgetter
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.db import models
from django.forms import Script
from django.forms.utils import flatatt
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from programme.backoffice.forms.named import NEW, describe_choice, save_named
from programme.backoffice.generics import ModelChoiceField, ModelChoiceIterator, ModelForm
from programme.models import Occasion
from programme.models.parsing import parse_int
from programme.publishing.current import current


class ColorInput(forms.TextInput):
    """A colour: its code, and the browser's own picker beside it, which takes a script."""

    class Media:
        js = [Script("programme/color.js", type="module")]

    def __init__(self) -> None:
        # Room for what is no colour, which the form says.
        super().__init__({"size": 8, "maxlength": 30, "placeholder": "#8c2f4b", "autocomplete": "off"})

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        return format_html(
            '<span class="color">{}<input type="color" aria-label="{}" value="{}"></span>',
            super().render(name, value, attrs, renderer),
            _("Choose the colour"),
            # Without a colour the picker needs one all the same.
            value or self.attrs["placeholder"],
        )


class PreloadedAutocomplete(AutocompleteSelect):
    """Takes the label of the stored choice from an instance that is loaded already."""

    loaded: models.Model | None = None

    def optgroups(self, name: str, value: Sequence[str], attr: Any = None) -> list[Any]:
        if self.loaded is None or list(value) != [str(self.loaded.pk)]:
            # Django passes submitted values to the query, which fails for anything but numbers.
            keys = [key for key in value if parse_int(key) is not None]
            groups = super().optgroups(name, keys, attr)
            made = [key for key in value if key.startswith(NEW)]
            groups[0][1].extend(self.create_option(name, key, describe_choice(key), True, 1) for key in made)
            return groups
        blank = [] if self.is_required else [self.create_option(name, "", "", False, 0)]
        chosen = self.create_option(name, self.loaded.pk, str(self.loaded), True, len(blank))
        return [(None, [*blank, chosen], 0)]


def is_in_english() -> bool:
    """Return whether the festival is in English, too, as far as this process knows."""
    return current.programme is None or not current.programme.festival.swedish_only


def is_hidden(row: Any, name: str) -> bool:
    """Return whether a field is in English, of a festival in Swedish alone, and no row has it alone."""
    is_alone = getattr(row, name, "") and not getattr(row, f"{name.removesuffix('_en')}_sv", "")
    return name.endswith("_en") and not is_in_english() and not is_alone


def offer(form: forms.Form, name: str, everything: Any, choices: Iterable[tuple[Any, Any]]) -> None:
    """Let a field choose one of these, or everything."""
    cast("forms.ChoiceField", form.fields[name]).choices = [("", everything), *choices]


class FilterForm(forms.Form):
    """What a page shows. A parameter that is not understood narrows nothing."""

    def chosen(self, name: str) -> Any:
        return self.cleaned_data.get(name) or ""


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


class _ByArea(ModelChoiceIterator):
    def __iter__(self) -> Iterator[Any]:
        yield "", self.field.empty_label
        for area, rows in groupby(self.queryset.select_related("area"), attrgetter("area")):
            yield str(area), [self.choice(row) for row in rows]


class SubAreaField(ModelChoiceField):
    """Sub areas below the names of their areas: the script leaves those of the area that is chosen."""

    iterator = _ByArea

    def label_from_instance(self, obj: Any) -> str:
        return str(obj.name)


def build_search_media() -> forms.Media:
    """Return the scripts and styles of such boxes, in the language of the request."""
    stream: Any = Occasion._meta.get_field("stream")
    script: Any = Script("programme/places.js", type="module")
    return PreloadedAutocomplete(stream, admin.site).media + forms.Media(js=[script])


class ProgrammeForm(ModelForm):
    """Hands related rows to the autocompletes that show them, and refuses changes of locked fields."""

    # The refusal for each field that some users can only read: Django silently ignores what they send.
    locked: dict[str, Any] = {}
    # Whether a place or an organizer was made with it.
    is_made = False

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

    def _post_clean(self) -> None:
        wrong = {*self.errors}
        super()._post_clean()  # type: ignore[misc]  # Django's stubs do not have it
        # Whether it belongs to what is wrong cannot be said.
        if "area" in wrong and "sub_area" not in wrong:
            self.errors.pop("sub_area", None)

    def save(self, commit: bool = True) -> Any:
        if commit:
            self.is_made = save_named(self.instance)
        return super().save(commit)

    def _submits_change(self, name: str) -> bool:
        sent = self.data.get(self.add_prefix(name))
        field = self._meta.model._meta.get_field(name)
        return sent is not None and sent != str(field.value_from_object(self.instance))
