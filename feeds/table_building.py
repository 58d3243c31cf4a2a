"""Builds the JSON tables of the interface from values: fields of the same name, converted by their types."""

import re
from collections.abc import Callable
from datetime import time
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from msgspec.structs import fields

from feeds import interface
from feeds.vocabulary import Text, Value

Table = TypeVar("Table", bound=interface.JsonTable)


def translatable(text: Text) -> interface.Translatable:
    return interface.Translatable(en=text.en or None, sv=text.sv or None)


def _clock_time(clock_time: time | None) -> str | None:
    return None if clock_time is None else f"{clock_time:%H:%M:%S}"


def _none_if_empty(text: str) -> str | None:
    return text or None


class PlainFields:
    """The fields of a table that a value has under the same name, but for its case."""

    def __init__(self, table: type[interface.JsonTable], value: type[Value]) -> None:
        types = {field.name: field.type for field in fields(value)}
        named = [(field, re.sub("[A-Z]", r"_\g<0>", field.name).lower()) for field in fields(table)]
        plain = {
            field.name: (attribute, _CONVERSIONS[types[attribute], field.type])
            for field, attribute in named
            if attribute in types and (types[attribute], field.type) in _CONVERSIONS
        }
        self.names = tuple(plain)
        self.get = attrgetter(*(attribute for attribute, _ in plain.values()))
        self.optional = [name for name, (_, convert) in plain.items() if convert is _none_if_empty]
        others = (None, _none_if_empty)
        self.converted = [(name, convert) for name, (_, convert) in plain.items() if convert not in others]


# How a field is written, by its type in the value and in the table; None: as it is.
_CONVERSIONS: dict[tuple[Any, Any], Callable[[Any], Any] | None] = {
    (bool, bool): None,
    (int, int): None,
    (str, str): None,
    (str, str | None): _none_if_empty,
    (Text, interface.Translatable): translatable,
    (time | None, str | None): _clock_time,
}
_get_plain_fields = cache(PlainFields)


def build_table(table: type[Table], value: Value, **others: Any) -> Table:
    """Return a table of the fields that a value has, too, and of others, which take precedence."""
    plain = _get_plain_fields(table, type(value))
    values = dict(zip(plain.names, plain.get(value), strict=True))
    # Most fields are of this kind: a call for each would take as long as all else.
    for name in plain.optional:
        values[name] = values[name] or None
    for name, convert in plain.converted:
        values[name] = convert(values[name])
    values.update(others)
    return table(**values)
