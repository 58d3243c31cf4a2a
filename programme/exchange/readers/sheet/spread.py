"""Spreads a row over the occasions that its cells name: each of its days, and each of its times."""

import re
from collections.abc import Collection, Iterator
from datetime import date

from msgspec.structs import replace

from programme.exchange.readers.sheet.columns import IDENTITY
from programme.exchange.readers.sheet.date_cells import parse_cell
from programme.exchange.readers.sheet.rows import SheetRow
from programme.exchange.text.times import LOOKED_AT, TO
from programme.exchange.text.when import split_days, split_moment
from programme.models.cleaning import clean_line

_DAYS = ("day", "festival_day")
_TO = re.compile(TO)


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
