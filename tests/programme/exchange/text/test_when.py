"""Dates and times as people write them, in Swedish, English and German."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.exchange.text.when import list_times, split_days, suggest_date, suggest_time

FESTIVAL = {date(2026, 9, day) for day in (11, 12, 13)}

TIMES = {
    "18-20": ["18:00–20:00"],
    "kl 18-20": ["18:00–20:00"],
    "kl. 18.30–20": ["18:30–20:00"],
    "18.30-20": ["18:30–20:00"],
    "18 till 20": ["18:00–20:00"],
    "18 bis 20 Uhr": ["18:00–20:00"],
    "1000-1200": ["10:00–12:00"],
    "10:00 – 24:00": ["10:00–24:00"],
    "från 18.30": ["18:30"],
    "ca 18.30": ["18:30"],
    "fr.o.m. 18": ["18:00"],
    "ab 18 Uhr": ["18:00"],
    "18:30 Uhr": ["18:30"],
    "18h30": ["18:30"],
    "1830": ["18:30"],
    "10am": ["10:00"],
    "6p-9p": ["18:00–21:00"],
    "6-9pm": ["18:00–21:00"],
    "11-1pm": ["11:00–13:00"],
    "10 a.m. - 2 p.m.": ["10:00–14:00"],
    "12 pm": ["12:00"],
    "12.00-": ["12:00"],
    "18-sent": ["18:00"],
    "18.30 och framåt": ["18:30"],
    "18.30, 20.30": ["18:30", "20:30"],
    "18, 20": ["18:00", "20:00"],
    "11:30, 15:30 och 19:15": ["11:30", "15:30", "19:15"],
    "19.00/21.00": ["19:00", "21:00"],
    "10-12, 14-16": ["10:00–12:00", "14:00–16:00"],
    "hela dagen": ["00:00–24:00"],
    "midnatt": ["24:00"],
}
DAYS = {
    "Lördag": ["lördag"],
    "Samstag": ["lördag"],
    "lör, sön": ["lördag", "söndag"],
    "fre–sön": ["fredag", "lördag", "söndag"],
    "lör 12/9": ["lör 12/9"],
    "lördag den 12 september": ["lördag 12/9"],
    "12.9.": ["12/9"],
    "12 sept": ["12/9"],
    "12:e september": ["12/9"],
    "September 12": ["12/9"],
    "12-13 september 2026": ["2026-09-12", "2026-09-13"],
    "12, 13 och 14 september": ["12/9", "13/9", "14/9"],
    "12–15/9": ["12/9", "13/9", "14/9", "15/9"],
    "12/9-15/9": ["12/9", "13/9", "14/9", "15/9"],
    "30/12–2/1": ["30/12", "31/12", "1/1", "2/1"],
    "fre 11 - sön 13 sep": ["11/9", "12/9", "13/9"],
    "mars 12-13": ["12/3", "13/3"],
    "12.9.-13.9.2026": ["2026-09-12", "2026-09-13"],
    "2026/09/12": ["2026-09-12"],
    "14-09-2026": ["2026-09-14"],
    "12-sep-26": ["2026-09-12"],
    "Sep 12, 2026": ["2026-09-12"],
    "Freitag, 11. September 2026": ["freitag 2026-09-11"],
    "12. März 2026": ["2026-03-12"],
    "46277": ["2026-09-12"],
    "0912": ["2026-09-12"],
    "1209": ["2026-09-12"],
    # Which number comes first is asked.
    "9/12/2026": ["9/12/2026"],
}
WITH_TIMES = {
    "lör 12/9 kl 18-20": (["lör 12/9"], "kl 18-20"),
    "12 sep 18": (["12/9"], "18"),
    "12 sep 1830": (["12/9"], "1830"),
    "lördag 12 september 2026, 18.30–20": (["lördag 2026-09-12"], "18.30–20"),
    "12–13/9 18-20": (["12/9", "13/9"], "18-20"),
}


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
