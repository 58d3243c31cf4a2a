"""Dates and times as people write them, in Swedish, English and German."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.exchange.text.when import list_times, split_days, suggest_date, suggest_time
from tests.programme.exchange.text.spellings import DAYS, TIMES, WITH_TIMES

FESTIVAL = {date(2026, 9, day) for day in (11, 12, 13)}


@pytest.mark.parametrize(("text", "expected"), TIMES.items())
def test_times(text: str, expected: list[str]) -> None:
    assert list(list_times(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "efter lunch", "25:00", "18.30 insläpp, 19.00 start", "12/9", "2026-09-12", "02:30+02:00"),
        # Numbers of spreadsheet programs.
        *("18,30", "18.3", "0.75"),
    ],
)
def test_another_text_stays_as_it_is(text: str) -> None:
    assert list_times(text) == (text,)


@pytest.mark.parametrize(("text", "expected"), DAYS.items())
def test_days(text: str, expected: list[str]) -> None:
    assert split_days(text, FESTIVAL) == (tuple(expected), "")


@pytest.mark.parametrize(("text", "expected"), WITH_TIMES.items())
def test_a_day_with_times(text: str, expected: tuple[list[str], str]) -> None:
    days, rest = split_days(text)
    assert (list(days), rest) == expected


@pytest.mark.parametrize(
    "text", ["", "14", "12-13", "31/9", "TBA", "1/6–31/12", "12-15-10", "lördag v. 37", "0912", "18.30"]
)
def test_another_text_names_no_day(text: str) -> None:
    assert split_days(text) == ((), text)


@given(st.dates(date(2010, 1, 1), date(2099, 12, 31)), st.integers(1, 61))
def test_a_period_has_each_of_its_days(first: date, more: int) -> None:
    last = first + timedelta(more)
    expected = tuple(str(first + timedelta(number)) for number in range(more + 1))
    assert split_days(f"{first} – {last}") == (expected, "")
    assert split_days(f"{first.day}.{first.month}.{first.year}-{last.day}.{last.month}.{last.year}") == (
        expected,
        "",
    )


@given(st.text(max_size=40))
def test_any_text_is_read_or_stays(text: str) -> None:
    days, rest = split_days(text, FESTIVAL)
    assert days or rest == text
    assert list_times(text)


def test_what_is_said_of_a_text_is_what_would_be_read() -> None:
    assert suggest_time("18.30 insläpp, 19.00 start") == "18.30–19.00"
    assert suggest_time("på kvällen") == "18.30–20"
    assert suggest_date("preliminärt 12 september 2026?") == "2026-09-12"
    assert suggest_date("snart") == "2026-09-12"
