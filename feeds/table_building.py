"""Builds the JSON tables of the interface from values: fields of the same name, converted by their types."""

import re
from collections.abc import Callable
from datetime import time
from functools import cache
from operator import attrgetter, itemgetter
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


class TablePlan:
    """Where each field of a table comes from: the value's field of that name, but for its case, or `others`.

    A table is built from positional arguments, because keywords would take as long as all else.
    """

    def __init__(self, table: type[interface.JsonTable], value: type[Value], others: tuple[str, ...]) -> None:
        types = {field.name: field.type for field in fields(value)}
        plain = [field for field in fields(table) if field.name not in others]
        attributes = [re.sub("[A-Z]", r"_\g<0>", field.name).lower() for field in plain]
        conversions = [
            _CONVERSIONS[types[attribute], field.type]
            for attribute, field in zip(attributes, plain, strict=True)
        ]
        self.get = attrgetter(*attributes)
        self.optional = [place for place, convert in enumerate(conversions) if convert is _none_if_empty]
        self.converted = [
            (place, convert)
            for place, convert in enumerate(conversions)
            if convert not in (None, _none_if_empty)
        ]
        places = [*(field.name for field in plain), *others]
        self.arrange = itemgetter(*(places.index(field.name) for field in fields(table)))


# How a field is written, by its type in the value and in the table; None: as it is.
_CONVERSIONS: dict[tuple[Any, Any], Callable[[Any], Any] | None] = {
    (bool, bool): None,
    (int, int): None,
    (str, str): None,
    (str, str | None): _none_if_empty,
    (Text, interface.Translatable): translatable,
    (time | None, str | None): _clock_time,
}
_plan = cache(TablePlan)


def build_table(table: type[Table], value: Value, **others: Any) -> Table:
    """Return a table of the fields that a value has, too, and of others, which take precedence."""
    plan = _plan(table, type(value), tuple(others))
    values = [*plan.get(value), *others.values()]
    # Most fields are of this kind: a call for each would take as long as all else.
    for place in plan.optional:
        values[place] = values[place] or None
    for place, convert in plan.converted:
        values[place] = convert(values[place])
    return table(*plan.arrange(values))
