"""Says what the cells of a sheet are by themselves, and divides those that hold several occasions."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from typing import NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy

from programme.exchange.text.times import ALL_DAY, AND, LOOKED_AT, list_cell_times, list_times
from programme.exchange.text.when import split_days


class Role(TextChoices):
    """What a used cell of a sheet is, or what the cells of a column or a row are."""

    DAY = "day", gettext_lazy("day")
    TIME = "time", gettext_lazy("time")
    END = "end", gettext_lazy("end")
    PLACE = "place", gettext_lazy("place")
    TITLE = "title", gettext_lazy("title")
    TEXT = "text", gettext_lazy("text")
    HEADING = "heading", gettext_lazy("heading")
    UNUSED = "unused", gettext_lazy("not used")


class Slot(NamedTuple):
    """What one occasion is of a cell: its title, its times as they stand there, and what follows."""

    title: str
    times: str = ""
    text: str = ""


# At the beginning and at the end of a line; numbers alone are part of the title ("7 bröder").
_ONE = r"\d{1,2}(?:[.:]\d{2}|h\d{2})(?:\s*[ap]m\b)?"
_FROM_TO = rf"(?:{_ONE}|\d{{1,2}})(?:\s*[ap]m\b)?\s*[-–—]\s*(?:{_ONE}|\d{{1,2}}(?!\d))(?:\s*[ap]m\b)?"
_CLOCK = rf"(?:kl\.?\s*)?(?:{_FROM_TO}|{_ONE}|(?<=kl)\.?\s*\d{{1,2}})"
_TIMES = rf"(?:{_CLOCK}(?:(?:{AND}|,)(?:{_CLOCK}|(?<=och )\d{{1,2}}(?=\s|$)))*|(?:{'|'.join(ALL_DAY)})\b)"
_BEFORE = re.compile(rf"\(?({_TIMES})\)?\s*[:–—,-]?\s*(.*)", re.IGNORECASE | re.DOTALL)
_AFTER = re.compile(rf"(.+?)[\s,:(–—-]+({_TIMES})\)?", re.IGNORECASE)
_BETWEEN = re.compile(rf"(.+?)[\s,:(–—-]+({_TIMES})\)?\s*[,–—-]\s+(.+)", re.IGNORECASE)
# Entries beside each other, each with its time first.
_NEXT = re.compile(rf"(?<!\s)\s*[,;/]\s+(?=(?:{_FROM_TO}|{_ONE})\s+[^\s\d])", re.IGNORECASE)
# A name that goes on in the next line.
_JOINED = re.compile(r"([&+]|\b(?:och|and))[ \t]*\n\s*(?=\D)", re.IGNORECASE)
# "Lördag den 12 september 2026"; "fredag" is the shortest weekday that is no other word.
_MOST_WORDS, _LEAST_WORD = 5, 6
_EVENING = "18"
_SINGLE_NUMBER = re.compile(r"\d{1,2}")


def is_time(text: str) -> bool:
    return bool(list_times(text))


def is_evening(text: str) -> bool:
    """Return whether a time is so late that those after midnight, below the same day, are in its night."""
    return any(time >= _EVENING for time in list_cell_times(text))


def is_day(text: str, days: Collection[date] = ()) -> bool:
    """Return whether a text is a day, or days, and nothing else: 12.10–13.10 are times, 45000 is a sum."""
    if is_time(text):
        return False
    found, rest = split_days(text, days)
    is_sum = text.isdecimal() and found[:1] not in [(str(day),) for day in days]
    return bool(found) and not rest and not is_sum


def look(text: str, days: Collection[date] = ()) -> Role:
    """Return what a text is by itself: a day, a time, or a text of any kind."""
    return Role.TIME if is_time(text) else Role.DAY if is_day(text, days) else Role.TEXT


def look_at_all(texts: Iterable[str], days: Collection[date] = ()) -> Role | None:
    """Return what more than half of some cells are, None if they are different or empty."""
    counts = Counter(look(text, days) for text in texts if text)
    usual = [role for role, count in counts.items() if count * 2 > counts.total()]
    return usual[0] if usual else None


def cut_day(text: str, days: Collection[date] = ()) -> tuple[str, str]:
    """Return the day that a line begins with, and the rest of it; '' where there is none.

    A word alone may be part of a title: "Fri entré", but "Fre 18-20 Jazz".
    """
    words = text.split(" ")
    for size in range(min(len(words) - 1, _MOST_WORDS), 0, -1):
        first, rest = (" ".join(part).strip(" ,:|–-") for part in (words[:size], words[size:]))
        is_clear = re.search(r"\d", first) or re.match(r"\(?(?:\d|kl)", rest) or len(first) >= _LEAST_WORD
        if rest and is_clear and is_day(first, days):
            return first, rest
    return "", text


def divide(text: str) -> list[Slot]:
    """Return the occasions in a cell: one, or one for each of its times.

    `18.00 Jazz`, `Jazz 18-20`, and several of these in lines; a time may have a line of its own.
    """
    slots: list[Slot] = []
    texts: list[list[str]] = []
    pending, text = "", _JOINED.sub(r"\1 ", text)
    lines = (part for line in text.splitlines() for part in _split_entries(line.strip()))
    for line in filter(None, lines):
        title, times = _split_line(line)
        if times and not title:
            # Above its title, or below the title of a slot that has none.
            if slots and not slots[-1].times:
                slots[-1] = slots[-1]._replace(times=times)
            else:
                pending = times
        elif times or pending or not slots:
            slots.append(Slot(title, ", ".join(filter(None, (pending, times)))))
            texts.append([])
            pending = ""
        else:
            texts[-1].append(line)
    return [slot._replace(text="\n".join(lines)) for slot, lines in zip(slots, texts, strict=True)]


def _split_entries(line: str) -> Iterator[str]:
    """Yield the entries beside each other in a line; several times before a title are of one."""
    begun = ""
    for part in _NEXT.split(line):
        begun = f"{begun}, {part}" if begun else part
        if not is_time(begun):
            yield begun
            begun = ""
    yield begun


def _split_line(line: str) -> tuple[str, str]:
    """Return the title in a line and its times, '' where it has none."""
    if is_time(line) and not _SINGLE_NUMBER.fullmatch(line):
        return "", line
    head, tail = line[:LOOKED_AT], line[-LOOKED_AT:]
    if (match := _BEFORE.fullmatch(head)) and is_time(match[1]):
        return f"{match[2]}{line[LOOKED_AT:]}".strip(" ,:|–—-"), match[1]
    if (match := _AFTER.fullmatch(tail)) and is_time(match[2]):
        return f"{line[:-LOOKED_AT]}{match[1]}".strip(" ,:|–—-"), match[2]
    match = _BETWEEN.fullmatch(head)
    is_between = match and is_time(match[2])
    return (f"{match[1]}, {match[3]}{line[LOOKED_AT:]}", match[2]) if match and is_between else (line, "")
