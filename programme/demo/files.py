"""Reads the demo's TOML files: rows with the fields of their models, related rows by name, days by number.

In texts a line break is a space, and an empty line begins a paragraph. Day `TODAY` is that of the creation.
The picture of an event is the file that is called by its title. Booking opens so many days after that day.
"""

import re
import tomllib
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from feeds.festival_time import FestivalTime

FOLDER = Path(__file__).parent
FIRST_DAY, TODAY, LAST_DAY = 1, 3, 5

Row = dict[str, Any]


def read_festival() -> dict[str, Any]:
    """Return the festival, and lists of the rows that its events name."""
    return _read(FOLDER / "festival.toml")


def read_events() -> Iterator[tuple[str, list[Row]]]:
    for path in sorted((FOLDER / "events").glob("*.toml")):
        file = _read(path)
        yield file["area"], file["events"]


def _read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = _unwrap(tomllib.loads(path.read_text()))
    return content


def _unwrap(value: Any) -> Any:
    """Return a value with each paragraph of its texts on one line."""
    if isinstance(value, dict):
        return {key: _unwrap(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_unwrap(each) for each in value]
    if not isinstance(value, str):
        return value
    # Not str.splitlines: U+2028 belongs to the text.
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in value.strip("\n").split("\n\n"))


def get_date(day: int, today: date) -> date:
    return today + timedelta(days=day - TODAY)


class OccasionTimes(NamedTuple):
    """An occasion on a numbered day; `end_day` is set if it lasts longer than into the next day."""

    day: int
    start: time
    end: time
    end_day: int | None

    def span(self, today: date, festival_time: FestivalTime) -> tuple[datetime, datetime]:
        end_date = None if self.end_day is None else get_date(self.end_day, today)
        return festival_time.occasion_span(get_date(self.day, today), self.start, self.end, end_date)


_TIMES = re.compile(
    r"(?P<days>[1-5](?:[-,][1-5])*) (?P<start>\d\d:\d\d)-(?:(?P<end_day>[1-5]) )?(?P<end>\d\d:\d\d)"
)


def parse_times(text: str) -> Iterator[OccasionTimes]:
    """Yield the times of one occasion or several: `3 18:00-19:00`, `1-5 …`, `2,4 …`, `1 20:00-3 04:00`."""
    found = _TIMES.fullmatch(text)
    if not found:
        raise ValueError(f"not the times of an occasion: {text!r}")
    start, end = time.fromisoformat(found["start"]), time.fromisoformat(found["end"])
    end_day = int(found["end_day"]) if found["end_day"] else None
    for day in _parse_days(found["days"]):
        yield OccasionTimes(day, start, end, end_day)


def _parse_days(text: str) -> list[int]:
    first, _dash, last = text.partition("-")
    return [*range(int(first), int(last) + 1)] if last else [*map(int, text.split(","))]
