"""Spreads a row over the occasions that its cells name: each of its days, and each of its times."""

from collections.abc import Collection, Iterator
from datetime import date

from programme.exchange.readers.sheet.columns import IDENTITY
from programme.exchange.readers.sheet.date_cells import parse_cell
from programme.exchange.readers.sheet.rows import SheetRow
from programme.exchange.readers.sheet.times import parse_clock, parse_date_and_time
from programme.exchange.text.when import list_times, split_days

# A clock time, or the day with it; and of those that repeat what one occasion alone has.
_DAYS = ("day", "festival_day")
_SINGLE = ("end_day", "end")


def spread_row(row: SheetRow, days: Collection[date]) -> Iterator[SheetRow]:
    """Yield the row for each occasion that it names, with its dates and times as the parsers expect them.

    `days` are the festival's. Texts that are not understood stay as they are.
    """
    texts = {field: _write(row.texts[field], days) for field in _SINGLE if row.texts.get(field)}
    field, named, rest = _find_days(row, days)
    starts = _list_starts(row.text("start") or rest, days)
    first = True
    for day in named:
        for start in starts:
            one = texts | ({field: day} if day else {}) | ({"start": start} if start else {})
            # Only one of them can be the occasion that the row identifies.
            own = {} if first or IDENTITY not in row.texts else {IDENTITY: ""}
            yield SheetRow(row.number, row.texts | one | own, row.sheet)
            first = False


def _find_days(row: SheetRow, days: Collection[date]) -> tuple[str, tuple[str, ...], str]:
    """Return the field of a row's days, its days, and the times that stand beside them in the cell."""
    field = next((name for name in _DAYS if row.text(name)), "")
    if not field and row.text("weekday") and not _has_date(row.text("start")):
        # A sheet may have no dates but weekdays.
        field, text = "day", row.text("weekday")
    else:
        text = row.text(field)
    named, rest = split_days(text, days)
    if rest and row.text("start"):
        # Which of the two counts is for the parser of the cell to say.
        return field, (text,), ""
    # The cell's own words are those that questions and remarks name.
    is_understood = len(named) == 1 and not rest and parse_cell(text)
    return field, (text,) if is_understood else named or (text,), rest


def _list_starts(text: str, days: Collection[date]) -> tuple[str, ...]:
    times = list_times(text)
    if times != (text,) or parse_clock(text) or parse_date_and_time(text):
        return times
    named, rest = split_days(text, days)
    return tuple(f"{day} {time}".strip() for day in named for time in list_times(rest)) or (text,)


def _has_date(text: str) -> bool:
    # 12.10–13.10 may be days, too.
    is_time = list_times(text) != (text,)
    return bool(parse_date_and_time(text) or (not is_time and split_days(text)[0]))


def _write(text: str, days: Collection[date]) -> str:
    """Return the date, the time, or both, of a cell that ends an occasion."""
    times = _list_starts(text, days)
    return times[0] if len(times) == 1 else text
