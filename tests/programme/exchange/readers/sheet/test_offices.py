"""Workbooks as offices keep them: with notes above, sums below, contacts beside, and cells that are merged or hidden."""

from datetime import date, time, timedelta
from typing import Any

import pytest
from django.utils.translation import override

from feeds.festival_time import FestivalTime
from programme.exchange.readers.sheet.mapping import UnknownHeadingsError
from programme.exchange.readers.sheet.reader import read_sheet
from programme.exchange.values import Contents, ImportDefaults, UnreadableFileError
from tests.programme.exchange.workbooks import build_book, save, write_workbook

FRIDAY = date(2026, 9, 11)
SATURDAY = FRIDAY + timedelta(days=1)
TIME = FestivalTime("Europe/Stockholm", 5)


def read(content: bytes) -> Contents:
    days = frozenset(FRIDAY + timedelta(days=number) for number in range(3))
    with override("en"):
        return read_sheet(content, ImportDefaults(TIME, days=days, today=date(2026, 6, 10)))


def list_occasions(contents: Contents) -> list[tuple[str, ...]]:
    return [
        (event.title, f"{TIME.local(each.start):%a %H:%M}", f"{TIME.local(each.end):%H:%M}", each.location)
        for event in contents.events
        for each in event.occasions
    ]


def list_problems(contents: Contents) -> list[str]:
    return [f"{each.place}: {each.what}" for each in contents.problems if not each.whole]


def write(*rows: list[Any], **marks: Any) -> bytes:
    return save(build_book(*rows, **marks))


def test_notes_above_and_sums_below_a_programme_are_no_events():
    contents = read(
        write(
            ["Kulturhelgen i Ekbacka – PROGRAM"],
            ["OBS! Gult = ej bekräftat"],
            [],
            ["Datum", "Start", "Slut", "Programpunkt", "Intern anm.", "Lokal"],
            [FRIDAY, time(18), time(19, 30), "Invigning", "ring kommunen", "Stora salen"],
            [None, time(22), time(1), "Nattdans", None, "Stora salen"],
            ["Summa fredag", None, 4.5],
            [SATURDAY, time(11), time(12), "Summa summarum", None, "Biblioteket"],
            [],
            [None, None, None, "Totalt", 3],
            *([None, None, 5.5, None, "Summa:"], [None, None, None, None, None, "3 lokaler"]),
            ["Med reservation för ändringar."],
            merged=("A1:F1", "A5:A6"),
            hidden="E",
        )
    )
    assert list_occasions(contents) == [
        ("Invigning", "Fri 18:00", "19:30", "Stora salen"),
        ("Nattdans", "Fri 22:00", "01:00", "Stora salen"),
        ("Summa summarum", "Sat 11:00", "12:00", "Biblioteket"),
    ]
    assert list_problems(contents) == [
        "row 7: a sum, and no event",
        "row 10: a sum, and no event",
        "row 11, Programpunkt: left out: the title is missing",
        "row 12, Programpunkt: left out: the title is missing",
        "row 13: a note, and no event",
    ]


def test_a_row_without_title_and_time_says_nothing_of_the_event_above():
    rows = ["Rubrik;Datum;Start;Slut;Pris", "Nattvandring;2026-09-12;23:00;01:00;", ";;;;45,00"]
    contents = read("\r\n".join(rows).encode("cp1252"))
    assert [each.more.get("price", "") for each in contents.events] == [""]
    assert list_problems(contents) == ["row 3, Rubrik: left out: the title is missing"]


def test_a_table_of_contacts_beside_the_programme_is_left_alone():
    rows = (
        *("Dag;Tid;Aktivitet;Plats;Ansvarig;;Namn;Telefon;E-post", ";;;;;;Ljud;08-12;l@x.example"),
        "Lördag 12 sept;10.00–11.00;Yoga;Parken;Karin;;Karin;070-123 45 67;k@x.example",
        "Lördag 12 sept;12–13;Soppteater;Caféet;Olle;;Vakt;112;",
    )
    contents = read(write(*([cell or None for cell in row.split(";")] for row in rows)))
    expected = [("Yoga", "Sat 10:00", "11:00", "Parken"), ("Soppteater", "Sat 12:00", "13:00", "Caféet")]
    assert (list_occasions(contents), list_problems(contents)) == (expected, [])
    said = [each.what for each in contents.problems]
    assert "columns that are left alone: Ansvarig, Namn, Telefon, E-post" in said


def test_headings_that_are_repeated_for_each_page_are_no_event():
    headings, day = ["Titel", "Datum", "Tid"], "2026-09-12"
    contents = read(write(headings, ["Jazz", day, "18–19"], headings, ["Rock", day, "19–20"]))
    expected = [("Jazz", "Sat 18:00", "19:00", ""), ("Rock", "Sat 19:00", "20:00", "")]
    assert (list_occasions(contents), contents.problems) == (expected, ())


def test_names_of_sheets_are_places_where_they_are_no_days_and_several_are_read():
    rows = [["Titel", "Datum", "Tid"], ["Jazz", "2026-09-12", "18–19"]]
    places = [
        [each[-1] for each in list_occasions(read(write_workbook(dict.fromkeys(names, rows), *hidden)))]
        for *names, hidden in [
            ("Torget", "Parken", ()),
            ("Torget", "Gammalt", ("Gammalt",)),
            ("Blad1", "Program 2", ()),
        ]
    ]
    # The rows are the same: without places they are one.
    assert places == [["Torget", "Parken"], [""], [""]]


def test_a_table_on_its_side_is_to_be_turned():
    with pytest.raises(UnreadableFileError, match="headings stand in the first column"):
        read(write(["Programpunkt", "Jazz", "Rock"], ["Dag", "Lördag", "Söndag"], ["Tid", "18.00", "19.00"]))


@pytest.mark.parametrize(
    "title",
    ["Amatörteater", "A capella", "Amåls visor", "Poesi", "Emma & Per", "F", "Aa.B", "Hej", "Till havs"],
)
def test_a_title_behind_a_time_in_a_cell_keeps_its_first_letters(title):
    grid = write(["Fredag 11/9"], ["", "Parken", "Hamnen"], [time(10), f"10-12 {title}", "Kör"])
    assert list_occasions(read(grid))[0] == (title, "Fri 10:00", "12:00", "Parken")


@pytest.mark.parametrize("headings", ["Wann;Uhrzeit;Titel;Ort", "Hvornår;Klokken;Titel;Plats"])
def test_columns_of_days_and_times_are_found_whatever_their_headings_are(headings):
    text = f"{headings}\nFreitag;18:30 Uhr;Große Nacht;Saal; 5 €\nSat;7pm-9pm;Late Show;Saal\n"
    contents = read(text.encode("cp1252"))
    expected = [("Große Nacht", "Fri 18:30", "19:00", "Saal"), ("Late Show", "Sat 19:00", "21:00", "Saal")]
    assert list_occasions(contents) == expected
    what = [each.what for each in contents.problems]
    assert what.count("texts below no heading are left alone (“5 €”): row 2") == 1


def test_sums_of_money_are_no_days():
    with pytest.raises(UnknownHeadingsError):
        read(write(["Post", "Budget", "Utfall"], ["Scenhyra", 45000, 43000], ["Gager", 60000, 71500]))


def test_a_grid_goes_on_after_midnight_and_cells_are_merged_over_places():
    grid = write(
        ["Fredag 11/9", "Hamnen", "Parken", "Torget"],
        [time(23), "Jazz", "Öppen scen", None],
        [time(0), "–", None, "Kör"],
        merged=("C2:D2",),
    )
    assert sorted(list_occasions(read(grid))) == [
        ("Jazz", "Fri 23:00", "00:00", "Hamnen"),
        ("Kör", "Sat 00:00", "00:30", "Torget"),
        ("Öppen scen", "Fri 23:00", "00:00", "Parken + Torget"),
    ]
