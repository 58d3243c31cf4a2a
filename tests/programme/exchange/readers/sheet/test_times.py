"""Dates, times and durations as people write them."""

from datetime import date, time, timedelta

import pytest

from programme.exchange.readers.sheet.times import (
    add_year,
    parse_clock,
    parse_date,
    parse_date_and_time,
    parse_duration,
    split_range,
)


@pytest.mark.parametrize(
    "text",
    [
        "2026-09-12", "2026-9-12", "12/9 2026", "12/9/2026", "12/9-2026", "12.9.2026", "12 sep 2026", "12 sept. 2026",
        "12 september 2026", "den 12:e september 2026", "lördag 12 september 2026", "Lör 12/9 2026", "sat 12 September 2026",
        "20260912", "260912", "lördagen den 12 september 2026",
    ],
)  # fmt: skip
def test_dates(text):
    assert parse_date(text) == date(2026, 9, 12)


@pytest.mark.parametrize(
    "text", ["", "2026-13-01", "31/2 2026", "12/9", "september", "12 se 2026", "x", "1", "2026"]
)
def test_another_text_is_no_date(text):
    assert parse_date(text) is None


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("19.00", time(19)), ("19:00", time(19)), ("kl 19", time(19)), ("kl. 19.30", time(19, 30)), ("1930", time(19, 30)),
        ("9", time(9)), ("19:00:00", time(19)), ("7 pm", time(19)), ("12 am", time(0)), ("24:00", time(0)),
        ("0.7916666667", time(19)), ("klockan 19", time(19)), ("19:00:05.25", time(19, 0, 5, 250000)), ("19h", time(19)),
        ("18.3", time(18, 30)), ("18,3", time(18, 30)), ("18,30", time(18, 30)), ("18.05", time(18, 5)), ("9.3", time(9, 30)),
        ("0.3", time(0, 30)), ("0.5", time(12)), ("0.75", time(18)), ("0.770833333333333", time(18, 30)),
    ],
)  # fmt: skip
def test_times(text, clock):
    assert parse_clock(text) == clock


@pytest.mark.parametrize(
    "text", ["", "25:00", "19:60", "kväll", "19:0", "24:01", "190", "99", "18.75", "18.7", "31.1"]
)
def test_another_text_is_no_time(text):
    assert parse_clock(text) is None


def test_an_hour_that_comes_twice_is_distinguished_by_its_offset():
    assert parse_clock("02:30+01:00").offset == timedelta(hours=1)


def test_both_in_one_cell():
    assert parse_date_and_time("2022-07-03 16:00:00") == (date(2022, 7, 3), time(16))
    assert parse_date_and_time("2022-07-03T16:00") == (date(2022, 7, 3), time(16))
    assert parse_date_and_time("12 sep 2026 kl 19") == (date(2026, 9, 12), time(19))
    assert parse_date_and_time("12 sep 2026") is parse_date_and_time("kl 19") is None


@pytest.mark.parametrize("text", ["19.00–20.30", "19.00-20.30", "19.00 - 20.30", "19.00 till 20.30"])
def test_ranges(text):
    assert split_range(text) == ("19.00", "20.30")


def test_ranges_of_numbers():
    assert split_range("18,3–20,3") == ("18,3", "20,3")


def test_another_text_is_no_range():
    assert split_range("2026-09-12") == ("2026-09-12", "")
    assert split_range("19-20") == ("19-20", "")
    assert split_range("kl 19") == ("kl 19", "")


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("1:30", 90),
        ("90", 90),
        ("90 min", 90),
        ("1,5 h", 90),
        ("1 tim 30 min", 90),
        ("2 timmar", 120),
        ("1:30:00", 90),
        ("1h30", 90),
        ("1 h 30 m", 90),
        ("1 t 30 m", 90),
        ("1 timme och 30 minuter", 90),
        ("90'", 90),
        ("ca 90 min", 90),
        ("Cirka 1,5 tim (inkl. paus)", 90),
        ("90 min, exkl. paus", 90),
    ],
)
def test_durations(text, minutes):
    assert parse_duration(text) == timedelta(minutes=minutes)


@pytest.mark.parametrize("text", ["", "lång", "1;30"])
def test_another_text_is_no_duration(text):
    assert parse_duration(text) is None


DAYS = {date(2026, 11, 20), date(2026, 11, 21), date(2027, 1, 2)}


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_the_year_is_that_of_the_festivals_days(text: str, expected: str) -> None:
    assert add_year(text, DAYS) == expected


@pytest.mark.parametrize(
    "text",
    ["", "19.10", "kl 19", "19", "2026-09-12", "12/9 2025", "12 sep 2025", "31/11", "21 katter", "1/2/25"],
)
def test_anything_else_stays_as_it_is(text: str) -> None:
    assert add_year(text, DAYS) == text


def test_without_known_days_no_year_is_guessed() -> None:
    assert add_year("lör 21/11", frozenset()) == "lör 21/11"
