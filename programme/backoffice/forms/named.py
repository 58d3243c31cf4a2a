"""Organizers, locations and rooms that are named in a form, and made when it is saved."""

import re
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from programme.backoffice.generics import ModelChoiceField
from programme.changes.rights import rights_of
from programme.models import Room
from programme.models.cleaning import clean_line

NAMED = ("organizer", "location", "room")
# Before the name of a row that is to be made, where others have their key.
NEW = "new:"


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
            row.clean_fields()
        except ValidationError as refused:
            raise ValidationError(refused.messages) from None
        refuse_digits(row.name)
        return find_stored(row) or row


def find_stored(row: Any) -> Any:
    """Return the stored row with the name of one that is to be made; None if there is none."""
    same = type(row).objects.filter(name_key=row.name_key)
    return (same.filter(location=row.location.pk) if isinstance(row, Room) else same).first()


def find_makeable(user: Any) -> tuple[bool, bool]:
    """Return whether the user may make locations, and rooms."""
    rights = rights_of(user)
    return rights.has_permission("add_location"), rights.has_permission("add_room")


def save_named(row: Any) -> bool:
    """Store what is to be made for an event or an occasion, unless a field before has made it.

    Return whether anything was made.
    """
    is_made = False
    for name in NAMED:
        named = getattr(row, name, None)
        if named is None or named.pk is not None:
            continue
        if isinstance(named, Room):
            named.location = row.location
        stored = find_stored(named)
        if stored is None:
            named.save()
            is_made = True
        setattr(row, name, stored or named)
    return is_made
