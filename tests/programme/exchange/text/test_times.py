"""Clock times and durations as people write them, in Swedish, English and German."""

from datetime import time, timedelta

import pytest

from programme.exchange.text.times import list_times, parse_clock, parse_duration, suggest_time
from tests.programme.exchange.text.spellings import TIMES


@pytest.mark.parametrize(("text", "expected"), TIMES.items())
def test_times(text: str, expected: list[str]) -> None:
    assert list(list_times(text)) == expected
    # What is written so is read as the same.
    assert [each for time in expected for each in list_times(time)] == expected


@pytest.mark.parametrize(
    "text",
    [
        *(
            "", "efter lunch", "25:00", "18.30 insläpp, 19.00 start", "12/9", "2026-09-12", "19:0",
            "24:01", "190",
        ),
        # Numbers of spreadsheet programs.
        *("18,30", "18.3", "0.75"),
    ],
)  # fmt: skip
def test_another_text_has_none(text: str) -> None:
    assert list_times(text) == ()


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("kl 19", time(19)), ("19:00:05.25", time(19, 0, 5, 250000)), ("0.7916666667", time(19)), ("18.3", time(18, 30)),
        ("18,3", time(18, 30)), ("18,30", time(18, 30)), ("18.05", time(18, 5)), ("9.3", time(9, 30)), ("0.3", time(0, 30)),
        ("0.5", time(12)), ("0.75", time(18)), ("0.770833333333333", time(18, 30)),
        ("18-20", None), ("18, 20", None), ("kväll", None), ("18.75", None), ("18.7", None), ("31.1", None),
    ],
)  # fmt: skip
def test_the_only_time_of_a_cell(text: str, clock: time | None) -> None:
    assert parse_clock(text) == clock


def test_an_hour_that_comes_twice_is_distinguished_by_its_offset() -> None:
    assert parse_clock("02:30+01:00").offset == timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "ends_day"), [("24:00", True), ("kl 24", True), ("2400", True), ("0:00", False)]
)
def test_the_end_of_a_day_is_not_its_beginning(text: str, ends_day: bool) -> None:
    clock = parse_clock(text)
    assert (clock, clock.ends_day) == (time(0), ends_day)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("18.30 insläpp, 19.00 start", "18:30"), ("kl 18-20 (insläpp 17)", "18:00–20:00"), ("drop in 10–16", "10:00–16:00"),
        ("kl 18 i parken", "18:00"), ("på kvällen", ""), ("12/9", ""), ("3 föreställningar", ""), ("19:00, 60 min", "19:00–20:00"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_text_is_what_would_be_read(text: str, expected: str) -> None:
    assert suggest_time(text) == expected


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("1:30", 90), ("90", 90), ("90 min", 90), ("1,5 h", 90), ("1 tim 30 min", 90), ("2 timmar", 120), ("1:30:00", 90),
        ("1h30", 90), ("1 h 30 m", 90), ("1 t 30 m", 90), ("1 timme och 30 minuter", 90), ("90'", 90), ("ca 90 min", 90),
        ("Cirka 1,5 tim (inkl. paus)", 90), ("90 min, exkl. paus", 90), ("", None), ("lång", None), ("1;30", None),
    ],
)  # fmt: skip
def test_durations(text: str, minutes: int | None) -> None:
    assert parse_duration(text) == (minutes and timedelta(minutes=minutes))
