"""The sheets of a workbook: what they look like, which are read, and that none is read by half."""

import datetime as dt

import pytest

from feeds.festival_time import FestivalTime
from programme.exchange.readers.sheet.mapping import UnknownHeadingsError
from programme.exchange.readers.sheet.reader import read_sheet
from programme.exchange.values import Contents, ImportDefaults, UnreadableFileError
from tests.programme.exchange.imports import answer_for_names
from tests.programme.exchange.workbooks import (
    DAYS,
    HEADINGS,
    NOTES,
    SCENES,
    Rows,
    build_day,
    build_office_workbook,
    write_workbook,
)

SATURDAY, SUNDAY = dt.date(2026, 9, 12), dt.date(2026, 9, 13)
UNDATED: Rows = [["Titel", "Plats", "Start"], ["Fest", "Parken", "19:00"], ["Dans", "Parken", "21:00"]]


def read(content: bytes, *names: str, **given: object) -> Contents:
    answers = answer_for_names(names, content)
    return read_sheet(
        content, ImportDefaults(FestivalTime("Europe/Stockholm"), **{"answers": answers, **given})
    )


def list_occasions(contents: Contents) -> list[tuple[str, str, str]]:
    pairs = [(event.title, each) for event in contents.events for each in event.occasions]
    return sorted((f"{each.start:%d %H:%M}", title, each.location) for title, each in pairs)


def describe(contents: Contents) -> list[str]:
    return [f"{'+' if each.is_read else '-'} {each.description}" for each in contents.sheets]


def list_problems(contents: Contents) -> list[tuple[str, str]]:
    return [(each.where, each.what) for each in contents.problems]


def test_every_sheet_that_looks_like_a_programme_is_read():
    found = read(build_office_workbook())
    assert describe(found) == [
        *(f"+ “{name}” (programme, 2 rows)" for name in DAYS),
        "- “Scener” (list of places, 3 rows)",
        "- “Anteckningar” (notes or another list, 3 rows)",
        "- “Blad1” (empty)",
        "- “Gamla” (programme, 2 rows, hidden in the file)",
    ]
    assert [(event.title, len(event.occasions)) for event in found.events] == [
        ("Öppet hus", 11),
        *((f"Konsert {number}", 1) for number in range(1, 12)),
    ]
    assert found.problems == ()


def test_chosen_sheets_are_read_and_no_others():
    found = read(build_office_workbook(3), "gamla", "Söndag")
    assert [each.name for each in found.sheets if each.is_read] == ["Söndag", "Gamla"]
    assert list_occasions(found) == [
        ("11 08:00", "Öppet hus", "Stora scenen"),
        ("11 18:00", "Konsert -364", "Lilla scenen"),
        ("13 08:00", "Öppet hus", "Stora scenen"),
        ("13 18:00", "Konsert 3", "Lilla scenen"),
    ]


def test_a_sheet_that_nobody_has_answered_for_is_read_if_it_is_a_programme():
    found = read(build_office_workbook(3), answers={"sheet:lördag": "no", "sheet:gamla": "yes"})
    assert [each.name for each in found.sheets if each.is_read] == ["Fredag", "Söndag", "Gamla"]


def test_other_columns_are_read_by_their_own_headings():
    other = [
        ["Film", "Biograf", "Dag", "Kl", "Längd", "Pris"],
        ["Fanny och Alexander", "Röda Kvarn", SUNDAY, "18.30", "188 min", "120 kr"],
        ["Öppet hus", "Röda Kvarn", SUNDAY, "12.00", "60 min", ""],
    ]
    found = read(write_workbook({"Fredag": build_day(0), "Film": other}))
    assert list_occasions(found) == [
        ("11 08:00", "Öppet hus", "Stora scenen"),
        ("11 18:00", "Konsert 1", "Lilla scenen"),
        ("13 10:00", "Öppet hus", "Röda Kvarn"),
        ("13 16:30", "Fanny och Alexander", "Röda Kvarn"),
    ]
    assert [event.more.get("price") for event in found.events] == [None, None, "120 kr", ""]


def test_a_column_is_understood_by_the_cells_of_all_sheets():
    # The first showing of each day alone would number the showings; together they number the films.
    headings = ["Visningsnr", "Titel", "Datum", "Start"]
    sheets = {
        "Lördag": [headings, [1, "Fanny", SATURDAY, dt.time(18)], [2, "Sälarna", SATURDAY, dt.time(20)]],
        "Söndag": [headings, [1, "Fanny", SUNDAY, dt.time(18)], [2, "Natten", SUNDAY, dt.time(20)]],
    }
    assert [each.guid for event in read(write_workbook(sheets)).events for each in event.occasions] == [
        ""
    ] * 4


def test_rows_are_named_with_their_sheets():
    bad = ["Trasig", "Parken", "", "2026-13-45", "19:00", "20:00"]
    sheets = {
        "Fredag": [*build_day(0), bad],
        "Scener": SCENES,
        "Lördag": [*build_day(1), bad, build_day(1)[-1]],
    }
    found = read(write_workbook(sheets))
    no_date = "left out: “2026-13-45” is no date: write it in figures, like 2026-09-12"
    assert list_problems(found) == [
        ("Fredag, row 6, Datum", no_date),
        ("Lördag, row 6", "the same as Fredag, row 6, word for word; taken once"),
        ("Lördag, row 7", "the same as Lördag, row 5, word for word; taken once"),
    ]
    # The only sheet that is read is named, because there are others.
    [(where, _what)] = list_problems(read(write_workbook(sheets | {"Lördag": []})))
    assert where == "Fredag, row 6, Datum"
    [(where, _what)] = list_problems(read(write_workbook({"Fredag": [*build_day(0), bad]})))
    assert where == "row 6, Datum"


def test_warnings_of_dates_name_the_sheets_of_their_rows():
    sheets = {"Fredag": build_day(0), "Scener": SCENES, "Lördag": build_day(1)}
    days = frozenset({dt.date(2026, 9, 1)})
    [(_where, warning)] = list_problems(read(write_workbook(sheets), days=days))
    assert warning == (
        "dates outside the festival’s days (1 September 2026): Fredag, rows 4–5; Lördag, rows 4–5"
    )


def test_no_row_continues_an_event_of_another_sheet():
    alone = ["", "", "Torget", SUNDAY, "12:00", "13:00"]
    found = read(write_workbook({"Lördag": build_day(1), "Söndag": [HEADINGS, alone]}))
    assert list_problems(found) == [("Söndag, row 2, Titel", "left out: the title is missing")]
    assert len(list_occasions(found)) == 2


LISTS: dict[str, tuple[Rows, str]] = {
    "no dates": (UNDATED, "has no dates, 2 rows"),
    "a word for the day": ([["Titel", "Dag", "Start"], ["Fest", "Alla dagar", "19:00"]], "has no dates, 1 row"),
    "titles alone": ([["Titel", "Beskrivning"], ["Fest", "Kom!"]], "has no dates, 1 row"),
    "no times": ([["Titel", "Datum"], ["Utställning", SUNDAY]], "has no start times, 1 row"),
    "no titles": (
        [["Vem", "Datum", "Start"], ["Fest", SUNDAY, "19:00"]], "has no column that is known as the title, 1 row",
    ),
    "a grid": (
        [["Kl", "Stora", "Lilla"], *([f"{hour}:00", "Fest", "Dans"] for hour in range(12, 18))],
        "has no dates, 12 rows",
    ),
    "places": (SCENES, "list of places, 3 rows"),
    "places by one heading": ([["Scen", "Kapacitet"], ["Stora", 800]], "list of places, 2 rows"),
    "people": ([["Namn", "Webbsida", "Telefon"], ["Karin", "www.example.org", "1"]], "notes or another list, 1 row"),
    "notes": (NOTES, "notes or another list, 3 rows"),
    "headings": ([HEADINGS], "empty"),
}  # fmt: skip


@pytest.mark.parametrize(("rows", "looks"), LISTS.values(), ids=LISTS)
def test_what_cannot_be_read_is_named_with_the_reason(rows, looks):
    found = read(write_workbook({"Fredag": build_day(0), "Annat": rows}))
    assert describe(found) == ["+ “Fredag” (programme, 2 rows)", f"- “Annat” ({looks})"]
    assert len(list_occasions(found)) == 2


@pytest.mark.parametrize(
    ("rows", "error", "reason"),
    [
        (UNDATED, UnknownHeadingsError, "“Annat”: no column says the date: say which one does"),
        (LISTS["no times"][0], UnknownHeadingsError, "“Annat”: no column says the start time"),
        (NOTES, UnknownHeadingsError, "“Annat”: none of its first rows has a heading “Title”"),
    ],
)
def test_a_chosen_sheet_that_cannot_be_read_stops_the_import_of_all(rows, error, reason):
    with pytest.raises(error, match=reason):
        read(write_workbook({"Fredag": build_day(0), "Annat": rows}), "Fredag", "Annat")


def test_a_workbook_without_a_readable_sheet_is_refused():
    sheets = {"Del 1": UNDATED, "Del 2": UNDATED, "Gamla": build_day(0), "Scener": SCENES, "Blad1": []}
    with pytest.raises(UnknownHeadingsError) as refused:
        read(write_workbook(sheets, "Gamla"))
    assert str(refused.value) == (
        "none of its sheets is read as a programme: “Del 1” (has no dates, 2 rows); "
        "“Del 2” (has no dates, 2 rows); “Gamla” (programme, 2 rows, hidden in the file); "
        "“Scener” (list of places, 3 rows); “Blad1” (empty)"
    )


@pytest.mark.parametrize(
    ("sheets", "reason"), [({"A": [], "B": []}, "it is empty"), ({"A": [HEADINGS], "B": []}, "but no rows")]
)
def test_a_workbook_without_rows_is_refused(sheets, reason):
    with pytest.raises(UnreadableFileError, match=reason):
        read(write_workbook(sheets))


def test_the_only_sheet_is_read_whatever_it_is():
    titles = [["Titel", "Beskrivning"], ["Fest", "Kom!"]]
    found = read(write_workbook({"Blad1": titles, "Blad2": [], "Blad3": []}))
    assert [event.title for event in found.events] == ["Fest"]
    # Beside lists it is what the office means, and what is wrong with it is said.
    with pytest.raises(UnknownHeadingsError, match="“Program”: no column says the date"):
        read(write_workbook({"Program": UNDATED, "Gamla": build_day(0)}, "Gamla"))


def test_what_was_said_of_columns_holds_for_each_sheet_with_these_headings():
    headings, unknown = ["Akt", "Lokus", "När"], ["Akt", "Lokus", "Timme"]
    said = {"column:akt": "title", "column:lokus": "location", "column:när": "start", "column:timme": "start"}
    sheets = {
        "Lördag": [headings, ["Fest", "Parken", "2026-09-12 19:00"]],
        "Söndag": [["Program"], headings[::-1], ["2026-09-13 19:00", "Torget", "Dans"]],
        "Måndag": [["Program"], unknown, ["Avslutning", "Torget", "2026-09-14 19:00"]],
    }
    assert list_occasions(read(write_workbook(sheets), answers=said)) == [
        ("12 17:00", "Fest", "Parken"),
        ("13 17:00", "Dans", "Torget"),
        ("14 17:00", "Avslutning", "Torget"),
    ]


def test_a_date_for_all_rows_is_that_of_no_other_sheet():
    said = {"fixed:day": "2026-09-12"}
    rows = [["Titel", "Start"], ["Fest", "19:00"]]
    alone = write_workbook({"Lördag": rows, "Scener": SCENES})
    assert list_occasions(read(alone, answers=said)) == [("12 17:00", "Fest", "")]
    both = write_workbook({"Lördag": rows, "Söndag": rows, "Scener": SCENES})
    with pytest.raises(UnknownHeadingsError, match=r"“Lördag” \(has no dates, 1 row\); “Söndag”"):
        read(both, answers=said)
