"""The form fields of facts, derived from their declarations: a choice, ticks, a range, or yes and no."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

import re
from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feeds.fact import LARGEST, NO, FactKind, FactValue, build_range
from feeds.facts import facts_of
from programme.models.facts import FactField, localize

NOT_STATED = gettext_lazy("not stated")
# Chosen for it where '' is every value.
NOTHING = "-"
# What a row of occasions has room for.
CHOSEN = [fact.name for fact in facts_of("occasion") if fact.kind is FactKind.ONE]
# The parts of a range, by the ends of their names.
_ENDS = {"first": gettext_lazy("from"), "last": gettext_lazy("to")}
_RANGE = re.compile(r"(\d*)-(\d*)", re.ASCII)


class FactWidget(forms.Widget):
    """Shows the parts of what is stated; reads them, or the whole text, which comparing and moving send."""

    use_fieldset = True

    def __init__(self, field: FactField, attrs: Any = None) -> None:
        super().__init__(attrs)
        self.field, self.fact = field, field.fact

    def __deepcopy__(self, memo: Any) -> "FactWidget":
        return FactWidget(self.field, {**self.attrs})

    def id_for_label(self, id_: str) -> str:
        return id_ if self.fact.kind is FactKind.ONE else ""

    # --- What is sent ---------------------------------------------------------------------------

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:
        if name in data:
            return data[name] or ""
        if self.fact.kind is FactKind.RANGE:
            ends = [str(data.get(f"{name}-{end}") or "").strip() for end in _ENDS]
            return "-".join(ends) if any(ends) else ""
        return " ".join(filter(None, map(data.get, _find_keys(data, name))))

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return not any(_find_keys(data, name))

    # --- What is shown --------------------------------------------------------------------------

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        own, text = self.build_attrs(self.attrs, attrs), str(value or "")
        if self.fact.kind is FactKind.ONE:
            return forms.Select(own, [("", NOT_STATED), *list_choices(self.fact.values)]).render(name, text)
        show = {
            FactKind.SEVERAL: self._show_boxes,
            FactKind.STATES: self._show_states,
            FactKind.RANGE: self._show_ends,
        }
        return format_html(
            '<div role="group" class="beside" id="{}" aria-label="{}">{}</div>',
            own.get("id", ""),
            capfirst(localize(self.fact.title)),
            format_html_join("", "{}", ((part,) for part in show[self.fact.kind](name, text))),
        )

    def _show_boxes(self, name: str, text: str) -> Iterator[SafeString]:
        # A browser sends nothing of boxes that are not ticked.
        yield forms.HiddenInput().render(f"{name}-", "")
        box = forms.CheckboxInput(check_test=text.split().__contains__)
        for code, label in list_choices(self.fact.values):
            yield format_html("<label>{} {}</label>", box.render(f"{name}-{code}", code), label)

    def _show_states(self, name: str, text: str) -> Iterator[SafeString]:
        stated = {code.removeprefix(NO): code for code in self.fact.split(text)}
        for value in self.fact.values:
            choices = ("", _("not known")), (value.code, _("yes")), (f"{NO}{value.code}", _("no"))
            choice = forms.Select(choices=choices)
            yield _show_part(f"{name}-{value.code}", localize(value.label), choice, stated.get(value.code))

    def _show_ends(self, name: str, text: str) -> Iterator[SafeString]:
        box = forms.NumberInput({"min": 0, "max": LARGEST})
        for (end, label), value in zip(_ENDS.items(), text.partition("-")[::2], strict=True):
            yield _show_part(f"{name}-{end}", label, box, value)


def _show_part(name: str, label: Any, widget: forms.Widget, value: Any) -> SafeString:
    shown = widget.render(name, value, {"id": f"id_{name}"})
    return format_html(
        '<div class="field"><label for="id_{}">{}</label>{}</div>', name, capfirst(label), shown
    )


def list_choices(values: Iterable[FactValue]) -> Iterator[tuple[str, str]]:
    return ((value.code, localize(value.label)) for value in values)


def _find_keys(data: Any, name: str) -> Iterator[str]:
    return (key for key in data if key == name or key.startswith(f"{name}-"))


class FactFormField(forms.CharField):
    """What is stated of a fact, as the column stores it."""

    def __init__(self, field: FactField) -> None:
        super().__init__(
            label=capfirst(field.verbose_name),
            help_text=field.help_text,
            required=False,
            widget=FactWidget(field),
        )
        self.field = field

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        if text and self.field.fact.kind is FactKind.RANGE:
            text = _clean_range(text)
        return self.field.clean_text(text)

    def describe(self, value: Any) -> str:
        return self.field.describe(value or "")


def _clean_range(text: str) -> str:
    found = _RANGE.fullmatch(text)
    first, last = (int(end) if end else None for end in found.groups()) if found else (LARGEST + 1, None)
    if max(first or 0, last or 0) > LARGEST:
        message = _("Write whole numbers up to %(largest)d, such as 6 and 12.")
        raise ValidationError(message % {"largest": LARGEST})
    try:
        return build_range(first, last)
    except ValueError:
        raise ValidationError(_("The first number is larger than the second.")) from None
