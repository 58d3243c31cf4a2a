"""Dates that people write without a year are on the festival's days."""

from datetime import date

import pytest

from programme.exchange.readers.sheet.times import add_year

DAYS = {date(2026, 11, 20), date(2026, 11, 21), date(2027, 1, 2)}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("21/11", "2026-11-21"),
        ("lör 21/11", "2026-11-21"),
        ("Lördag 21/11", "2026-11-21"),
        ("lördag den 21 november", "2026-11-21"),
        ("lördag 21 november", "2026-11-21"),
        ("21 nov.", "2026-11-21"),
        ("lör 2/1", "2027-01-02"),
        ("Sat 21/11 19:00", "2026-11-21 19:00"),
        # On no day of the festival: of its first year.
        ("5/6", "2026-06-05"),
    ],
)
def test_the_year_is_that_of_the_festivals_days(text: str, meant: str) -> None:
    assert add_year(text, DAYS) == meant


@pytest.mark.parametrize(
    "text",
    ["", "19.10", "kl 19", "19", "2026-09-12", "12/9 2025", "12 sep 2025", "31/11", "21 katter", "1/2/25"],
)
def test_anything_else_stays_as_it_is(text: str) -> None:
    assert add_year(text, DAYS) == text


def test_without_known_days_no_year_is_guessed() -> None:
    assert add_year("lör 21/11", frozenset()) == "lör 21/11"
