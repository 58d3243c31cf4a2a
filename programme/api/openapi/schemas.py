"""The JSON tables as JSON Schema, which msgspec generates from their structs.

`descriptions.json` describes their fields, with an example of a value: by field, or by table and field where
tables differ.
"""

import json
from datetime import datetime
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Raw

from feeds import interface

Schema = dict[str, Any]

DESCRIPTIONS: dict[str, Schema] = json.loads(Path(__file__).with_name("descriptions.json").read_text())
PATTERNS = {"time-local": r"^\d{2}:\d{2}:\d{2}$", "color": r"^#[0-9A-Fa-f]{6}$"}


def build_schemas(*wanted: type[interface.JsonTable]) -> dict[str, Schema]:
    _, schemas = msgspec.json.schema_components(
        [_described(each) for each in wanted], ref_template="#/components/schemas/{name}"
    )
    return {name: schemas[name] for name in sorted(schemas)}


@cache
def _described(table: type[interface.JsonTable]) -> type[msgspec.Struct]:
    """Return a table with descriptions, and without types that only encoding needs."""
    absent = {field.name for field in msgspec.structs.fields(table) if not field.required}
    fields: list[Any] = []
    for name, hint in get_type_hints(table).items():
        # Tables of `/api/programme` share the descriptions of the interface's own.
        keys = (f"{table.__name__}.{name}", f"{table.__name__.removeprefix('Programme')}.{name}", name)
        description = next((DESCRIPTIONS[key] for key in keys if key in DESCRIPTIONS), None)
        if description is None:
            raise LookupError(f"descriptions.json does not describe {name} of {table.__name__}.")
        shown = _field(hint, **description)
        fields.append((name, shown | msgspec.UnsetType, msgspec.UNSET) if name in absent else (name, shown))
    return msgspec.defstruct(table.__name__, fields)


def _field(hint: Any, text: str, example: Any = None, format: str = "") -> Any:  # noqa: A002 - as in JSON
    """Return a type with its description; `format` is JSON Schema's, or one of the registry of OpenAPI."""
    extra: Schema = {"format": format} if format else {}
    if pattern := PATTERNS.get(format):
        extra["pattern"] = pattern
    stated = _stated(hint, Meta(extra_json_schema=extra) if extra else None)
    # Objects have examples of their own.
    examples = None if example in (None, []) else [example]
    return Annotated[stated, Meta(description=text, examples=examples)]


def _stated(hint: Any, meta: Meta | None) -> Any:
    """Return a type as clients see it, without `Raw` and without text as an alternative to datetimes."""
    if get_origin(hint) in (Union, UnionType):
        seen = [
            each
            for each in get_args(hint)
            if each not in (Raw, msgspec.UnsetType) and not (each is str and datetime in get_args(hint))
        ]
        return Union[tuple(_stated(each, meta) for each in seen)]  # noqa: UP007 - made of a list
    if get_origin(hint) is list:
        (item,) = get_args(hint)
        return list[_stated(item, None)]  # type: ignore[misc]
    if get_origin(hint) is dict:
        return hint
    if hint is type(None) or get_origin(hint) is Literal:
        return hint
    if issubclass(hint, interface.JsonTable):
        return _described(hint)
    if meta and not issubclass(hint, str):
        # Dates and times are strings in JSON.
        hint = str
    return Annotated[hint, meta] if meta else hint
