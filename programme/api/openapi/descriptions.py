"""Descriptions of the fields of the JSON tables, with an example of a value: `descriptions.json`."""

import json
from pathlib import Path
from typing import Any, NamedTuple


class Field(NamedTuple):
    """What a field holds; `format` is JSON Schema's, or one of the registry of OpenAPI."""

    text: str
    example: Any = None
    format: str = ""


# By field, or by table and field where tables differ.
DESCRIPTIONS = {
    name: Field(**described)
    for name, described in json.loads(Path(__file__).with_suffix(".json").read_text()).items()
}


def describe(table: str, field: str) -> Field | None:
    """Return the description of a field; tables of `/api/programme` share those of the interface's own."""
    keys = (f"{table}.{field}", f"{table.removeprefix('Programme')}.{field}", field)
    return next((DESCRIPTIONS[key] for key in keys if key in DESCRIPTIONS), None)
