"""A row with the values that an import changes."""

from typing import Any, NamedTuple

from django.db import models


class PlannedChange(NamedTuple):
    """A row with its new values set, and for each field that changes the old and the new one."""

    row: Any
    fields: dict[str, tuple[Any, Any]]


def find_changes(row: models.Model, values: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {name: (old, value) for name, value in values.items() if _differ(old := getattr(row, name), value)}


def _differ(old: Any, new: Any) -> bool:
    """Compare rows by their primary keys; rows that are not stored yet differ from all others."""
    if isinstance(old, models.Model) and isinstance(new, models.Model):
        return old.pk != new.pk or old.pk is None
    return bool(old != new)


def set_values(row: models.Model, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
