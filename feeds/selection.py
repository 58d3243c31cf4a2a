"""Selections: the queries of readers for occasions."""

from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from urllib.parse import quote, urlencode

import msgspec

from feeds.facts import split_token
from feeds.vocabulary import LanguageCode
from feeds.wording import format_date

NO_SUB_AREA = "none"
# The query parameters of a selection's fields, as the interface spells them.
PARAMETERS = {
    "areas": "area",
    "sub_areas": "subarea",
    "locations": "location",
    "rooms": "room",
    "organizers": "organizer",
    "types": "type",
    "spoken": "spoken",
    "lists": "list",
    "words": "q",
    "highlighted": "highlighted",
    "sign_interpreted": "signinterpreted",
    "chosen": "occation",
}
# Fields whose values are names of things in the programme.
NAMED = ("areas", "sub_areas", "locations", "rooms", "organizers", "types", "spoken", "lists")


class DateKeyword(StrEnum):
    """A date that depends on the current time."""

    TODAY = "today"
    TOMORROW = "tomorrow"
    NOW = "now"
    UPCOMING = "upcoming"


# The keywords that name a day.
DAY_KEYWORDS = (DateKeyword.TODAY, DateKeyword.TOMORROW)


class Cancelled(StrEnum):
    """How calendars mark cancellations for programs that mishandle the status (decisions, "iCalendar").

    `show` is for programs that hide occasions with the status, `mark` for programs that ignore it.
    """

    SHOW = "show"
    MARK = "mark"


class DayRange(msgspec.Struct, frozen=True, order=True):
    first: date
    last: date

    def __str__(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first}/{self.last}"

    def label(self, language: LanguageCode) -> str:
        ends = dict.fromkeys((format_date(self.first, language), format_date(self.last, language)))
        return " – ".join(ends)


Days = DayRange | DateKeyword


def find_days(named: Days, today: date) -> DayRange:
    """Return the days of an interval or a keyword of `DAY_KEYWORDS`."""
    if isinstance(named, DayRange):
        return named
    day = today if named is DateKeyword.TODAY else date.fromordinal(today.toordinal() + 1)
    return DayRange(day, day)


class Selection(msgspec.Struct, frozen=True, cache_hash=True):
    """A query: the values of a field are alternatives, and all fields must match.

    The fields are in the order of the parameters of a canonical URL. `days` are the days on which occasions
    begin, `during` also those on which they continue; `after` are hours. `spoken` are codes of the languages
    of events, `words` searched words, `chosen` the IDs of occasions, `facts` tokens (feeds/facts.py), which
    are alternatives except for accessibility. `within` is the ID of a list that a path names, beside
    `lists`. `cancelled` and `language` select nothing: they determine the presentation.
    """

    moments: tuple[DateKeyword, ...] = ()
    days: tuple[DayRange, ...] = ()
    during: tuple[Days, ...] = ()
    after: tuple[int, ...] = ()
    areas: tuple[str, ...] = ()
    sub_areas: tuple[str, ...] = ()
    locations: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()
    organizers: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    highlighted: bool = False
    sign_interpreted: bool = False
    chosen: tuple[int, ...] = ()
    facts: tuple[str, ...] = ()
    within: str = ""
    edition: str = ""
    cancelled: Cancelled | None = None
    language: LanguageCode = "sv"

    @property
    def query(self) -> str:
        """The canonical query string, '' for the whole programme in Swedish."""
        return urlencode(list(self.pairs()), quote_via=quote, safe="/")

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the parameters of the canonical URL, in order, with their values."""
        yield from (("date", str(value)) for value in (*self.moments, *self.days))
        yield from (("during", str(value)) for value in self.during)
        yield from (("after", str(hour)) for hour in self.after)
        for field, parameter in PARAMETERS.items():
            for value in _values(getattr(self, field)):
                yield parameter, value
        yield from map(split_token, self.facts)
        if self.edition:
            yield "edition", self.edition
        if self.cancelled:
            yield "cancelled", self.cancelled
        if self.language != "sv":
            yield "language", self.language

    @property
    def depends_on_time(self) -> bool:
        return bool(self.moments) or any(isinstance(each, DateKeyword) for each in self.during)

    def named(self) -> dict[str, tuple[str, ...]]:
        return {PARAMETERS[field]: getattr(self, field) for field in NAMED}


def _values(value: bool | tuple[str | int, ...]) -> list[str]:
    """Return the values of a parameter that may be repeated; IDs are joined into one."""
    if isinstance(value, bool):
        return ["true"] * value
    texts = [*map(str, value)]
    return [".".join(texts)] if value and isinstance(value[0], int) else texts
