"""Copies of a clean sheet in which something went wrong: each looks odd, and the sheet itself does not."""

from collections.abc import Callable
from datetime import date

import pytest
from msgspec.structs import replace

from programme.exchange.merge.pipeline import plan_import
from programme.exchange.readers.registry import build_import_defaults, read
from programme.exchange.values import ImportOptions
from tests.programme.exchange.imports import apply_import

pytestmark = pytest.mark.django_db
HEADINGS = ("Titel", "Datum", "Start", "Slut", "Plats", "Arrangör", "Beskrivning")
TITLE, DATE, START, END, PLACE, ORGANIZER, TEXT = range(7)
Rows = list[list[str]]


def build_rows() -> Rows:
    """Return three days at three stages, with breaks, and dances until two in the night."""
    rows = []
    for number in range(3):
        for stage in ("Scen", "Salen", "Tältet"):
            for start, end in (("12", "13"), ("13", "14"), ("15:30", "17"), ("19", "21"), ("22:30", "02")):
                title, day = f"Akt {len(rows)} {stage}", str(date(2026, 9, 11 + number))
                text = f"{title} spelar och sjunger en stund."
                rows.append([title, day, start, end, stage, f"Grupp {len(rows)}", text])
    return rows


def read_rows(rows: Rows, headings=HEADINGS, answers=None):
    content = "\n".join(";".join(row) for row in (headings, *rows)).encode()
    return read(content, "programme.csv", build_import_defaults(answers=answers)).contents


OPTIONS = ImportOptions("office", "Stan", "Stan", "")


def find(rows: Rows, *headings) -> set[str]:
    return {each.key for each in plan_import(read_rows(rows, *headings), OPTIONS).suspicions}


def halve(*columns: int) -> Callable[[Rows], None]:
    def spoil(rows: Rows) -> None:
        for row in rows:
            for column in columns:
                hour, colon, minutes = row[column].partition(":")
                row[column] = f"{(int(hour) - 1) % 12 + 1}{colon}{minutes}"

    return spoil


def shift(column: int) -> Callable[[Rows], None]:
    def spoil(rows: Rows) -> None:
        cells = ["", *(row[column] for row in rows)]
        rows.append([""] * len(HEADINGS))
        for row, cell in zip(rows, cells, strict=True):
            row[column] = cell

    return spoil


def fill(column: int, write: Callable[[int], str], *numbers: int) -> Callable[[Rows], None]:
    def spoil(rows: Rows) -> None:
        for number in numbers or range(len(rows)):
            rows[number][column] = write(number)

    return spoil


def exchange(one: int, other: int, *, first: int = 0) -> Callable[[Rows], None]:
    def spoil(rows: Rows) -> None:
        for row in rows[first:]:
            row[one], row[other] = row[other], row[one]

    return spoil


def last_all_day(rows: Rows) -> None:
    for row in rows:
        row[START], row[END] = "0", "24"


def blank_when(rows: Rows) -> None:
    rows[3][DATE] = rows[3][START] = rows[3][END] = ""


def repeat_title(rows: Rows) -> None:
    rows[6][TITLE], rows[6][ORGANIZER] = rows[1][TITLE], rows[1][ORGANIZER]


def test_the_clean_sheet_is_not_odd():
    assert find(build_rows()) == set()


@pytest.mark.parametrize(
    ("spoil", "kind"),
    [
        (halve(START), "nights"),
        (shift(START), "long"),
        (shift(END), "long"),
        (shift(PLACE), "placeless"),
        (fill(END, lambda _number: ""), "assumed_ends"),
        (fill(TITLE, str), "strange_titles"),
        (fill(TITLE, lambda number: f"2026-09-{number % 28 + 1:02}"), "strange_titles"),
        (fill(TITLE, lambda number: ("Musik", "Dans")[number % 2]), "repeated"),
        (fill(PLACE, lambda number: ("Ja", "Nej")[number % 2]), "strange_names"),
        (fill(PLACE, str), "strange_names"),
        (blank_when, "timeless"),
        (fill(PLACE, lambda _number: "Scen", 8), "double_bookings"),
        (repeat_title, "two_places"),
        (last_all_day, "long"),
        (exchange(TITLE, PLACE), "more_names"),
        (exchange(TITLE, ORGANIZER, first=22), "exchanged"),
        (exchange(PLACE, ORGANIZER, first=30), "exchanged"),
        (fill(TITLE, lambda number: f"Text {number} " + 20 * "som är lång "), "strange_titles"),
        (fill(TITLE, lambda _number: "OBS preliminärt", 8), "notes"),
        (fill(TEXT, lambda _number: "Arvode 5 000 kr", 8), "notes"),
    ],
)
def test_a_spoiled_copy_is_odd(spoil, kind):
    rows = build_rows()
    spoil(rows)
    assert kind in find(rows)


@pytest.mark.parametrize("heading", ["Lokal", "Rum"])
def test_rooms_that_several_places_may_have_are_odd(heading):
    rows = [[title, "2026-09-11", "18", "19", "Scen", "Parken"] for title in ("Jazz", "Pop")]
    headings = ("Titel", "Datum", "Start", "Slut", heading, "Område")
    assert find(rows, headings) == set()
    rows[1][-1] = "Hamnen"
    assert find(rows, headings) == {"rooms_alone"}


def test_what_begins_in_the_night_after_an_evening_there_is_not_odd():
    assert find([*build_rows(), ["Efterfest", "2026-09-12", "02", "04", "Scen", "", "Alla dansar."]]) == set()


def test_an_empty_day_between_others_is_odd():
    rows = [row for row in build_rows() if row[DATE] != "2026-09-12"]
    # Two days alone may be two evenings.
    assert find(rows) == set()
    first = [row for row in rows if row[DATE] == "2026-09-11"]
    later = [[f"{row[0]} igen", "2026-09-14", *row[2:]] for row in first]
    assert find([*rows, *later]) == {"empty_days"}


def test_a_version_without_much_of_the_former_one_is_odd():
    apply_import(read_rows(build_rows()), OPTIONS)
    rows = build_rows()
    assert find(rows) == set()
    rows = [row for row in rows if row[DATE] != "2026-09-11"]
    # A part that changes nothing else is no new version.
    assert find(rows) == set()
    rows.append(["Nytt", "2026-09-13", "8", "9", "Scen", "", ""])
    [odd] = plan_import(read_rows(rows), OPTIONS).suspicions
    assert (odd.key, odd.count) == ("gone", 15)
    assert odd.rows[0] == "Akt 0 Scen, fre 11 sep 2026 12:00"


def test_what_stands_beside_something_that_stays_is_odd():
    apply_import(read_rows(build_rows()), OPTIONS)
    rows = build_rows()
    rows[3][TITLE] = "Rättad titel"
    assert find(rows) == {"doubles"}
    assert plan_import(read_rows(rows), replace(OPTIONS, withdraw_missing=True)).suspicions == []
    [odd] = plan_import(read_rows(build_rows()), replace(OPTIONS, source="other")).suspicions
    assert (odd.key, odd.count) == ("doubles", 45)


def test_a_version_in_which_most_days_are_others_is_odd():
    apply_import(read_rows(build_rows()), OPTIONS)
    rows = [[each.replace("2026-09", "2027-09") for each in row] for row in build_rows()]
    assert find(rows) == {"changed"}


def test_a_version_in_which_most_titles_are_others_is_odd():
    rows = [[str(number), *row] for number, row in enumerate(build_rows(), 1)]
    said = {"column:nr": "event_id"}
    apply_import(read_rows(rows, ("Nr", *HEADINGS), said), OPTIONS)
    rows = [[number, *row[1:]] for (number, *_row), row in zip(rows[1:], rows, strict=False)]
    assert "changed" in find(rows, ("Nr", *HEADINGS), said)


def test_what_is_here_already_is_not_looked_at_again():
    rows = build_rows()
    halve(START)(rows)
    apply_import(read_rows(rows), OPTIONS)
    assert find(rows) == set()
