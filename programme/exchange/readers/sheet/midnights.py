"""Completes dates of a workbook that are midnights: a cell at 00:00 is read as a date alone."""

import re
from collections import Counter
from collections.abc import Iterator

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(_DAY.pattern + r" \d{2}:\d{2}:\d{2}")
_MIDNIGHT = " 00:00:00"


def complete_midnights(rows: list[list[str]]) -> None:
    """Add the time to dates in columns in which more dates have a time than have none."""
    moments = Counter(_find_columns(rows, _MOMENT))
    if not moments:
        return
    days = Counter(_find_columns(rows, _DAY))
    for place in (place for place, number in moments.items() if 0 < days[place] < number):
        for row in rows:
            if place < len(row) and _DAY.fullmatch(row[place]):
                row[place] += _MIDNIGHT


def _find_columns(rows: list[list[str]], pattern: re.Pattern[str]) -> Iterator[int]:
    return (place for row in rows for place, text in enumerate(row) if pattern.fullmatch(text))
