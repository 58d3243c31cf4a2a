"""A row of a sheet: its texts by field, its place, what identifies it, and the occasions that it names."""

import re
import uuid
from collections.abc import Collection, Iterator
from datetime import date

import msgspec
from msgspec.structs import replace

from programme.exchange.readers.sheet.columns import IDENTITY
from programme.exchange.readers.sheet.date_cells import parse_cell
from programme.exchange.readers.sheet.dates import DATED, SheetDates
from programme.exchange.text.times import LOOKED_AT, TO
from programme.exchange.text.when import split_days, split_moment
from programme.models.cleaning import clean_line
from programme.models.parsing import parse_int

_DAYS = ("day", "festival_day")
_TO = re.compile(TO)
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
    def has_time(self) -> bool:
        return any(self.text(field) for field in TIMES)


def complete_row(row: SheetRow, dates: SheetDates) -> SheetRow:
    """Return a row with its dates as they are read."""
    dated = (*DATED, *MOMENTS)
    found = {field: dates.complete(row.texts[field]) for field in dated if row.texts.get(field)}
    return replace(row, texts=row.texts | found)


def read_number(text: str) -> int:
    """Return the number of a row as exported sheets have it, 0 without a usable one."""
    return parse_int(text, _MAX_DIGITS) or 0


def is_identity(text: str) -> bool:
    """Return whether a text is the identity of an occasion, as exported sheets have it."""
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


# --- Its occasions


def spread_row(row: SheetRow, days: Collection[date]) -> Iterator[SheetRow]:
    """Yield the row for each occasion that it names, with its dates and times as the parsers expect them.

    `days` are the festival's. Texts that are not understood stay as they are.
    """
    field, named, rest = _find_days(row, days)
    texts = {name: _read(row, name) for name in ("end_day", "end")}
    ends = {name: _write_one(text, days) or text for name, text in texts.items() if text}
    first = True
    for day in named:
        for start, end in _list_spans(_read(row, "start") or rest, days):
            stated = {field: day, "start": start, "end": end}
            one = {name: text for name, text in stated.items() if name and text} | ends
            # Only one of them can be the occasion that the row identifies.
            own = {} if first or IDENTITY not in row.texts else {IDENTITY: ""}
            yield replace(row, texts=row.texts | one | own)
            first = False


def _find_days(row: SheetRow, days: Collection[date]) -> tuple[str, tuple[str, ...], str]:
    """Return the field of a row's days, its days, and the times that stand beside them in the cell."""
    field = next((name for name in _DAYS if row.text(name)), "")
    text = _read(row, field)
    if not field and row.text("weekday") and not split_moment(_read(row, "start"))[0]:
        # A sheet may have no dates but weekdays.
        field, text = "day", _read(row, "weekday")
    named, rest = split_days(text, days)
    if (rest and row.text("start")) or (len(named) == 1 and not rest and parse_cell(text)):
        # Which of the two counts is for the parser to say; and questions name the cell's own words.
        return field, (text,), ""
    return field, named or (text,), rest


def _read(row: SheetRow, field: str) -> str:
    """Return a cell with its lines, each of which may be a day or a time."""
    return "\n".join(filter(None, map(clean_line, row.texts.get(field, "").splitlines())))


def _list_spans(text: str, days: Collection[date]) -> list[tuple[str, str]]:
    """Return start and end of each occasion that a cell names, with the days that it states."""
    named, times = split_moment(text, days)
    if times:
        spans = [time.partition("–") for time in times]
        return [(f"{day} {start}".strip(), end) for day in named or ("",) for start, _to, end in spans]
    for to in _TO.finditer(text[:LOOKED_AT]):
        start, end = _write_one(text[: to.start()], days), _write_one(text[to.end() :], days)
        if start and end:
            return [(start, end)]
    return [(text, "")]


def _write_one(text: str, days: Collection[date]) -> str:
    """Return the only day or time of a text, or one with the other; '' of any other text."""
    named, times = split_moment(text, days)
    written = [f"{day} {time}".strip() for day in named or ("",) for time in times or ("",)]
    return written[0] if len(written) == 1 and "–" not in written[0] else ""
