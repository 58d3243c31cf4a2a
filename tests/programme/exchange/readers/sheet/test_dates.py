"""Dates of which the year or the order is open, and dates that look wrong."""

from datetime import date

import pytest

from programme.exchange.questions import Choice, Question
from programme.models import Edition
from tests.programme.exchange.readers.sheet.sheets import TODAY, days_of, read_dates

WEEKDAYS, DAYS, OTHERS = "the weekdays", "the festival’s days", "the other dates of the file"
SEPTEMBER = [date(2026, 9, day) for day in range(8, 13)]


def september(*years: int) -> list[date]:
    return [date(year, 9, day) for year in years for day in (11, 12, 13)]


@pytest.mark.parametrize(
    ("rows", "days", "expected", "remark"),
    [
        # From the festival's days, also those of years ago and with a few others.
        ("12/9|13/9", september(2027), "2027-09-12 2027-09-13", f"2 dates without a year are read as 2027 ({DAYS})"),
        ("12/9|13/9", september(2025), "2025-09-12 2025-09-13", f"2 dates without a year are read as 2025 ({DAYS})"),
        ("5/6|12/9|13/9", september(2027), "2027-06-05 2027-09-12 2027-09-13", f"3 dates without a year are read as 2027 ({DAYS})"),
        ("lör 12/9", september(2026, 2027), "2026-09-12", f"1 date without a year is read as 2026 ({DAYS})"),
        ("lör 12/9", september(2015), "2015-09-12", f"1 date without a year is read as 2015 ({DAYS})"),
        # From the dates that have a year.
        ("2027-09-12|13/9", [], "2027-09-12 2027-09-13", f"1 date without a year is read as 2027 ({OTHERS})"),
        ("2026-11-12|5 januari", [], "2026-11-12 2027-01-05", f"1 date without a year is read as 2027 ({OTHERS})"),
        # From the weekdays; one of several does not fit.
        ("sön 12/9|måndag 13 sept.", [], "2027-09-12 2027-09-13", f"2 dates without a year are read as 2027 ({WEEKDAYS})"),
        ("12/9 (sön)", [], "2027-09-12", f"1 date without a year is read as 2027 ({WEEKDAYS})"),
        ("lör 12/9|lör 13/9|mån 14/9", [], "2026-09-12 2026-09-13 2026-09-14", f"3 dates without a year are read as 2026 ({WEEKDAYS})"),
        ("29/2", [], "2028-02-29", "1 date without a year is read as 2028 (the only year that has all of them)"),
        # The order of day and month: another date proves it.
        ("9/12/2026|25/12/2026", [], "2026-12-09 2026-12-25", "dates like “9/12/2026” are read as 9 December 2026 (the other dates of the file)"),
        ("9/12/2026|9/25/2026", [], "2026-09-12 2026-09-25", "dates like “9/12/2026” are read as 12 September 2026 (the other dates of the file)"),
        ("9/12/26|9/25/26", [], "2026-09-12 2026-09-25", "dates like “9/12/2026” are read as 12 September 2026 (the other dates of the file)"),
        # Weekdays, the festival's days.
        ("Sat 9/12/2026|Sun 9/13/2026", [], "2026-09-12 2026-09-13", "dates like “9/12/2026” are read as 12 September 2026 (the other dates of the file)"),
        ("Sat 9/12/2026|9/11/2026", [], "2026-09-12 2026-09-11", "dates like “9/12/2026” are read as 12 September 2026 (the weekdays)"),
        ("ons 9/12/2026", SEPTEMBER, "2026-12-09", "dates like “9/12/2026” are read as 9 December 2026 (the weekdays)"),
        ("9/12/2026|9/11/2026|9/2/2026", SEPTEMBER, "2026-09-12 2026-09-11 2026-09-02", "dates like “9/12/2026” are read as 12 September 2026 (the festival’s days)"),
    ],
)  # fmt: skip
def test_year_and_order_are_derived(rows, days, expected, remark):
    found = read_dates(*rows.split("|"), days=days)
    assert (days_of(found), found.questions) == (expected.split(), ())
    assert found.remarks[:1] == [remark]


def test_the_weekday_may_have_a_column():
    found = read_dates("Sö;12/9;19;20", "mån;13/9;19;20", headings="Dag;Datum;Start;Slut")
    assert days_of(found) == ["2027-09-12", "2027-09-13"]


def test_other_cells_of_a_row_have_the_same_year():
    found = read_dates("30/12;22;2/1;03", "2026-12-28;19;;20", headings="Datum;Start;Slutdatum;Slut")
    assert found.starts[0] == "2026-12-30 22:00–02 03:00"


@pytest.mark.parametrize("text", ["31/11", "12/13", "21 katter"])
def test_what_is_no_date_gets_no_year(text):
    found = read_dates(text, "21/11")
    assert days_of(found) == ["2026-11-21"]
    assert found.left_out == [(2, f"left out: “{text}” is no date: write it in figures, like 2026-09-12")]


def test_without_anything_known_no_year_is_guessed():
    assert read_dates("lör 21/11", today=None).left_out == [
        (2, "left out: “lör 21/11” is no date: write it in figures, like 2026-09-12")
    ]


@pytest.mark.parametrize(
    ("rows", "days", "key", "assumed"),
    [
        # The festival's days are of both years, or of another than the weekdays say.
        ("12/9|13/9", september(2026, 2027), "year:2026-2027", "2026-09-12 2026-09-13"),
        ("sön 12/9|mån 13/9", september(2026), "year:2026-2027", "2026-09-12 2026-09-13"),
        # Nothing says it: a year that is past is offered, too, and one programme is of one season.
        ("12/9", [], "year:2025-2026-2027", "2026-09-12"),
        ("12/6", [], "year:2026-2027-2028", "2027-06-12"),
        ("27/12|28/12|2/1", [], "year:2025-2026-2027", "2026-12-27 2026-12-28 2027-01-02"),
    ],
)
def test_where_several_years_remain_one_question_is_asked(rows, days, key, assumed):
    found = read_dates(*rows.split("|"), days=days)
    assert [(each.key, each.answer) for each in found.questions] == [(key, "")]
    assert days_of(found) == assumed.split()
    # What is assumed until then is not warned of.
    assert found.remarks == []


def test_the_question_names_the_years():
    assert read_dates("sön 12/9", "mån 13/9", days=september(2026)).questions == (
        Question(
            "year:2026-2027",
            "Dates have no year (sön 12/9, mån 13/9): 2026 or 2027?",
            (
                Choice("2026", "2026: 12 September 2026 – 13 September 2026"),
                Choice("2027", "2027: 12 September 2027 – 13 September 2027"),
            ),
        ),
    )


@pytest.mark.parametrize("year", ["2026", "2027"])
def test_an_answer_holds_for_the_whole_file(year):
    found = read_dates("12/9", "13/9", days=september(2026, 2027), answers={"year:2026-2027": year})
    assert days_of(found) == [f"{year}-09-12", f"{year}-09-13"]
    assert [each.answer for each in found.questions] == [year]
    assert found.remarks[0] == f"2 dates without a year are read as {year} (as answered)"


def test_an_answer_does_not_hold_for_other_years():
    answers = {"year:2026-2027": "2026"}
    later = TODAY.replace(year=2027)
    found = read_dates("12/9", days=september(2027, 2028), answers=answers, today=later)
    assert [(each.key, each.answer) for each in found.questions] == [("year:2027-2028", "")]


def edition(first_day: str, last_day: str) -> Edition:
    return Edition(first_day=date.fromisoformat(first_day), last_day=date.fromisoformat(last_day))


def of_year(year: int) -> Edition:
    return edition(f"{year}-09-10", f"{year}-09-14")


EDITION = "the edition"


@pytest.mark.parametrize(
    ("rows", "meant", "days", "expected", "remark"),
    [
        # Last year's, this year's, those of years to come and of long ago.
        ("12/9|13/9", of_year(2025), [], "2025-09-12 2025-09-13", f"2 dates without a year are read as 2025 ({EDITION})"),
        ("12/9|13/9", of_year(2032), [], "2032-09-12 2032-09-13", f"2 dates without a year are read as 2032 ({EDITION})"),
        ("lör 12/9", of_year(2015), [], "2015-09-12", f"1 date without a year is read as 2015 ({EDITION})"),
        # One of several is outside it.
        ("12/9|20/9", of_year(2027), [], "2027-09-12 2027-09-20", f"2 dates without a year are read as 2027 ({EDITION})"),
        # A season goes on over New Year.
        ("12/9|12/11|12/1|12/3", edition("2025-08-01", "2026-06-30"), [], "2025-09-12 2025-11-12 2026-01-12 2026-03-12", f"4 dates without a year are read as 2025–2026 ({EDITION})"),
    ],
)  # fmt: skip
def test_the_year_is_that_of_the_edition(rows, meant, days, expected, remark):
    found = read_dates(*rows.split("|"), days=days, edition=meant)
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
def test_nothing_is_asked_needlessly(text, expected):
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
        ("ons 9/12/2026|ons 9/11/2026|9/10/2026", []),
    ],
)
def test_it_is_asked_once_where_nothing_settles_it(rows, days):
    found = read_dates(*rows.split("|"), days=days)
    assert found.questions == (QUESTION,)


def test_the_answer_holds_for_all_dates_of_a_row():
    found = read_dates(
        "9/11/2026 22:00 – 9/12/2026 02:00;",
        "9/10/2026 19:00;9/11/2026 01:00",
        headings="Start;Slut",
        answers={"date-order": "month"},
    )
    assert found.starts == ["2026-09-11 22:00–12 02:00", "2026-09-10 19:00–11 01:00"]
    assert found.remarks == ["dates like “9/11/2026” are read as 11 September 2026 (as answered)"]


@pytest.mark.parametrize(("answer", "day"), [("day", "2026-12-09"), ("month", "2026-09-12")])
def test_it_is_asked_for_a_file_that_proves_both(answer, day):
    found = read_dates("9/12/2026", "9/25/2026", "25/12/2026", answers={"date-order": answer})
    assert days_of(found) == [day, "2026-09-25", "2026-12-25"]
    assert [each.key for each in found.questions] == ["date-order"]


FESTIVAL = [date(2026, 9, day) for day in (11, 12, 13)]


def test_weekdays_that_do_not_fit():
    found = read_dates("sön 2026-09-12", "fre 2026-09-11", "2026-09-13 lördag", "söndag 13 september 2026")
    assert days_of(found) == ["2026-09-12", "2026-09-11", "2026-09-13", "2026-09-13"]
    assert found.remarks == [
        "the weekday does not fit the date (“sön 2026-09-12” is Saturday 12 September 2026): rows 2, 4"
    ]


def test_a_weekday_in_a_column_of_its_own_is_compared():
    found = read_dates("lör;2026-09-12;19;20", "lör;2026-09-13;19;20", headings="Veckodag;Datum;Start;Slut")
    assert found.remarks == [
        "the weekday does not fit the date (“Sat 2026-09-13” is Sunday 13 September 2026): row 3"
    ]


def test_days_that_are_none_of_the_festivals():
    rows = [
        *("2026-09-10", "2026-09-11", "2026-09-13", "2026-09-14", "2026-09-15"),
        # The night belongs to the day before; what lasts for days is held on some of them.
        *("2026-09-14;03;04", "2026-09-10;20;2026-09-12 20:00"),
    ]
    found = read_dates(*rows, days=FESTIVAL, first_hour=5)
    assert found.remarks == [
        "dates outside the festival’s days (11 September 2026 – 13 September 2026): rows 2, 5–6"
    ]


def test_without_days_no_date_is_outside():
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
def test_dates_in_the_past(days, expected):
    rows = ["2026-07-26", "2026-07-28", "2026-07-29;08;09", "2026-07-30"]
    assert read_dates(*rows, days=days).remarks == expected


def test_what_has_begun_and_lasts_is_not_past():
    assert read_dates("2026-07-27;19;2026-07-29 01:00").remarks == []


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["2027-09-12", *["2026-09-12"] * 4], ["dates in 2027, another year than the rest: row 2"]),
        (["2025-09-12", "2062-09-12", *["2026-09-12"] * 6], ["dates in the past: row 2", "dates in 2025–2062, another year than the rest: rows 2–3"]),
        # A season over New Year, and programmes of several years.
        (["2026-12-01", "2027-01-05", "2027-02-10", "2027-03-01"], []),
        (["2026-09-12", "2027-09-12"], []),
        (["2026-09-12", "2028-09-12", "2028-09-13"], ["dates more than a year ahead: rows 3–4"]),
    ],
)  # fmt: skip
def test_dates_in_another_year(rows, expected):
    assert read_dates(*rows).remarks == expected


def test_a_festival_day_includes_its_night():
    found = read_dates("lör 12/9;01;02", days=FESTIVAL, headings="Festivaldag;Start;Slut", first_hour=5)
    assert found.starts == ["2026-09-13 01:00–13 02:00"]


def test_many_rows_are_named_in_part():
    rows = ["2026-07-01" if number % 2 else "2026-09-01" for number in range(40)]
    assert read_dates(*rows).remarks == [
        "dates in the past: rows 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, …"
    ]


IDENTITY = "0b2a3c4d-1111-4222-8333-444455556666"


def test_of_a_sheet_exported_here_added_rows_alone_are_checked():
    found = read_dates(
        f"2026-07-01;19;20;{IDENTITY};2026-07-01T00:00:00Z",
        "2026-07-02;19;20;;",
        headings="Datum;Start;Slut;Tillfällets ID;Exportens nr",
    )
    assert found.remarks == ["dates in the past: row 3"]
