"""Rows that name several occasions, and sheets whose days are weekdays alone."""

from datetime import date

import pytest

from tests.programme.exchange.readers.sheet.sheets import read_dates

FESTIVAL = [date(2026, 9, day) for day in (11, 12, 13)]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("12-13 september 2026;18-20;", ["2026-09-12 18:00–12 20:00", "2026-09-13 18:00–13 20:00"]),
        ("12–13/9;kl. 18.30–20;", ["2026-09-12 18:30–12 20:00", "2026-09-13 18:30–13 20:00"]),
        ("2026/09/12;18.30, 20.30;", ["2026-09-12 18:30–12 19:00", "2026-09-12 20:30–12 21:00"]),
        (
            "12/9 och 13/9;11.30–12 & 15.30–16;",
            [f"2026-09-{day} {hour}:30–{day} {hour + 1}:00" for day in (12, 13) for hour in (11, 15)],
        ),
        ("lör 12/9 kl 18-20;;", ["2026-09-12 18:00–12 20:00"]),
        ('"Lördag\n18.00";;', ["2026-09-12 18:00–12 18:30"]),
        ("12.9.;från 18.30;20 Uhr", ["2026-09-12 18:30–12 20:00"]),
        ("46277;6p-9p;", ["2026-09-12 18:00–12 21:00"]),
        # Lines of a cell.
        (
            '"12/9\n13/9";"18.00\n20.00";',
            [f"2026-09-{day} {hour}:00–{day} {hour}:30" for day in (12, 13) for hour in (18, 20)],
        ),
        ("0912;22-03;", ["2026-09-12 22:00–13 03:00"]),
        ("Samstag, 12. September 2026;hela dagen;", ["2026-09-12 00:00–13 00:00"]),
        # The day in the cell of the start.
        (";lör 12/9 18-20;", ["2026-09-12 18:00–12 20:00"]),
    ],
)
def test_each_day_and_each_time_is_an_occasion(row: str, expected: list[str]) -> None:
    found = read_dates(row, days=FESTIVAL)
    assert (found.starts, found.left_out) == (expected, [])


def test_only_one_of_several_is_the_occasion_that_a_row_identifies() -> None:
    found = read_dates("ab-1;12–13/9;18;19", headings="Tillfälles-ID;Datum;Start;Slut", days=FESTIVAL)
    assert found.starts == ["2026-09-12 18:00–12 19:00", "2026-09-13 18:00–13 19:00"]


def test_weekdays_are_those_of_the_festival() -> None:
    found = read_dates("Lördag", "fre–sön", days=FESTIVAL)
    assert found.starts == [f"2026-09-{day} 19:00–{day} 20:00" for day in (12, 11, 12, 13)]
    assert found.questions == ()
    assert found.remarks[0] == (
        "weekdays without a date are read as 11 September 2026 – 13 September 2026 (the festival’s days)"
    )


def test_weekdays_may_have_a_column_alone() -> None:
    found = read_dates("sön;12.10–13.10", headings="Veckodag;Tid", days=FESTIVAL)
    assert found.starts == ["2026-09-13 12:10–13 13:10"]


def test_one_question_asks_for_the_week() -> None:
    days = [date(2026, 9, day) for day in range(7, 21)]
    rows = ("Lördag", "söndag", "lör")
    found = read_dates(*rows, days=days)
    # The first week is shown until then.
    assert found.starts == [f"2026-09-{day} 19:00–{day} 20:00" for day in (12, 13, 12)]
    [question] = found.questions
    assert question.text == "Days are weekdays alone (Sat, Sun). Which week is it?"
    assert [(each.value, each.label) for each in question.choices] == [
        ("2026-09-07", "12 September 2026 – 13 September 2026"),
        ("2026-09-14", "19 September 2026 – 20 September 2026"),
    ]
    answered = read_dates(*rows, days=days, answers={"week": "2026-09-14"})
    assert answered.starts == [f"2026-09-{day} 19:00–{day} 20:00" for day in (19, 20, 19)]


def test_without_festival_days_weeks_are_offered_also_past_ones() -> None:
    [question] = read_dates("Lördag").questions
    assert [each.value for each in question.choices][3:6] == ["2026-07-20", "2026-07-27", "2026-08-03"]
    assert len(question.choices) == 16
