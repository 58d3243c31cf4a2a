"""Reads sheets whose dates leave something open, and returns what was made of them."""

from collections.abc import Collection, Mapping
from datetime import date
from typing import NamedTuple

from django.utils.translation import override

from feeds.festival_time import FestivalTime
from programme.exchange.questions import Question
from programme.exchange.readers.sheet.reader import read_sheet
from programme.exchange.values import Contents, ImportDefaults
from programme.models import Edition

# A Wednesday.
TODAY = date(2026, 7, 29)


class ReadDates(NamedTuple):
    """The starts of the occasions in the order of their rows, the questions, and what is said of the sheet."""

    starts: list[str]
    questions: tuple[Question, ...]
    remarks: list[str]
    left_out: list[tuple[int, str]]


def read_dates(
    *rows: str,
    headings: str = "Datum;Start;Slut",
    today: date | None = TODAY,
    days: Collection[date] = (),
    answers: Mapping[str, str] | None = None,
    first_hour: int = 0,
    edition: Edition | None = None,
) -> ReadDates:
    """Read rows of dates alone, by default from 19 to 20; each is an event of its own."""
    lines = [f"Event {number};{row if ';' in row else f'{row};19;20'}" for number, row in enumerate(rows)]
    time = FestivalTime("Europe/Stockholm", first_hour)
    found = read_sheet(
        "\n".join([f"Titel;{headings}", *lines]).encode(),
        ImportDefaults(time, days=frozenset(days), today=today, answers=answers or {}, edition=edition),
    )
    occasions = sorted(
        (each for event in found.events for each in event.occasions), key=lambda each: each.row
    )
    return ReadDates(
        [f"{time.local(each.start):%Y-%m-%d %H:%M}–{time.local(each.end):%d %H:%M}" for each in occasions],
        found.questions,
        [each.what for each in found.problems if each.whole],
        [(each.row, each.what) for each in found.problems if each.left_out],
    )


def days_of(found: ReadDates) -> list[str]:
    return [start.partition(" ")[0] for start in found.starts]


def read_facts(headings: str, *rows: str, answers: Mapping[str, str] | None = None) -> Contents:
    """Read rows at one o'clock of the first days of September, each of an event with the title in its first cell."""
    lines = [f"2026-09-{day:02};13;14;{row}" for day, row in enumerate(rows, 1)]
    text = "\n".join([f"Datum;Start;Slut;Titel;{headings}", *lines])
    time = FestivalTime("Europe/Stockholm", 0)
    with override("en"):
        return read_sheet(text.encode(), ImportDefaults(time, answers=answers or {}, today=date(2026, 7, 1)))
