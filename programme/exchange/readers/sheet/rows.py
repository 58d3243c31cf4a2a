"""A row of a sheet: its texts by field, its place, and what identifies it."""

import uuid

import msgspec

from programme.exchange.readers.sheet.dates import DATED, SheetDates
from programme.models.cleaning import clean_line
from programme.models.parsing import parse_int

TIMES = {*DATED, "duration"}
# They say nothing of the festival's dates.
MOMENTS = ("booking_from",)
# The last one has both.
COORDINATES = ("latitude", "longitude", "coordinates")
# When and where an occasion is: where a row says nothing else, it may be one more of the event above.
PLACES = ("location", "address", "room")
WHEN_AND_WHERE = {*TIMES, "weekday", *PLACES}
# JavaScript knows longer numbers inexactly.
_MAX_DIGITS = 15


class SheetRow(msgspec.Struct, frozen=True):
    """A row: its number, its texts by the fields that the sheet has, and the sheet if there are several.

    `place` counts the rows of a file: those of a grid may have the same number. `shares_day` and `is_late`
    are as a `TableRow` has them. It is on the `next_day` if it is in the night after its day. It is `struck`
    if its title is struck through.
    """

    number: int
    texts: dict[str, str]
    sheet: str = ""
    place: int = 0
    shares_day: bool = False
    is_late: bool | None = None
    next_day: bool = False
    struck: bool = False

    def text(self, field: str) -> str:
        text = self.texts.get(field)
        return clean_line(text) if text else ""

    @property
    def says_when_or_where(self) -> bool:
        return any(self.text(field) for field in WHEN_AND_WHERE)

    @property
    def has_time(self) -> bool:
        return any(self.text(field) for field in TIMES)


class RowPlace(msgspec.Struct, frozen=True, order=True):
    """A place by its names; '' where a cell is empty."""

    location: str = ""
    address: str = ""
    room: str = ""

    def __bool__(self) -> bool:
        return bool(self.location or self.room)

    def within(self, other: "RowPlace") -> "RowPlace":
        """Return the place with the location of another one, if it is a room without any."""
        if not self.room or self.location or not other.location:
            return self
        return RowPlace(other.location, self.address or other.address, self.room)


def complete_row(row: SheetRow, dates: SheetDates) -> SheetRow:
    """Return a row with its dates as they are read."""
    dated = (*DATED, *MOMENTS)
    found = {field: dates.complete(row.texts[field]) for field in dated if row.texts.get(field)}
    return msgspec.structs.replace(row, texts=row.texts | found)


def read_number(text: str) -> int:
    """Return the number of a row as exported sheets have it, 0 without a usable one."""
    return parse_int(text, _MAX_DIGITS) or 0


def is_identity(text: str) -> bool:
    """Return whether a text is the identity of an occasion, as exported sheets have it."""
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False
