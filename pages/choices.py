"""What visitors choose from."""

from typing import NamedTuple

# More are a list of one choice.
MAX_BOXES = 16


class Option(NamedTuple):
    value: str
    label: str
    chosen: bool


class Chip(NamedTuple):
    """A link that takes a filter off; `place` is where else the form shows it."""

    label: str
    path: str
    place: str = ""


class Choice(NamedTuple):
    """Options to choose from, or a field for the number `typed`.

    `others` are chosen values that it cannot hold.
    """

    parameter: str
    label: str
    options: list[Option]
    others: list[str]
    typed: str = ""

    @property
    def box(self) -> str:
        """The type of the options' fields, '' where they are too many."""
        return "radio" if self.parameter == "after" else "checkbox" * (len(self.options) <= MAX_BOXES)


class Toggle(NamedTuple):
    """A filter by one value: its parameter, and the address that adds it, or takes it off if it is chosen.

    `size` is how many occasions choosing it shows, of the day, if that is said; `area` is the ID of one.
    """

    parameter: str
    value: str
    label: str
    size: int
    chosen: bool
    path: str
    area: int = 0
