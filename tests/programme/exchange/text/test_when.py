"""Days as people write them, in Swedish, English and German."""

from datetime import date, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.exchange.text.times import list_times, parse_clock
from programme.exchange.text.when import find_weekday, split_days, split_weekday, suggest_day
from tests.programme.exchange.text.spellings import DAYS, UNKNOWN_EXAMPLES

FESTIVAL = {date(2026, 9, day) for day in (11, 12, 13)}


@pytest.mark.parametrize(("text", "expected"), DAYS.items())
def test_days_and_the_times_beside_them(text: str, expected: list[str]) -> None:
    days, times = split_days(text, FESTIVAL)
    assert [*days, *filter(None, [times])] == expected


@pytest.mark.parametrize(
    "text",
    [
        *(
            "", "14", "12-13", "31/9", "TBA", "1/6–31/12", "12-15-10", "lördag v. 37", "0912", "18.30",
            "0000-09-12",
        ),
        # May be a day or an hour, or two dates each, or go backwards.
        *("fre 11", "9/10/2026–9/12/2026", "14–12/9 2026", "1/12–29/2"),
    ],
)  # fmt: skip
def test_another_text_names_no_day(text: str) -> None:
    assert split_days(text) == ((), text)


def test_the_examples_of_the_documentation_are_read_so() -> None:
    assert not UNKNOWN_EXAMPLES


@given(st.dates(date(2010, 1, 1), date(2099, 12, 31)), st.integers(1, 61))
def test_a_period_has_each_of_its_days(first: date, more: int) -> None:
    last = first + timedelta(more)
    expected = tuple(str(first + timedelta(number)) for number in range(more + 1))
    german = "-".join(f"{day.day}.{day.month}.{day.year}" for day in (first, last))
    assert {split_days(text) for text in (f"{first} – {last}", german)} == {(expected, "")}


@given(st.text(max_size=40))
def test_any_text_is_read_or_stays(text: str) -> None:
    days, rest = split_days(text, FESTIVAL)
    assert days or rest == text
    assert all(map(list_times, list_times(text)))
    assert parse_clock(text) is None or parse_clock(text) < time.max


@pytest.mark.parametrize(
    ("text", "expected"),
    [("preliminärt 12 september 2026?", "2026-09-12"), ("12/9 prel", "12/9"), ("snart", ""), ("1/6 – 31/12", ""), ("lör 12/9", "")],
)  # fmt: skip
def test_what_is_said_of_a_text_is_what_would_be_read(text: str, expected: str) -> None:
    assert suggest_day(text) == expected


@pytest.mark.parametrize(
    ("words", "weekday"),
    [
        ("mån Måndag Mon", 0), ("tis. TISDAGEN tues", 1), ("ons Wednesday", 2), ("tors torsdagar thu", 3),
        ("fre Fridays", 4), ("Lö lör sat", 5), ("sön Sun", 6), ("mars månad x Tre", None),
    ],
)  # fmt: skip
def test_weekdays(words: str, weekday: int | None) -> None:
    assert {find_weekday(word, may_be_short=True) for word in words.split()} == {weekday}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lö 12/9", (["lö"], "12/9")), ("lördag den 12 september", (["lördag"], "12 september")), ("12/9 (lör)", (["lör"], "12/9")),
        ("12/9, lördag kl 19", (["lördag"], "12/9, kl 19")), ("10 to 12", ([], "10 to 12")),
    ],
)  # fmt: skip
def test_weekdays_are_taken_out_of_a_text(text: str, expected: tuple[list[str], str]) -> None:
    assert split_weekday(text) == expected
