"""Organizers, locations and rooms that are named in a form, and made when it is saved."""

import re
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from programme.backoffice.generics import ModelChoiceField
from programme.models import Organizer, Room
from programme.models.cleaning import clean_line

NAMED = ("organizer", "location", "room")
# Before the name of a row that is to be made, where others have their key.
NEW = "new:"
NO_LOCATION = gettext_lazy("Choose the location of the new room.")


def describe_choice(value: object) -> str:
    """Return `Make “Kulturskolan”` of what stands for a row to be made, and any other text as it is."""
    text = str(value or "")
    return _("Make “%(name)s”") % {"name": text.removeprefix(NEW)} if text.startswith(NEW) else text


def refuse_digits(name: str) -> None:
    if re.fullmatch("[0-9]+", name):
        raise ValidationError(_("Digits alone are an ID in the API. Add a word to the name."))


class NamedField(ModelChoiceField):
    """A choice of rows, or the name of one to be made, which is not stored yet."""

    may_add = False

    def to_python(self, value: Any) -> Any:
        if not (self.may_add and str(value).startswith(NEW)):
            return super().to_python(value)
        row = self.queryset.model(name=clean_line(str(value).removeprefix(NEW)))  # type: ignore[union-attr]
        try:
            row.clean_fields(exclude=["location"])
        except ValidationError as refused:
            raise ValidationError(refused.messages) from None
        if isinstance(row, Organizer):
            refuse_digits(row.name)
        return row if isinstance(row, Room) else find_stored(row) or row


def find_stored(row: Any) -> Any:
    """Return the stored row with the name of one that is to be made; None if there is none."""
    same = type(row).objects.filter(name_key=row.name_key)
    return (same.filter(location=row.location.pk) if isinstance(row, Room) else same).first()


def settle_room(form: Any) -> None:
    """Put a new room of a form into the location that is chosen beside it."""
    room, location = (form.cleaned_data.get(name) for name in ("room", "location"))
    if room is None or room.pk is not None or "location" in form.errors:
        return
    if location is None:
        form.add_error("room", NO_LOCATION)
        return
    room.location = location
    form.cleaned_data["room"] = find_stored(room) or room


def save_named(row: Any) -> None:
    """Store what is to be made for an event or an occasion, unless a field before has made it."""
    for name in NAMED:
        named = getattr(row, name, None)
        if named is None or named.pk is not None:
            continue
        if isinstance(named, Room):
            named.location = row.location
        stored = find_stored(named)
        if stored is None:
            named.save()
        setattr(row, name, stored or named)
