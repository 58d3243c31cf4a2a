"""The OpenAPI description of query parameters, from the filter sets that parse them.

`parameters.json` has the recommended values of each, with examples. More is accepted (decisions).
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django import forms

from feeds.fact import LARGEST, FactKind
from programme.api import fields
from programme.api.filters import SelectionFilterSet
from programme.api.negotiation import Formats

Schema = dict[str, Any]

PARAMETERS: dict[str, Schema] = json.loads(Path(__file__).with_suffix(".json").read_text())


def describe_query(declared: type[SelectionFilterSet]) -> Iterator[Schema]:
    for name, field in declared.get_form_class().base_fields.items():
        yield {
            "name": name,
            "in": "query",
            "description": field.help_text,
            "required": False,
            "style": "form",
            "explode": True,
            **_describe_values(field),
            **PARAMETERS.get(name, {}),
        }


def _describe_values(field: forms.Field) -> Schema:
    if isinstance(field, fields.ChoiceField):
        return {"schema": {"type": "string", "enum": [*field.choices]}}
    if isinstance(field, fields.NumberField):
        return {"schema": {"type": "integer", "minimum": field.min_value, "maximum": field.max_value}}
    if not isinstance(field, fields.FactValuesField):
        return {}
    if field.fact.kind is FactKind.RANGE:
        item: Schema = {"type": "integer", "minimum": 0, "maximum": LARGEST}
        return {"schema": {"type": "array", "items": item}, "examples": {"7": {"value": [7]}}}
    codes = [*field.fact.codes]
    item = {"type": "string", "enum": codes}
    return {"schema": {"type": "array", "items": item}, "examples": {codes[0]: {"value": codes[:1]}}}


def describe_formats(name: str, formats: Formats) -> Schema:
    """Return the description of the parameter `format` or `extension`."""
    extensions = [each.extension for each in formats]
    described = PARAMETERS[name] | {"schema": {"type": "string", "enum": extensions}}
    if name == "format":
        described["examples"] = {each: {"value": each} for each in extensions}
    return described
