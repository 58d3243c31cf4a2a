"""Reads days as people write them, and writes them as `2026-09-12`, `12/9` or `lördag`.

What is not understood is returned as it is: who reads it next says so, with the text's own words.
"""

import re
from collections.abc import Collection
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from programme.exchange.text.times import AND, LOOKED_AT, TO, list_cell_times, list_times

_MONTH_NAMES = (
    "januari january januar janvier", "februari february februar février fevrier",
    "mars march märz maerz marts", "april avril", "maj may mai", "juni june juin", "juli july juillet",
    "augusti august août aout", "september septembre", "oktober october octobre", "november novembre",
    "december dezember desember décembre",
)  # fmt: skip
_WEEKDAY_NAMES = (
    "måndag monday montag mandag", "tisdag tuesday dienstag tirsdag", "onsdag wednesday mittwoch",
    "torsdag thursday donnerstag", "fredag friday freitag", "lördag saturday samstag sonnabend lørdag",
    "söndag sunday sonntag søndag",
)  # fmt: skip
# Whole words alone: "mer" is Swedish, "mar" a month, and "Per" a name.
_WHOLE_WEEKDAYS = {
    "lundi": 0, "mardi": 1, "mercredi": 2, "jeudi": 3, "vendredi": 4, "samedi": 5, "dimanche": 6,
    "maanantai": 0, "tiistai": 1, "keskiviikko": 2, "torstai": 3, "perjantai": 4, "lauantai": 5,
    "sunnuntai": 6,
}  # fmt: skip
_SHORT_WEEKDAYS = {
    "må": 0, "mo": 0, "ma": 0, "ti": 1, "di": 1, "on": 2, "mi": 2, "ke": 2, "to": 3, "do": 3, "fr": 4,
    "pe": 4, "lö": 5, "lø": 5, "sa": 5, "la": 5, "sö": 6, "sø": 6, "so": 6, "su": 6,
}  # fmt: skip
_LEAST_LETTERS, _ENDINGS = 3, ("en", "ar", "s", "na", "sin")
_EVERY_DAY = ("alla dagar", "varje dag", "dagligen", "every day", "all days", "daily", "täglich", "alle tage")


def find_weekday(word: str, *, may_be_short: bool = False) -> int | None:
    """Return the number of `lör`, `Lördagen` or `Saturdays`, Monday's is 0; of `Lö` if it may be short."""
    word = word.lower().rstrip(".")
    if may_be_short and word in _SHORT_WEEKDAYS:
        return _SHORT_WEEKDAYS[word]
    stems = (word, *(word.removesuffix(each) for each in _ENDINGS))
    found = (_WHOLE_WEEKDAYS.get(stem, _find_name(stem, _WEEKDAY_NAMES, 0)) for stem in stems)
    return next((number for number in found if number is not None), None)


def _find_name(word: str, names: Collection[str], first: int) -> int | None:
    if len(word) < _LEAST_LETTERS:
        return None
    found = (number for number, each in enumerate(names, first) if f" {word}" in f" {each}")
    return next(found, None)


_YEAR = r"(20[1-9]\d)(?!\d)"
# Of two digits only what can be no hour, and ends no period.
_SHORT_YEAR = r"(20[1-9]\d|(?<!-)(?:2[5-9]|3\d))(?![\d:./-])"
_TH = r"(?::?[ea]\b|st\b|nd\b|rd\b|th\b|\.)?"
_MONTH = r"[a-zåäöéû]{3,}"
# Groups: year, month and day by the letters of the key.
_POINTS = {
    "ymd": re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)"),
    "ymd8": re.compile(r"(20[1-9]\d|2\d|3\d)(\d{2})(\d{2})(?!\d)"),
    "dmy": re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d{2})(?!\d)"),
    "mdy/": re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})(?!\d)"),
    "dmy-": re.compile(rf"(\d{{1,2}})-(\d{{1,2}}|{_MONTH})-(\d{{4}}|\d{{2}})(?!\d)"),
    "dmy ": re.compile(rf"(\d{{1,2}}){_TH}\s*(?:of\s+)?({_MONTH})\.?(?:,?\s+{_YEAR})?"),
    "mdy": re.compile(rf"({_MONTH})\.?\s*(\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])(?:,?\s+{_YEAR})?"),
    "dmy/": re.compile(rf"(\d{{1,2}})\s*[/.]\s*(\d{{1,2}})(?![\d:])(?:\s?\.)?(?:\s*-?{_SHORT_YEAR})?"),
    "d": re.compile(rf"(\d{{1,2}}){_TH}(?![\d:]|\s?[ap]\.?m)"),
}
_SEPARATOR = re.compile(rf"(?P<to>{TO})|{AND}|\s*\+\s*", re.IGNORECASE)
_WORD = re.compile(r"\(?\b([^\W\d_]{2,14})\b\.?\)?,?")
_ARTICLE = re.compile(r"\b(?:den|the|le)\s+(?=\d)")
_BEFORE_TIMES = re.compile(r"[\s,]+(?:klo?\b|klockan\b|\d).*$", re.DOTALL)
# A weekday of another language, before a whole date.
_WHOLE = r"\d{1,2}[./-]\d{1,2}[./-]\d{4}\b|\d{4}-\d"
_UNKNOWN = re.compile(rf"^(?!(?:to|bis|til|ab|au|du)\b)[^\W\d_]{{1,3}}\.?,?\s+(?={_WHOLE})")
# What joined the weekdays that were cut out.
_JOINT = re.compile(r"^(?:(?:och|and|und|og|ja|till?|to|bis)\b|[-–—&+,\s])+")
_SERIAL = re.compile(r"[2-7]\d{4}")
_SERIAL_ZERO, LEAP_YEAR, _CENTURY = date(1899, 12, 30), 2000, 2000
_MOST_DAYS, _MOST_IN_MONTH, _MONTHS = 62, 31, 12
# Day and month, or month and day.
SLASHED = re.compile(r"\d{1,2}/\d{1,2}/\d+")


def build_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


class Point(NamedTuple):
    """A day, as far as a text states it; `text` is what it says, `is_end` that it ends a period."""

    text: str
    day: int
    month: int | None = None
    year: int | None = None
    is_end: bool = False
    weekday: str = ""

    def complete(self, other: "Point") -> "Point":
        return self._replace(month=self.month or other.month, year=self.year or other.year)

    def find(self) -> date | None:
        return build_date(LEAP_YEAR if self.year is None else self.year, self.month or 0, self.day)


def split_weekday(text: str) -> tuple[list[str], str]:
    """Return the weekdays that a text names, and the text without them and in lower case."""
    found: list[str] = []

    def cut(match: re.Match[str]) -> str:
        # Later in a text, words of two letters are none: "10 to 12".
        if find_weekday(match[1], may_be_short=match.start() == 0) is None:
            return match[0]
        found.append(match[1])
        return " "

    # As in 2026-09-12T16:00.
    rest = re.sub(r"(?<=\d)t(?=\d)", " ", _WORD.sub(cut, text.strip().lower()))
    return found, _UNKNOWN.sub("", _JOINT.sub("", _ARTICLE.sub("", " ".join(rest.split()))).rstrip(" ,"))


def read_point(line: str, place: int = 0) -> Point | None:
    """Return the day that stands at a place of a text in lower case."""
    for letters, pattern in _POINTS.items():
        if match := pattern.match(line, place):
            parts = dict(zip(letters, match.groups(), strict=False))
            month, year, day = parts.get("m"), parts.get("y"), int(parts["d"])
            number = _find_name(month, _MONTH_NAMES, 1) if month and month.isalpha() else int(month or 0)
            whole = int(year) + (_CENTURY if len(year) == len("26") else 0) if year else None
            if day <= _MOST_IN_MONTH and (number in range(1, _MONTHS + 1) if month else month is None):
                return Point(match[0], day, number or None, whole)
    return None


def split_days(text: str, days: Collection[date] = ()) -> tuple[tuple[str, ...], str]:
    """Return the days that a text begins with, each as `2026-09-12`, `12/9` or `lördag`, and what follows.

    `12-13 september 2026`, `12–15/9` (each day), `12/9 och 14/9`, `2026/09/12`, `12-sep-26`, `46277` (the
    number of a spreadsheet program), `fre–sön`. Of `0912` and `alla dagar` the festival's days decide. No
    days, and the text, where it does not begin with a day, or a period is longer than two months. Dates keep
    their weekdays, and `9/12/2026` is as it is: both are checked later.
    """
    return _split_days(text, frozenset(days)) if len(text) <= LOOKED_AT else ((), text)


# The days of a programme are few.
@lru_cache(maxsize=4096)
def _split_days(text: str, days: frozenset[date]) -> tuple[tuple[str, ...], str]:
    # “LÖRDAG 28 nov:” is a heading.
    line = text.rstrip(" \n:!*").strip().lower().replace("\n", ", ")
    if number := _read_number(line, days):
        return number, ""
    if found := _split_words(line, days):
        return found
    weekdays, line = split_weekday(line)
    points, end = _scan(line)
    rest = line[end:].strip(" ,")
    if len(weekdays) == len(points) or len(points) == 1:
        points = [each._replace(weekday=name) for each, name in zip(points, [*weekdays, ""], strict=False)]
    named = _name_days(points)
    if not named or (rest and not re.match(r"\d|kl", rest) and not list_times(rest)):
        return (), text
    return named, rest


def _read_number(line: str, days: Collection[date]) -> tuple[str, ...]:
    if _SERIAL.fullmatch(line):
        return (str(_SERIAL_ZERO + timedelta(int(line))),)
    if not re.fullmatch(r"\d{3,4}", line):
        return ()
    first, second = int(line[:-2]), int(line[-2:])
    fitting = {day for day in days if (day.month, day.day) in {(first, second), (second, first)}}
    return (str(fitting.pop()),) if len(fitting) == 1 else ()


def _list_weekdays(line: str) -> tuple[str, ...]:
    """Return the weekdays of a text with nothing else: one, several, or each from the first to the last."""
    parts = _SEPARATOR.split(line)
    numbers: list[int] = []
    for word, to in zip(parts[::2], [None, *parts[1::2]], strict=True):
        if (number := find_weekday(word or "", may_be_short=True)) is None:
            return ()
        first = numbers[-1] if to else number - 1
        numbers += [(first + n) % 7 for n in range(1, (number - first) % 7 + 1)]
    return tuple(_WEEKDAY_NAMES[number].split()[0] for number in numbers)


def _split_words(line: str, days: Collection[date]) -> tuple[tuple[str, ...], str] | None:
    """Return the days that words name, and the times behind them: `lör+sön 11-15`, `alla dagar 10-16`."""
    words = _BEFORE_TIMES.sub("", line)
    rest = line[len(words) :].strip(" ,")
    if rest:
        # "fre 11" may be a day of the month, and so may "lör 12.10".
        points, end = _scan(rest)
        may_be_days = points and end == len(rest) and (points[0].month or len(points) == 1)
        if may_be_days or not list_times(rest):
            return None
    found = tuple(map(str, sorted(days))) if words in _EVERY_DAY else _list_weekdays(words)
    return (found, rest) if found else None


def _scan(line: str) -> tuple[list[Point], int]:
    """Return the days at the beginning of a text, and where they end."""
    points: list[Point] = []
    place, end, is_end = 0, 0, False
    while point := read_point(line, place):
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


def _name_days(points: list[Point]) -> tuple[str, ...]:
    """Return each day of what was found; nothing if any is no date, or they are too many."""
    if all(SLASHED.fullmatch(each.text) for each in points):
        if not any(each.is_end for each in points):
            return tuple(f"{each.weekday} {each.text}".strip() for each in points)
        if all(max(each.day, each.month or 0) <= _MONTHS for each in points):
            return ()
    found: dict[date, str] = {}
    last = date.min
    for point in _complete(points):
        day = point.find()
        if day and point.is_end:
            if day < last and point.year is None:
                day = point._replace(year=last.year + 1).find()
            if day is None or not last <= day <= last + timedelta(_MOST_DAYS):
                return ()
            found |= {last + timedelta(number): "" for number in range(1, (day - last).days)}
        if day is None:
            return ()
        found[day] = found.get(day) or point.weekday
        last = day
    written = {day: str(day) if points[0].year else f"{day.day}/{day.month}" for day in found}
    return tuple(f"{found[day]} {text}".strip() for day, text in written.items())


def _complete(points: list[Point]) -> list[Point]:
    """Give each day the month and the year of the next one, else of the one before it."""
    for number in range(len(points) - 2, -1, -1):
        points[number] = points[number].complete(points[number + 1])
    for number in range(1, len(points)):
        points[number] = points[number].complete(points[number - 1])
    return points


def split_moment(text: str, days: Collection[date] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the days and the times of a cell with both, or with times alone."""
    if times := list_cell_times(text):
        return (), times
    named, rest = split_days(text, days)
    times = list_cell_times(rest)
    return (named, times) if times or not rest else ((), ())


def suggest_day(text: str) -> str:
    """Return how the first date in a text that was not understood can be written, '' if it has none."""
    text = text[:LOOKED_AT]
    # Of a period that is too long none is known, nor of a date whose year is.
    words = re.findall(r"[\w/.–-]+", re.sub(r"\s+[-–—]\s+", "–", text.lower())) if split_days(text)[1] else []
    found = (split_days(" ".join(words[n : n + size])) for n in range(len(words)) for size in (3, 2, 1))
    return next((days[0] for days, rest in found if days and not rest and days[0][0].isdigit()), "")
