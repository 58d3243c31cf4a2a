"""Dates, times and durations as people write them."""

from datetime import date, time, timedelta

import pytest

from programme.exchange.readers.sheet.times import (
    find_date_without_year,
    parse_clock,
    parse_date,
    parse_date_and_time,
    parse_duration,
    parse_weekday,
    split_range,
    split_weekday,
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


@pytest.mark.parametrize("text", ["24:00", "24.00", "kl 24", "2400"])
def test_the_end_of_a_day(text: str) -> None:
    clock = parse_clock(text)
    assert (clock, clock.ends_day) == (time(0), True)


def test_the_beginning_of_a_day_does_not_end_it() -> None:
    assert not parse_clock("00:00").ends_day


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("21/11", (11, 21, "")),
        ("lör 21/11", (11, 21, "")),
        ("lördag den 21 november", (11, 21, "")),
        ("21 nov.", (11, 21, "")),
        ("21/11 19:00–20:00", (11, 21, " 19:00–20:00")),
        ("21/11 1900–2100", (11, 21, " 1900–2100")),
        ("31/11", (11, 31, "")),
    ],
)
def test_dates_without_a_year(text: str, expected: tuple[int, int, str]) -> None:
    assert find_date_without_year(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "19.10", "kl 19", "19", "2026-09-12", "12/9 2025", "12 sep 2025", "21 katter", "1/2/25"),
        *("12/9 2025 19:00–20:00", "12 sep 2025, 19–20"),
    ],
)
def test_anything_else_has_a_year_or_is_no_date(text: str) -> None:
    assert find_date_without_year(text) is None


@pytest.mark.parametrize(
    ("text", "weekday"),
    [
        ("mån", 0), ("Måndag", 0), ("tis.", 1), ("TISDAGEN", 1), ("ons", 2), ("tors", 3), ("torsdagar", 3), ("fre", 4),
        ("Lö", 5), ("(lör)", 5), ("sön,", 6), ("Mon", 0), ("tues", 1), ("Wednesday", 2), ("thu", 3), ("Fridays", 4),
        ("sat", 5), ("Sun", 6),
        ("", None), ("12", None), ("mars", None), ("alla dagar", None), ("månad", None), ("x", None), ("Tre", None),
    ],
)  # fmt: skip
def test_weekdays(text: str, weekday: int | None) -> None:
    assert parse_weekday(text) == weekday


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lör 12/9", (5, "12/9")),
        ("Lö 12/9", (5, "12/9")),
        ("lördag den 12 september", (5, "den 12 september")),
        ("12/9 (lör)", (5, "12/9")),
        ("12/9, lördag kl 19", (5, "12/9, kl 19")),
        ("2026-09-12 Saturday", (5, "2026-09-12")),
        ("12 mars", (None, "12 mars")),
        ("10 to 12", (None, "10 to 12")),
    ],
)
def test_a_weekday_is_taken_out_of_a_text(text: str, expected: tuple[int | None, str]) -> None:
    assert split_weekday(text) == expected
