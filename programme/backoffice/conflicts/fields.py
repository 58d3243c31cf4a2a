"""Fields of a form: in words, as a browser sends them, and in the groups in which they are chosen."""

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from programme.backoffice.forms.facts import FactFormField
from programme.backoffice.forms.fields import MomentField
from programme.backoffice.forms.named import describe_choice
from programme.backoffice.forms.places import PlaceField
from programme.models.parsing import parse_int

# Fields that make sense together only: half of a group would be meant by neither editor.
FIELD_GROUPS = (("area", "sub_area"), ("day", "start_time", "end_time", "end_date"))


def group_fields(names: list[str]) -> Iterator[list[str]]:
    """Yield the names of fields in their order, those that belong together in one list."""
    remaining = list(names)
    while remaining:
        group = next((each for each in FIELD_GROUPS if remaining[0] in each), (remaining[0],))
        yield [name for name in remaining if name in group]
        remaining = [name for name in remaining if name not in group]


def is_omitted(form: Any, name: str) -> bool:
    widget: forms.Widget = form.fields[name].widget
    return widget.value_omitted_from_data(form.data, form.files, form.add_prefix(name))


def join(values: Iterable[str]) -> str:
    return ", ".join(filter(None, values)) or _("(empty)")


def format_row(form: Any, names: list[str]) -> str:
    return join(_format_stored(form, name) for name in names)


def _format_stored(form: Any, name: str) -> str:
    form_field = form.fields[name]
    if isinstance(form_field, forms.ModelChoiceField):
        chosen = getattr(form.instance, name, None)
        return str(chosen) if chosen else ""
    return _format_value(form_field, form.get_initial_for_field(form_field, name))


def format_input(form: Any, names: list[str]) -> str:
    """Return what was sent for fields in words, whether or not it is valid."""
    return join(_format_value(form.fields[name], form[name].data) for name in names)


def _format_value(form_field: forms.Field, value: Any) -> str:
    if isinstance(form_field, FactFormField | MomentField | PlaceField):
        return form_field.describe(value)
    if isinstance(form_field, forms.BooleanField):
        return _("Yes") if form_field.to_python(value) else _("No")
    if isinstance(form_field, forms.ModelChoiceField):
        number = parse_int(value)
        rows = form_field.queryset
        chosen = rows.filter(pk=number).first() if rows is not None and number is not None else None
        return str(chosen or describe_choice(value))
    if isinstance(form_field, forms.ChoiceField):
        labels = {str(key): label for key, label in form_field.choices}  # type: ignore[misc, union-attr]
        return str(labels.get(str(value), value or ""))
    if isinstance(value, dt.time):
        return f"{value:%H:%M}"
    # A file that is taken away is False.
    return "" if value is None or value is False else str(value).replace("\r\n", "\n")


# --- Choosing -----------------------------------------------------------------------------------


def encode_fields(form: Any, names: list[str]) -> dict[str, str | None]:
    """Return what a browser would send for fields of a form that shows its row; None is nothing."""
    return {form.add_prefix(name): _encode_field(form, name) for name in names}


def _encode_field(form: Any, name: str) -> str | None:
    form_field, value = form.fields[name], form[name].value()
    if isinstance(form_field, forms.BooleanField):
        return "on" if value else None
    if isinstance(form_field, forms.FileField):
        return None
    text = getattr(form_field.widget, "widget", form_field.widget).format_value(value)
    text = text[0] if isinstance(text, list) and text else text
    return "" if text is None or text == [] else str(text)


def update_data(data: QueryDict, values: dict[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            data.pop(name, None)
        else:
            data[name] = value
