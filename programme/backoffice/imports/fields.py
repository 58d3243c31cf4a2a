"""The fields that columns of a sheet can be, by their names in the language in use."""

from typing import Any

from django.utils.translation import get_language

from programme.exchange.readers.sheet.columns import COLUMNS

_LABELS = {
    "event_id": ("Programpunktens ID", "Event's ID"),
    "festival_day": ("Festivaldag", "Festival day"),
    "weekday": ("Veckodag", "Weekday"),
    "duration": ("Längd", "Duration"),
}


def list_fields() -> list[tuple[str, str]]:
    english = not (get_language() or "sv").startswith("sv")
    found = []
    for column in COLUMNS:
        if not column.field.endswith("_") and column.field != "last_modified":
            sv, en = _LABELS.get(column.field, (column.sv, column.en))
            found.append((column.field, en if english else sv))
    return found


def name_columns(preview: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the headings that a preview shows, with the names of their fields."""
    names = dict(list_fields())
    return [(heading, names.get(field, field)) for heading, field in preview.get("columns", [])]
