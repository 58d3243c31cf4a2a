"""Reads dates and times as people write them, and writes them as the other parsers expect them.

What is not understood is returned as it is: who reads it next says so, with the text's own words.
"""

import re
from collections.abc import Collection
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

_DASH = r"\s*[-–—−]\s*"
_TO = rf"(?:{_DASH}|\s+(?:till|to|until|bis)\s+)"
_FROM = r"(?:(?:kl|klockan|från|fr\.?\s?o\.?\s?m|ca|cirka|c:a|ab|um|gegen|from|at|around|approx)\b\.?\s*)*"
_HALF = r"(?:\s*([ap])\.?(?:m\b\.?)?)?"
_POINT = rf"{_FROM}(\d{{1,2}})(?:\s?[:.]\s?(\d{{2}})|h(\d{{2}})?)?{_HALF}(?:\s*(?:uhr|h|tiden))?"
_CLOCK = re.compile(_POINT, re.ASCII)
_SPAN = re.compile(rf"{_POINT}{_TO}{_POINT}", re.ASCII)
_ONWARDS = re.compile(
    rf"(?<=\d)(?:{_DASH}(?:sent|late|open end|slut|ende)?|\s+(?:och framåt|and on|onwards))$", re.IGNORECASE
)
_FOUR_DIGITS = re.compile(r"(?<!\d)([01]\d|2[0-4])([0-5]\d)(?!\d)", re.ASCII)
_WORDS = {
    **dict.fromkeys(("hela dagen", "heldag", "hela dygnet", "all day", "ganztägig"), "00:00–24:00"),
    **dict.fromkeys(("midnatt", "midnight", "mitternacht"), "24:00"),
    **dict.fromkeys(("klockan tolv", "noon", "mittag"), "12:00"),
}
# A slash divides times, too, but never the two numbers of a date.
_AND = r"\s*,\s+|\s*[;&\n]\s*|\s+(?:och|and|und|samt|\+)\s+"
_BETWEEN_TIMES = re.compile(rf"{_AND}|(?<=[:.]\d\d)\s*[/,]\s*|\s+/\s+", re.IGNORECASE)
_NOON, _HOURS, _MINUTES = 12, 24, 60


@lru_cache(maxsize=4096)
def list_times(text: str) -> tuple[str, ...]:
    """Return the times in a text, each as `18:30` or `18:30–20:00`; the text itself where there are none.

    `18-20`, `kl. 18.30–20`, `från 18.30`, `18h30`, `6p-9p`, `11:30, 15:30 och 19:15` (three), `hela dagen`.
    """
    line = _ONWARDS.sub("", text.strip())
    found = [_read_times(part) for part in _BETWEEN_TIMES.split(line) if part]
    return tuple(filter(None, found)) if found and all(found) else (text,)


def _read_times(part: str) -> str:
    part = _FOUR_DIGITS.sub(r"\1:\2", part.strip().lower())
    if part in _WORDS:
        return _WORDS[part]
    if match := _SPAN.fullmatch(part):
        start, end = _read_span(match.groups())
        return f"{start}–{end}" if start and end else ""
    if match := _CLOCK.fullmatch(part):
        return _read_clock(*match.groups())
    return ""


def _read_span(groups: tuple[str, ...]) -> tuple[str, str]:
    """Return both times; the half of the day that only the end states holds for the start if it can."""
    (hour, minutes, after_h, half), end = groups[:4], groups[4:]
    if half is None and end[3]:
        is_later = int(hour) % _NOON >= int(end[0]) % _NOON
        half = ("a" if end[3] == "p" else "p") if is_later else end[3]
    return _read_clock(hour, minutes, after_h, half), _read_clock(*end)


def _read_clock(hour: str, minutes: str | None, after_h: str | None, half: str | None) -> str:
    hours, minute = int(hour), int(minutes or after_h or 0)
    if half and hours <= _NOON:
        hours = hours % _NOON + (_NOON if half == "p" else 0)
    is_time = (hours < _HOURS or (hours, minute) == (_HOURS, 0)) and minute < _MINUTES
    return f"{hours:02}:{minute:02}" if is_time else ""


def suggest_time(text: str) -> str:
    """Return how the times in a text that was not understood can be written, or an example."""
    found = re.findall(r"(?<![\d.:])(?:[01]?\d|2[0-4])[.:][0-5]\d(?![\d.:])", text)
    return "–".join(found[:2]) or "18.30–20"


def suggest_date(text: str) -> str:
    """Return how the first date in a text that was not understood can be written, or an example."""
    words = re.findall(r"[\w/.-]+", text.lower())
    found = (split_days(" ".join(words[n : n + size])) for n in range(len(words)) for size in (3, 2, 1))
    named = (days[0] for days, rest in found if days and not rest)
    return next((day for day in named if day[0].isdigit() and day not in text), "2026-09-12")


# --- Days --------------------------------------------------------------------------------------------

_MONTH_NAMES = (
    "januari january januar", "februari february februar", "mars march märz maerz", "april", "maj may mai",
    "juni june", "juli july", "augusti august", "september", "oktober october", "november",
    "december dezember",
)  # fmt: skip
_WEEKDAY_NAMES = (
    "måndag monday montag", "tisdag tuesday dienstag", "onsdag wednesday mittwoch",
    "torsdag thursday donnerstag", "fredag friday freitag", "lördag saturday samstag sonnabend",
    "söndag sunday sonntag",
)  # fmt: skip
_SHORT_WEEKDAYS = {
    "må": 0, "mo": 0, "ti": 1, "di": 1, "on": 2, "mi": 2, "to": 3, "do": 3, "fr": 4, "lö": 5, "sa": 5,
    "sö": 6, "so": 6,
}  # fmt: skip
_LEAST_LETTERS, _SHORTEST_ENDING = 3, ("en", "ar", "s")


def find_month(word: str) -> int | None:
    """Return the number of a month by its name, or the first three letters of it, in three languages."""
    return _find_name(word.lower().rstrip("."), _MONTH_NAMES, 1)


def find_weekday(word: str, *, may_be_short: bool = False) -> int | None:
    """Return the number of `lör`, `Lördagen` or `Saturdays`, Monday's is 0; of `Lö` if it may be short."""
    word = word.lower().rstrip(".")
    if may_be_short and word in _SHORT_WEEKDAYS:
        return _SHORT_WEEKDAYS[word]
    stems = (word, *(word.removesuffix(each) for each in _SHORTEST_ENDING))
    found = (_find_name(stem, _WEEKDAY_NAMES, 0) for stem in stems)
    return next((number for number in found if number is not None), None)


def _find_name(word: str, names: Collection[str], first: int) -> int | None:
    if len(word) < _LEAST_LETTERS:
        return None
    found = (number for number, each in enumerate(names, first) if f" {word}" in f" {each}")
    return next(found, None)


_YEAR = r"(20[1-9]\d)(?!\d)"
_TH = r"(?::?[ea]\b|st\b|nd\b|rd\b|th\b|\.)?"
_MONTH = r"[a-zåäö]{3,}"
# Groups: year, month and day by the letters of the key.
_POINTS = {
    "ymd": re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)"),
    "dmy": re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d{2})(?!\d)"),
    "dmy-": re.compile(rf"(\d{{1,2}})-(\d{{1,2}}|{_MONTH})-(\d{{4}}|\d{{2}})(?!\d)"),
    "dmy ": re.compile(rf"(\d{{1,2}}){_TH}\s*(?:of\s+)?({_MONTH})\.?(?:,?\s+{_YEAR})?"),
    "mdy": re.compile(rf"({_MONTH})\.?\s*(\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])(?:,?\s+{_YEAR})?"),
    "dmy/": re.compile(rf"(\d{{1,2}})\s*[/.]\s*(\d{{1,2}})(?![\d:])\.?(?:\s*{_YEAR})?"),
    "d": re.compile(rf"(\d{{1,2}}){_TH}(?![\d:])"),
}
_SEPARATOR = re.compile(rf"(?P<to>{_TO})|{_AND}", re.IGNORECASE)
_WORD = re.compile(r"\(?\b([^\W\d_]{2,12})\b\.?\)?,?")
_ARTICLE = re.compile(r"\b(?:den|the)\s+(?=\d)")
_SERIAL = re.compile(r"[2-7]\d{4}")
_SERIAL_ZERO, _LEAP_YEAR, _CENTURY = date(1899, 12, 30), 2000, 2000
_MOST_DAYS, _MOST_IN_MONTH = 62, 31


class Point(NamedTuple):
    """A day, as far as a text states it; `text` is what it says, `is_end` that it ends a period."""

    text: str
    day: int
    month: int | None = None
    year: int | None = None
    is_end: bool = False

    def complete(self, other: "Point") -> "Point":
        return self._replace(month=self.month or other.month, year=self.year or other.year)

    def find(self) -> date | None:
        try:
            return date(self.year or _LEAP_YEAR, self.month or 0, self.day)
        except ValueError:
            return None


def split_days(text: str, days: Collection[date] = ()) -> tuple[tuple[str, ...], str]:
    """Return the days that a text begins with, each as `2026-09-12`, `12/9` or `lördag`, and what follows.

    `12-13 september 2026`, `12–15/9` (each day), `12/9 och 14/9`, `2026/09/12`, `12-sep-26`, `46277` (the
    number of a spreadsheet program), `fre–sön`. Of `0912` the festival's days decide. No days, and the text,
    where it does not begin with a day, or a period is longer than two months. One date keeps its weekday, and
    `9/12/2026` is as it is: both are checked later.
    """
    line = text.strip().lower()
    if found := _list_weekdays(line) or _read_number(line, days):
        return found, ""
    first, line = _cut_weekdays(line)
    points, end = _scan(_ARTICLE.sub("", line).strip())
    rest = _ARTICLE.sub("", line).strip()[end:].strip(" ,")
    found = _name_days(points)
    if not found or (rest and list_times(rest) == (rest,) and not re.match(r"\d|kl", rest)):
        return (), text
    return (f"{first} {found[0]}".strip(),) if len(found) == 1 else found, rest


def _read_number(line: str, days: Collection[date]) -> tuple[str, ...]:
    if _SERIAL.fullmatch(line):
        return (str(_SERIAL_ZERO + timedelta(int(line))),)
    if not re.fullmatch(r"\d{4}", line):
        return ()
    first, second = int(line[:2]), int(line[2:])
    fitting = {day for day in days if (day.month, day.day) in {(first, second), (second, first)}}
    return (str(fitting.pop()),) if len(fitting) == 1 else ()


def _list_weekdays(line: str) -> tuple[str, ...]:
    """Return the weekdays of a text with nothing else: one, several, or each from the first to the last."""
    *others, last = [part for part in _SEPARATOR.split(line) if part is not None] or [""]
    named = [find_weekday(word, may_be_short=True) for word in (*others[::2], last)]
    if not line or None in named:
        return ()
    numbers = [each for each in named if each is not None]
    if len(numbers) > 1 and any(others[1::2]):
        numbers = [(numbers[0] + n) % 7 for n in range((numbers[-1] - numbers[0]) % 7 + 1)]
    return tuple(_WEEKDAY_NAMES[number].split()[0] for number in numbers)


def _cut_weekdays(line: str) -> tuple[str, str]:
    """Return the first weekday of a text, and the text without any."""
    found: list[str] = []

    def cut(match: re.Match[str]) -> str:
        if find_weekday(match[1], may_be_short=match.start() == 0) is None:
            return match[0]
        found.append(match[1])
        return " "

    rest = _WORD.sub(cut, line)
    return (found[0] if found else ""), " ".join(rest.split())


def _scan(line: str) -> tuple[list[Point], int]:
    """Return the days at the beginning of a text, and where they end."""
    points: list[Point] = []
    place, end, is_end = 0, 0, False
    while point := _read_point(line, place):
        # After "mars 12" a number is a day, after "12 mars" a time.
        if points and not point.month and points[-1].month and not points[-1].text[0].isalpha():
            break
        points.append(point._replace(is_end=is_end))
        end = place + len(point.text)
        separator = _SEPARATOR.match(line, end)
        if separator is None:
            break
        place, is_end = separator.end(), bool(separator["to"])
    return points, end


def _read_point(line: str, place: int) -> Point | None:
    for letters, pattern in _POINTS.items():
        if match := pattern.match(line, place):
            parts = dict(zip(letters, match.groups(), strict=False))
            month, year, day = parts.get("m"), parts.get("y"), int(parts["d"])
            number = find_month(month) if month and month.isalpha() else int(month or 0)
            whole = int(year) + (_CENTURY if len(year) == len("26") else 0) if year else None
            if day <= _MOST_IN_MONTH and (number in range(1, 13) if month else month is None):
                return Point(match[0], day, number or None, whole)
    return None


def _name_days(points: list[Point]) -> tuple[str, ...]:
    """Return each day of what was found; nothing if any is no date, or they are too many."""
    if len(points) == 1 and re.fullmatch(r"\d{1,2}/\d+/\d+", points[0].text):
        return (points[0].text,)
    found: list[date] = []
    for point in _complete(points):
        day = point.find()
        if day is None or len(found) > _MOST_DAYS:
            return ()
        if not point.is_end:
            found.append(day)
            continue
        if day < found[-1] and point.year is None:
            day = day.replace(year=day.year + 1)
        days = min((day - found[-1]).days, _MOST_DAYS)
        found += [found[-1] + timedelta(number) for number in range(1, days + 1)]
    if len(found) > _MOST_DAYS:
        return ()
    return tuple(str(day) if points[0].year else f"{day.day}/{day.month}" for day in dict.fromkeys(found))


def _complete(points: list[Point]) -> list[Point]:
    """Give each day the month and the year of the next one, else of the one before it."""
    for number in range(len(points) - 2, -1, -1):
        points[number] = points[number].complete(points[number + 1])
    for number in range(1, len(points)):
        points[number] = points[number].complete(points[number - 1])
    return points
