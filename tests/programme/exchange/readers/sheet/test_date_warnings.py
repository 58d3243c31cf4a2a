"""Dates that look wrong: one warning for each reason, with its rows."""

from datetime import date

import pytest

from tests.programme.exchange.readers.sheet.sheets import days_of, read_dates

SEPTEMBER = [date(2026, 9, day) for day in (11, 12, 13)]


def test_weekdays_that_do_not_fit() -> None:
    found = read_dates("sön 2026-09-12", "fre 2026-09-11", "2026-09-13 lördag", "söndag 13 september 2026")
    assert days_of(found) == ["2026-09-12", "2026-09-11", "2026-09-13", "2026-09-13"]
    assert found.remarks == [
        "the weekday does not fit the date (“sön 2026-09-12” is Saturday 12 September 2026): rows 2, 4"
    ]


def test_a_weekday_in_a_column_of_its_own_is_compared() -> None:
    found = read_dates("lör;2026-09-12;19;20", "lör;2026-09-13;19;20", headings="Veckodag;Datum;Start;Slut")
    assert found.remarks == [
        "the weekday does not fit the date (“Sat 2026-09-13” is Sunday 13 September 2026): row 3"
    ]


def test_days_that_are_none_of_the_festivals() -> None:
    rows = [
        *("2026-09-10", "2026-09-11", "2026-09-13", "2026-09-14", "2026-09-15"),
        # The night belongs to the day before; what lasts for days is held on some of them.
        *("2026-09-14;03;04", "2026-09-10;20;2026-09-12 20:00"),
    ]
    found = read_dates(*rows, days=SEPTEMBER, first_hour=5)
    assert found.remarks == [
        "dates outside the festival’s days (11 September 2026 – 13 September 2026): rows 2, 5–6"
    ]


def test_without_days_no_date_is_outside() -> None:
    assert read_dates("2026-09-10").remarks == []


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ([], ["dates in the past: rows 2–3"]),
        # The festival's own first days are past while it lasts.
        ([date(2026, 7, day) for day in (27, 28, 29)], ["dates outside the festival’s days (27 July 2026 – 29 July 2026): rows 2, 5", "dates in the past: row 2"]),
        ([date(2026, 7, day) for day in (26, 27, 28)], ["dates outside the festival’s days (26 July 2026 – 28 July 2026): rows 4–5", "dates in the past: rows 2–3"]),
    ],
)  # fmt: skip
def test_dates_in_the_past(days: list[date], expected: list[str]) -> None:
    rows = ["2026-07-26", "2026-07-28", "2026-07-29;08;09", "2026-07-30"]
    assert read_dates(*rows, days=days).remarks == expected


def test_what_has_begun_and_lasts_is_not_past() -> None:
    assert read_dates("2026-07-27;19;2026-07-29 01:00").remarks == []


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["2027-09-12", *["2026-09-12"] * 4], ["dates in another year than the rest (2027): row 2"]),
        (["2025-09-12", "2062-09-12", *["2026-09-12"] * 6], ["dates in the past: row 2", "dates in another year than the rest (2025–2062): rows 2–3"]),
        # A season over New Year, and programmes of several years.
        (["2026-12-01", "2027-01-05", "2027-02-10", "2027-03-01"], []),
        (["2026-09-12", "2027-09-12"], []),
    ],
)  # fmt: skip
def test_dates_in_another_year(rows: list[str], expected: list[str]) -> None:
    assert read_dates(*rows).remarks == expected


def test_many_rows_are_named_in_part() -> None:
    rows = ["2026-07-01" if number % 2 else "2026-09-01" for number in range(40)]
    assert read_dates(*rows).remarks == [
        "dates in the past: rows 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, …"
    ]


IDENTITY = "0b2a3c4d-1111-4222-8333-444455556666"


def test_of_a_sheet_exported_here_added_rows_alone_are_checked() -> None:
    found = read_dates(
        f"2026-07-01;19;20;{IDENTITY};2026-07-01T00:00:00Z",
        "2026-07-02;19;20;;",
        headings="Datum;Start;Slut;Tillfällets ID;Senast ändrad",
    )
    assert found.remarks == ["dates in the past: row 3"]
