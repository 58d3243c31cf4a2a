"""Dates like 9/12/2026, in which day or month may come first."""

from datetime import date

import pytest

from programme.exchange.questions import Choice, Question
from tests.programme.exchange.readers.sheet.sheets import days_of, read_dates

SEPTEMBER = [date(2026, 9, day) for day in range(8, 13)]
OPEN = (
    "left out: the file has dates with the day first and dates with the month first: "
    "write “9/12/2026” like 2026-09-12"
)


@pytest.mark.parametrize(
    ("rows", "days", "expected", "remark"),
    [
        # Another date proves it.
        ("9/12/2026|25/12/2026", [], "2026-12-09 2026-12-25", "dates like “9/12/2026” are read as 9 December 2026 (the other dates of the file)"),
        ("9/12/2026|9/25/2026", [], "2026-09-12 2026-09-25", "dates like “9/12/2026” are read as 12 September 2026 (the other dates of the file)"),
        ("9/12/26|9/25/26", [], "2026-09-12 2026-09-25", "dates like “9/12/2026” are read as 12 September 2026 (the other dates of the file)"),
        # Weekdays, the festival's days, other dates nearby.
        ("Sat 9/12/2026|Sun 9/13/2026", [], "2026-09-12 2026-09-13", "dates like “9/12/2026” are read as 12 September 2026 (the other dates of the file)"),
        ("Sat 9/12/2026|9/11/2026", [], "2026-09-12 2026-09-11", "dates like “9/12/2026” are read as 12 September 2026 (the weekdays)"),
        ("ons 9/12/2026", SEPTEMBER, "2026-12-09", "dates like “9/12/2026” are read as 9 December 2026 (the weekdays)"),
        ("9/12/2026|9/11/2026|9/2/2026", SEPTEMBER, "2026-09-12 2026-09-11 2026-09-02", "dates like “9/12/2026” are read as 12 September 2026 (the festival’s days)"),
        ("9/12/2026|2026-09-14", [], "2026-09-12 2026-09-14", "dates like “9/12/2026” are read as 12 September 2026 (the other dates of the file)"),
        ("9/12/2026|8 december 2026", [], "2026-12-09 2026-12-08", "dates like “9/12/2026” are read as 9 December 2026 (the other dates of the file)"),
    ],
)  # fmt: skip
def test_what_settles_the_order(rows: str, days: list[date], expected: str, remark: str) -> None:
    found = read_dates(*rows.split("|"), days=days)
    assert (days_of(found), found.questions) == (expected.split(), ())
    assert found.remarks[:1] == [remark]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("2026-09-12", "2026-09-12"), ("9.12.2026", "2026-12-09"), ("9/12 2026", "2026-12-09")),
        *(("9/12-2026", "2026-12-09"), ("9/9/2026", "2026-09-09"), ("9 dec 2026", "2026-12-09")),
        ("25/12/2026", "2026-12-25"),
    ],
)
def test_nothing_is_asked_needlessly(text: str, expected: str) -> None:
    found = read_dates(text)
    assert (days_of(found), found.questions, found.remarks) == ([expected], (), [])


QUESTION = Question(
    "date-order",
    "“9/12/2026” is 9 December 2026 or 12 September 2026. Which comes first in the dates of the file?",
    (Choice("day", "The day: 9 December 2026"), Choice("month", "The month: 12 September 2026")),
)


@pytest.mark.parametrize(
    ("rows", "days"),
    [
        ("9/12/2026|9/11/2026|8/8/2026", []),
        # They speak for either, or for both.
        ("9/12/2026", [date(2026, 12, 9), date(2026, 9, 12)]),
        ("9/12/2026|2026-01-01|2026-12-31", []),
        ("ons 9/12/2026|ons 9/11/2026|9/10/2026", []),
    ],
)
def test_it_is_asked_once_where_nothing_settles_it(rows: str, days: list[date]) -> None:
    found = read_dates(*rows.split("|"), days=days)
    assert found.questions == (QUESTION,)


def test_the_answer_holds_for_all_dates_of_a_row() -> None:
    found = read_dates(
        "9/12/2026 22:00 – 9/13/2026 02:00;",
        "9/11/2026 19:00;9/12/2026 01:00",
        headings="Start;Slut",
        answers={"date-order": "month"},
    )
    assert found.starts == ["2026-09-12 22:00–13 02:00", "2026-09-11 19:00–12 01:00"]
    assert found.remarks == ["dates like “9/12/2026” are read as 12 September 2026 (as answered)"]


def test_nothing_is_guessed_in_a_file_with_both_orders() -> None:
    found = read_dates("9/12/2026", "9/25/2026", "25/12/2026", "9/9/2026")
    assert days_of(found) == ["2026-09-25", "2026-12-25", "2026-09-09"]
    assert (found.questions, found.left_out) == ((), [(2, OPEN)])
    assert found.remarks[0] == "some dates have the day first (row 4) and some the month (row 3)"
