"""The elements of filters."""

from typing import NamedTuple


class Option(NamedTuple):
    value: str
    label: str
    chosen: bool


class Chip(NamedTuple):
    """A link that removes a filter; `place` is where else the page shows the filter."""

    label: str
    path: str
    place: str = ""


class FilterField(NamedTuple):
    parameter: str
    label: str
    options: list[Option]


class Toggle(NamedTuple):
    """A filter by one value; `path` adds or removes it, and `size` is the resulting number of occasions."""

    parameter: str
    value: str
    label: str
    size: int
    chosen: bool
    path: str
    area: int = 0
