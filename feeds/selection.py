"""Which occasions a reader asks for."""

from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from urllib.parse import quote, urlencode

import msgspec

from feeds.vocabulary import LanguageCode
from feeds.wording import format_date

NO_SUB_AREA = "none"
# The field of a selection, and the parameter that asks for it, as the interface spells it.
PARAMETERS = {
    "areas": "area",
    "sub_areas": "subarea",
    "rooms": "room",
    "organizers": "organizer",
    "types": "type",
    "spoken": "spoken",
    "words": "q",
    "highlighted": "highlighted",
    "sign_interpreted": "signinterpreted",
    "chosen": "occation",
}
# Those whose values are names that something in the programme bears.
NAMED = ("areas", "sub_areas", "rooms", "organizers", "types", "spoken")


class DateKeyword(StrEnum):
    """A date that the clock decides."""

    TODAY = "today"
    TOMORROW = "tomorrow"
    NOW = "now"
    UPCOMING = "upcoming"


class DayRange(msgspec.Struct, frozen=True, order=True):
    """Festival days from the first to the last, both included."""

    first: date
    last: date

    def __str__(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first}/{self.last}"

    def label(self, language: LanguageCode) -> str:
        ends = dict.fromkeys((format_date(self.first, language), format_date(self.last, language)))
        return " – ".join(ends)


class Selection(msgspec.Struct, frozen=True, cache_hash=True):
    """What is asked for. Values of one field are alternatives; all fields must hold.

    The fields stand in the order in which a canonical URL names them. `spoken` are codes of the languages
    in which events are held, `words` what their texts must hold, `chosen` the IDs of occasions.
    """

    moments: tuple[DateKeyword, ...] = ()
    days: tuple[DayRange, ...] = ()
    areas: tuple[str, ...] = ()
    sub_areas: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()
    organizers: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    highlighted: bool = False
    sign_interpreted: bool = False
    chosen: tuple[int, ...] = ()
    language: LanguageCode = "sv"

    @property
    def query(self) -> str:
        """The query string that asks for this, '' for the whole programme in Swedish."""
        return urlencode(list(self.pairs()), quote_via=quote, safe="/")

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Give the parameters of the canonical URL, in order, with their values."""
        for value in (*self.moments, *self.days):
            yield "date", str(value)
        for field, parameter in PARAMETERS.items():
            for value in _values(getattr(self, field)):
                yield parameter, value
        if self.language != "sv":
            yield "language", self.language

    def named(self) -> dict[str, tuple[str, ...]]:
        """Return the names asked for, by the interface's parameter."""
        return {PARAMETERS[field]: getattr(self, field) for field in NAMED}


def _values(held: bool | tuple[str | int, ...]) -> Iterator[str]:
    """Give what a parameter is repeated with: a flag that is set once, and IDs in one."""
    if isinstance(held, bool):
        yield from ("true",) * held
    elif held and isinstance(held[0], int):
        yield ".".join(map(str, held))
    else:
        yield from map(str, held)
