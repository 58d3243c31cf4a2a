"""Three-way diff of concurrent edits of a row, field by field and word by word: before, theirs and mine."""

import copy
import datetime as dt
import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django import forms
from django.db.models.fields.files import ImageFieldFile
from django.http import QueryDict
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.backoffice.forms.facts import FactFormField
from programme.backoffice.forms.fields import MomentField
from programme.backoffice.forms.named import describe_choice
from programme.backoffice.forms.news import NEWS
from programme.models.parsing import parse_int

CHOICE = "_choice-"
THEIRS, MINE = "theirs", "mine"
# Fields that make sense together only: half of a group would be meant by neither editor.
FIELD_GROUPS = (("area", "sub_area"), ("location", "room"), ("day", "start_time", "end_time", "end_date"))


class TextPart(NamedTuple):
    """A part of a text, `new` where the text before did not have it."""

    text: str
    new: bool


@dataclass
class Difference:
    """A field, or several that belong together, in which saving would change what others have saved."""

    key: str
    label: str
    before: str
    theirs: str
    mine: str
    # Whether both editors have changed it.
    both: bool
    # The addresses of both images, where the field has them.
    theirs_image: str = ""
    mine_image: str = ""

    @property
    def name(self) -> str:
        return f"{CHOICE}{self.key}"

    @property
    def chosen(self) -> str:
        """The version that is ticked; none where both have changed it."""
        return "" if self.both else THEIRS

    @property
    def theirs_marked(self) -> list[TextPart]:
        return diff_words(self.before, self.theirs)

    @property
    def mine_marked(self) -> list[TextPart]:
        return diff_words(self.before, self.mine)


@dataclass
class RowDiff:
    title: str
    differences: list[Difference] = field(default_factory=list)


def group_fields(names: list[str]) -> Iterator[list[str]]:
    """Yield the names of fields in their order, those that belong together in one list."""
    remaining = list(names)
    while remaining:
        group = next((each for each in FIELD_GROUPS if remaining[0] in each), (remaining[0],))
        yield [name for name in remaining if name in group]
        remaining = [name for name in remaining if name not in group]


def find_differences(
    form_class: Any, sent: dict[str, Any], prefix: str, base: Any, theirs: Any
) -> list[Difference]:
    """Return what saving the data `sent` would change of one row that others have changed.

    `base` is the row when the form was opened, None where that is not known.
    """
    mine = form_class(**sent, prefix=prefix, instance=copy.copy(theirs))
    # Fields that were not submitted, such as those of other buttons, keep their values.
    unsent = {name for name in mine.fields if is_omitted(mine, name)}
    differ = set(mine.changed_data) - unsent
    typed = set(form_class(**sent, prefix=prefix, instance=copy.copy(base)).changed_data) if base else differ
    now = form_class(prefix=prefix, instance=copy.copy(theirs))
    then = form_class(prefix=prefix, instance=copy.copy(base)) if base else None
    found = []
    for names in group_fields(list(mine.fields)):
        if differ.isdisjoint(names):
            continue
        before, after = format_row(then, names) if then else "", format_row(now, names)
        # The fields of news are no values of the row.
        if (then and before == after) or names[0] in NEWS:
            continue
        found.append(
            Difference(
                key=mine.add_prefix(names[0]),
                label=", ".join(str(capfirst(mine.fields[name].label)) for name in names),
                before=before,
                theirs=after,
                mine=format_input(mine, names),
                both=not typed.isdisjoint(names),
                theirs_image=_find_image(theirs, names[0]),
            )
        )
    return found


def _find_image(row: Any, name: str) -> str:
    value = getattr(row, name, None)
    return value.url if isinstance(value, ImageFieldFile) and value else ""


def is_omitted(form: Any, name: str) -> bool:
    widget: forms.Widget = form.fields[name].widget
    return widget.value_omitted_from_data(form.data, form.files, form.add_prefix(name))


# --- Values in words ---------------------------------------------------------------------------


def format_row(form: Any, names: list[str]) -> str:
    values = [_format_stored(form, name) for name in names]
    return ", ".join(value for value in values if value) or empty_text()


def _format_stored(form: Any, name: str) -> str:
    form_field = form.fields[name]
    if isinstance(form_field, forms.ModelChoiceField):
        chosen = getattr(form.instance, name, None)
        return str(chosen) if chosen else ""
    return _format_value(form_field, form.get_initial_for_field(form_field, name))


def format_input(form: Any, names: list[str]) -> str:
    """Return what was sent for fields in words, whether or not it is valid."""
    values = [_format_value(form.fields[name], form[name].data) for name in names]
    return ", ".join(value for value in values if value) or empty_text()


def _format_value(form_field: forms.Field, value: Any) -> str:
    if isinstance(form_field, FactFormField | MomentField):
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


_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
# Longer texts are shown without marks: comparing takes the product of their lengths.
_LONGEST = 4000


def empty_text() -> str:
    return _("(empty)")


def diff_words(before: str, after: str) -> list[TextPart]:
    """Split a text into parts, of whole words, those marked that it did not have before."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if not before or before == empty_text() or len(old) > _LONGEST or len(new) > _LONGEST:
        return [TextPart(after, new=False)]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 1 / 2:
        return [TextPart(after, new=False)]
    return [
        TextPart("".join(new[begin:end]), new=kind != "equal")
        for kind, _from, _to, begin, end in matcher.get_opcodes()
        if end > begin
    ]
