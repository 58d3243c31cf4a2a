"""A row with the values that an import changes."""

from typing import Any, NamedTuple

from django.db import models

Changes = dict[str, tuple[Any, Any]]


class PlannedChange(NamedTuple):
    """A row with its new values set, and for each field that changes the old and the new one.

    `fields` are as readers see them, and `written` those that are stored: what the row itself states may
    change while nobody sees a difference, and the place of an occasion changes with that of its event.
    """

    row: Any
    fields: Changes
    written: frozenset[str] = frozenset()


def find_changes(row: models.Model, values: dict[str, Any]) -> Changes:
    return {name: (old, value) for name, value in values.items() if differ(old := getattr(row, name), value)}


def differ(old: Any, new: Any) -> bool:
    """Compare rows by their primary keys; rows that are not stored yet differ from all others."""
    if isinstance(old, models.Model) and isinstance(new, models.Model):
        return old.pk != new.pk or old.pk is None
    return bool(old != new)


def set_values(row: models.Model, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
