"""A row of a sheet: its texts by field, its place, and what identifies it."""

import uuid

import msgspec

from feeds.names import fold
from programme.exchange.readers.sheet.dates import DATED, SheetDates
from programme.models.cleaning import clean_line
from programme.models.parsing import parse_int

TIMES = {*DATED, "duration"}
# They say nothing of the festival's dates.
MOMENTS = ("booking_from",)
# The last one has both.
COORDINATES = ("latitude", "longitude", "coordinates")
_MORNING, _MIDNIGHT = "06", "24:00"
# JavaScript knows longer numbers inexactly.
_MAX_DIGITS = 15


class SheetRow(msgspec.Struct, frozen=True):
    """A row: its number, its texts by the fields that the sheet has, and the sheet if there are several.

    `place` counts the rows of a file: those of a grid may have the same number. `is_late` if it
    follows on one in the evening, below a day that is stated for both.
    """

    number: int
    texts: dict[str, str]
    sheet: str = ""
    place: int = 0
    is_late: bool = False

    def text(self, field: str) -> str:
        text = self.texts.get(field)
        return clean_line(text) if text else ""

    @property
    def is_after_midnight(self) -> bool:
        """Whether its day is the one before: 00:30 after 23:00, but no whole day and no date of its own."""
        return self.is_late and "00" <= self.text("start")[:2] < _MORNING and self.text("end") != _MIDNIGHT

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

    def filled_from(self, other: "RowPlace") -> "RowPlace":
        """Return the place with what its cells leave out, if it is at the location of another one."""
        if not self:
            return other
        place = self.within(other)
        if fold(place.location) != fold(other.location):
            return place
        return RowPlace(place.location, place.address or other.address, place.room or other.room)


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
