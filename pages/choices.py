"""What visitors choose from."""

from typing import NamedTuple


class Option(NamedTuple):
    value: str
    label: str
    chosen: bool


class Chip(NamedTuple):
    """A link that takes a filter off; `place` is where else the page shows it."""

    label: str
    path: str
    place: str = ""


class Choice(NamedTuple):
    parameter: str
    label: str
    options: list[Option]


class Toggle(NamedTuple):
    """A filter by one value; `path` adds it, or takes it off if it is chosen; `size` is what it shows."""

    parameter: str
    value: str
    label: str
    size: int
    chosen: bool
    path: str
    area: int = 0
