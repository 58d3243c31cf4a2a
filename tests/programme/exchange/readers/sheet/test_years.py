"""The year of dates that have none."""

from datetime import date

import pytest

from programme.exchange.questions import Choice, Question
from tests.programme.exchange.readers.sheet.sheets import TODAY, days_of, read_dates

WEEKDAYS, DAYS, OTHERS = "the weekdays", "the festival’s days", "the other dates of the file"
NEAREST = "the first that is not past"


def september(*years: int) -> list[date]:
    return [date(year, 9, day) for year in years for day in (11, 12, 13)]


@pytest.mark.parametrize(
    ("rows", "days", "expected", "remark"),
    [
        # From the weekday.
        ("lör 12/9|sön 13/9", [], "2026-09-12 2026-09-13", f"2 dates without a year are read as 2026 ({WEEKDAYS}, {NEAREST})"),
        ("sön 12/9|måndag 13 sept.", [], "2027-09-12 2027-09-13", f"2 dates without a year are read as 2027 ({WEEKDAYS})"),
        ("12/9 (sön)", [], "2027-09-12", f"1 date without a year is read as 2027 ({WEEKDAYS})"),
        ("fre 12/9", [], "2025-09-12", f"1 date without a year is read as 2025 ({WEEKDAYS})"),
        ("tors 29/2", [], "2024-02-29", f"1 date without a year is read as 2024 ({WEEKDAYS})"),
        # One of several does not fit.
        ("lör 12/9|lör 13/9|mån 14/9", [], "2026-09-12 2026-09-13 2026-09-14", f"3 dates without a year are read as 2026 ({WEEKDAYS}, {NEAREST})"),
        # From the festival's days, also those of years ago if the weekdays fit.
        ("12/9|13/9", september(2027), "2027-09-12 2027-09-13", f"2 dates without a year are read as 2027 ({DAYS})"),
        ("5/6|12/9|13/9", september(2027), "2027-06-05 2027-09-12 2027-09-13", f"3 dates without a year are read as 2027 ({DAYS})"),
        ("lör 12/9", september(2026, 2027), "2026-09-12", f"1 date without a year is read as 2026 ({WEEKDAYS}, {DAYS}, {NEAREST})"),
        ("lör 12/9", september(2015), "2015-09-12", f"1 date without a year is read as 2015 ({WEEKDAYS}, {DAYS})"),
        # From the dates that have a year.
        ("2027-09-12|13/9", [], "2027-09-12 2027-09-13", f"1 date without a year is read as 2027 ({OTHERS})"),
        ("2026-11-12|5 januari", [], "2026-11-12 2027-01-05", f"1 date without a year is read as 2027 ({OTHERS}, {NEAREST})"),
        # The first that is not past.
        ("12/9", [], "2026-09-12", f"1 date without a year is read as 2026 ({NEAREST})"),
        ("12/4", [], "2027-04-12", f"1 date without a year is read as 2027 ({NEAREST})"),
        ("29/7", [], "2026-07-29", f"1 date without a year is read as 2026 ({NEAREST})"),
        ("29/2", [], "2028-02-29", f"1 date without a year is read as 2028 ({WEEKDAYS}, {NEAREST})"),
        ("1/3|1/7|1/11", [], "2027-03-01 2027-07-01 2026-11-01", f"3 dates without a year are read as 2026–2027 ({NEAREST})"),
        # A programme is of one season: during a festival its first days are of this year, too.
        ("27/7|28/7|29/7|30/7", [], "2026-07-27 2026-07-28 2026-07-29 2026-07-30", f"4 dates without a year are read as 2026 ({NEAREST})"),
        ("27/12|28/12|2/1", [], "2026-12-27 2026-12-28 2027-01-02", f"3 dates without a year are read as 2026–2027 ({NEAREST})"),
    ],
)  # fmt: skip
def test_the_year_is_derived(rows: str, days: list[date], expected: str, remark: str) -> None:
    found = read_dates(*rows.split("|"), days=days)
    assert (days_of(found), found.questions) == (expected.split(), ())
    assert found.remarks[:1] == [remark]


def test_the_weekday_may_have_a_column() -> None:
    found = read_dates("Sö;12/9;19;20", "mån;13/9;19;20", headings="Dag;Datum;Start;Slut")
    assert days_of(found) == ["2027-09-12", "2027-09-13"]


def test_other_cells_of_a_row_have_the_same_year() -> None:
    found = read_dates("30/12;22;2/1;03", headings="Datum;Start;Slutdatum;Slut")
    assert found.starts == ["2026-12-30 22:00–02 03:00"]


@pytest.mark.parametrize("text", ["31/11", "12/13", "21 katter"])
def test_what_is_no_date_gets_no_year(text: str) -> None:
    found = read_dates(text, "21/11")
    assert days_of(found) == ["2026-11-21"]
    assert found.left_out == [(2, f"left out: “{text}” is no date: write it like 2026-09-12")]


def test_without_anything_known_no_year_is_guessed() -> None:
    assert read_dates("lör 21/11", today=None).left_out == [
        (2, "left out: “lör 21/11” is no date: write it like 2026-09-12")
    ]


@pytest.mark.parametrize(
    ("rows", "days", "key", "assumed"),
    [
        # The festival's days are of both years, past, or others than the weekdays say.
        ("12/9|13/9", september(2026, 2027), "year:2026-2027", "2026-09-12 2026-09-13"),
        ("12/9|13/9", september(2025), "year:2025-2026", "2026-09-12 2026-09-13"),
        ("sön 12/9|mån 13/9", september(2026), "year:2026-2027", "2026-09-12 2026-09-13"),
        # The season has just ended, or passed for the most part.
        ("12/6", [], "year:2026-2027", "2027-06-12"),
        ("26/7|27/7|28/7|29/7", [], "year:2026-2027", "2026-07-26 2026-07-27 2026-07-28 2026-07-29"),
        # The weekdays of few rows lead into the past.
        ("fre 12/9|13/9|14/9", [], "year:2025-2026", "2026-09-12 2026-09-13 2026-09-14"),
    ],
)
def test_where_two_years_remain_one_question_is_asked(
    rows: str, days: list[date], key: str, assumed: str
) -> None:
    found = read_dates(*rows.split("|"), days=days)
    assert [(each.key, each.answer) for each in found.questions] == [(key, "")]
    assert days_of(found) == assumed.split()
    # What is assumed until then is not warned of.
    assert found.remarks == []


def test_the_question_names_the_years_and_what_speaks_for_them() -> None:
    assert read_dates("sön 12/9", "mån 13/9", days=september(2026)).questions == (
        Question(
            "year:2026-2027",
            "Dates have no year (sön 12/9, mån 13/9): 2026 or 2027?",
            (
                Choice("2026", f"2026: 12 September 2026 – 13 September 2026 ({DAYS}, {NEAREST})"),
                Choice("2027", f"2027: 12 September 2027 – 13 September 2027 ({WEEKDAYS})"),
            ),
        ),
    )


@pytest.mark.parametrize("year", ["2026", "2027"])
def test_an_answer_holds_for_the_whole_file(year: str) -> None:
    found = read_dates("12/9", "13/9", days=september(2026, 2027), answers={"year:2026-2027": year})
    assert days_of(found) == [f"{year}-09-12", f"{year}-09-13"]
    assert [each.answer for each in found.questions] == [year]
    assert found.remarks[0] == f"2 dates without a year are read as {year} (as answered)"


def test_an_answer_does_not_hold_for_other_years() -> None:
    answers = {"year:2026-2027": "2026"}
    later = TODAY.replace(year=2027)
    found = read_dates("12/9", days=september(2027, 2028), answers=answers, today=later)
    assert [(each.key, each.answer) for each in found.questions] == [("year:2027-2028", "")]
