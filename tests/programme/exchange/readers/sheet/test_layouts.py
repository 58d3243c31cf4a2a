"""Sheets that are laid out for people: what each is recognized as, and the plain table that it is read as."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.exchange.readers.sheet.layouts.cells import Role, Slot, divide
from programme.exchange.readers.sheet.layouts.layout import HEADINGS, Unfolded
from programme.exchange.readers.sheet.layouts.unfold import describe_layout, unfold
from programme.exchange.readers.sheet.tables import Table, TableRow

FESTIVAL = {date(2026, 9, day) for day in (11, 12, 13)}
Merged = tuple[tuple[int, int, int, int], ...]


def build_table(text: str, name: str = "", merged: Merged = ()) -> Table:
    """Return a sheet of lines with `;` between cells and `|` for a line break in a cell."""
    lines = text.strip("\n").split("\n")
    rows = [
        TableRow(number, tuple(cell.strip().replace("|", "\n") for cell in line.split(";")))
        for number, line in enumerate(lines, 1)
    ]
    return Table(tuple(row for row in rows if any(row.cells)), name, merged=merged)


def list_rows(found: Unfolded) -> list[str]:
    """Return the number and the filled cells of each row below the headings."""
    rows = found.table.rows[1:]
    return [f"{row.number}: {', '.join(cell for cell in row.cells if cell)}" for row in rows]


LAYOUTS: dict[str, tuple[str, str, Merged, str, list[str]]] = {
    "a sheet for a day": (
        "Tid;Artist;Scen\n18.00;Jazz;Stora\n19-20;Rock;Lilla", "Lördag", (),
        "a table, its name is the day",
        ["2: 18.00, Jazz, Stora, Lördag", "3: 19-20, Rock, Lilla, Lördag"],
    ),
    "days as section rows": (
        "Tid;Artist;Scen\nLördag 12 september\n18.00;Jazz;Stora\nSöndag 13 september\n18.00;Pop;Stora", "", (),
        "a table with sections, rows between say the day",
        ["3: 18.00, Jazz, Stora, Lördag 12 september", "5: 18.00, Pop, Stora, Söndag 13 september"],
    ),
    "stages as section rows": (
        "Datum;Tid;Artist\nStora scenen\n12/9;18.00;Jazz\n12/9;19-20;Rock\nLilla scenen\n12/9;18.00;Pop\n12/9;19.00;Folk", "", (),
        "a table with sections, rows between say the place",
        [
            "3: 12/9, 18.00, Jazz, Stora scenen", "4: 12/9, 19-20, Rock, Stora scenen", "6: 12/9, 18.00, Pop, Lilla scenen",
            "7: 12/9, 19.00, Folk, Lilla scenen",
        ],
    ),
    "days side by side": (
        "Lördag;;;Söndag\nTid;Artist;;Tid;Artist\n18;Jazz;;17;Pop\n19;Rock;;18;Folk", "", (),
        "tables side by side",
        ["3: 18, Jazz, Lördag", "4: 19, Rock, Lördag", "3: 17, Pop, Söndag", "4: 18, Folk, Söndag"],
    ),
    "stages side by side": (
        "Stora scenen;;;Lilla scenen\nTid;Artist;;Tid;Artist\n18;Jazz;;17;Pop", "12 sept", (),
        "tables side by side, its name is the day",
        ["3: 18, Jazz, 12 sept, Stora scenen", "3: 17, Pop, 12 sept, Lilla scenen"],
    ),
    "times and places, merged cells are lengths": (
        "Lördag 12/9\n;Stora;Lilla\n18.00;Jazz;Sång\n19.00;;Clown\n20.00;Rock;", "", ((3, 1, 4, 1),),
        "a grid of times and places",
        [
            "3: Jazz, Lördag 12/9, 18:00, 20:00, Stora", "3: Sång, Lördag 12/9, 18:00, 19:00, Lilla",
            "4: Clown, Lördag 12/9, 19:00, 20:00, Lilla", "5: Rock, Lördag 12/9, 20:00, Stora",
        ],
    ),
    "places and times": (
        ";18.00;19.00;20.00\nStora;Jazz;;Rock\nLilla;;Clown;", "Lör 12/9", (),
        "a grid of places and times",
        [
            "2: Jazz, Lör 12/9, 18:00, 19:00, Stora", "2: Rock, Lör 12/9, 20:00, Stora",
            "3: Clown, Lör 12/9, 19:00, 20:00, Lilla",
        ],
    ),
    "places and days, several in a cell": (
        ";Lör 12/9;Sön 13/9\nStora;18.00 Jazz|20.00 Rock;14-15 Pop\nLilla;Clown 16.00;", "", (),
        "a grid of places and days",
        [
            "2: Jazz, Lör 12/9, 18.00, Stora", "2: Rock, Lör 12/9, 20.00, Stora", "2: Pop, Sön 13/9, 14-15, Stora",
            "3: Clown, Lör 12/9, 16.00, Lilla",
        ],
    ),
    "days and places": (
        "Dag;Stora;Lilla\nFredag;18.00 Jazz;19.30 Pop\nLördag;20.00 Rock;", "", (),
        "a grid of days and places",
        ["2: Jazz, Fredag, 18.00, Stora", "2: Pop, Fredag, 19.30, Lilla", "3: Rock, Lördag, 20.00, Stora"],
    ),
    "times and places below days": (
        ";Lördag;;Söndag;\nTid;Stora;Lilla;Stora;Lilla\n18-19;Jazz;Sång;Pop;\n19-20;Rock;;;Folk", "", ((1, 1, 1, 2), (1, 3, 1, 4)),
        "a grid of times and places",
        [
            "3: Jazz, Lördag, 18-19, Stora", "3: Sång, Lördag, 18-19, Lilla", "3: Pop, Söndag, 18-19, Stora",
            "4: Rock, Lördag, 19-20, Stora", "4: Folk, Söndag, 19-20, Lilla",
        ],
    ),
    "grids below each other": (
        "Lördag\n;Stora;Lilla\n18;Jazz;Sång\n19;Rock;Clown\nSöndag\n;Parken;Lilla\n18;Pop;Folk\n20;Blås;Kör", "", (),
        "a grid of times and places",
        [
            "3: Jazz, Lördag, 18:00, 19:00, Stora", "3: Sång, Lördag, 18:00, 19:00, Lilla", "4: Rock, Lördag, 19:00, Stora",
            "4: Clown, Lördag, 19:00, Lilla", "7: Pop, Söndag, 18:00, 20:00, Parken", "7: Folk, Söndag, 18:00, 20:00, Lilla",
            "8: Blås, Söndag, 20:00, Parken", "8: Kör, Söndag, 20:00, Lilla",
        ],
    ),
    "no headings": (
        "Lördag 12 september\n18.00;Jazz;Stora scenen\n19.00;Rock;Lilla scenen\nSöndag 13 september\n18.00;Pop;Stora scenen\n"
        "19.30;Folk;Stora scenen", "", (),
        "a table without headings, rows between say the day",
        [
            "2: Jazz, Lördag 12 september, 18.00, Stora scenen", "3: Rock, Lördag 12 september, 19.00, Lilla scenen",
            "5: Pop, Söndag 13 september, 18.00, Stora scenen", "6: Folk, Söndag 13 september, 19.30, Stora scenen",
        ],
    ),
    "one column": (
        "Lördag 12 september\n18.00 Jazz\n19-20 Rock\nSöndag 13 september\nPop kl. 18", "", (),
        "a table without headings, rows between say the day",
        [
            "2: Jazz, Lördag 12 september, 18.00", "3: Rock, Lördag 12 september, 19-20",
            "5: Pop, Söndag 13 september, kl. 18",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "name", "merged", "layout", "rows"), LAYOUTS.values(), ids=LAYOUTS)
def test_layouts(text: str, name: str, merged: Merged, layout: str, rows: list[str]) -> None:
    found = unfold(build_table(text, name, merged), FESTIVAL)
    assert describe_layout(found.layout) == layout
    assert list_rows(found) == rows


@pytest.mark.parametrize(("text", "name", "merged", "_layout", "_rows"), LAYOUTS.values(), ids=LAYOUTS)
def test_every_used_cell_is_labelled(
    text: str, name: str, merged: Merged, _layout: str, _rows: list[str]
) -> None:
    table = build_table(text, name, merged)
    cells = unfold(table, FESTIVAL).cells
    assert {(each.row, each.column): each.text for each in cells} == {
        (row.number, column): cell for row in table.rows for column, cell in enumerate(row.cells) if cell
    }
    assert [each for each in cells if each.role is Role.UNUSED] == []


@pytest.mark.parametrize(
    "text",
    [
        "Titel;Datum;Start\nJazz;2026-09-12;18\nRock;2026-09-12;19",
        "Titel;Datum;Start\nÖppet hus;2026-09-12;19\n;2026-09-13;19",
        "Att göra\nRinga Anna\nBoka scen\nKöpa 18 stolar",
        "Namn;Webbsida;Telefon\nKarin;www.example.org;1",
    ],
)
def test_a_table_and_what_is_no_programme_stay_as_they_are(text: str) -> None:
    table = build_table(text)
    assert unfold(table, FESTIVAL).table is table


def test_the_name_of_a_sheet_is_its_place_where_others_are_alike() -> None:
    table = build_table("Titel;Datum;Start\nJazz;2026-09-12;18", "Stora scenen")
    assert list_rows(unfold(table, is_one_of_several=True)) == ["2: Jazz, 2026-09-12, 18, Stora scenen"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jazz|med Anna", [Slot("Jazz", "", "med Anna")]),
        ("18.00|Jazz|19.30|Rock", [Slot("Jazz", "18.00"), Slot("Rock", "19.30")]),
        ("Jazz|18-20", [Slot("Jazz", "18-20")]),
        ("10.00-11.00 Barnteater|Fri entré|14.00 Clown", [Slot("Barnteater", "10.00-11.00", "Fri entré"), Slot("Clown", "14.00")]),
        ("10-12 Barnteater, 14-16 Clown", [Slot("Barnteater", "10-12"), Slot("Clown", "14-16")]),
        ("kl. 18.30: Invigning", [Slot("Invigning", "kl. 18.30")]),
        # Numbers that are part of a title.
        ("7 bröder", [Slot("7 bröder")]),
        ("Blås 2000", [Slot("Blås 2000")]),
        ("1984", [Slot("1984")]),
        ("Kör 24/7", [Slot("Kör 24/7")]),
    ],
)  # fmt: skip
def test_several_occasions_in_a_cell(text: str, expected: list[Slot]) -> None:
    assert divide(text.replace("|", "\n")) == expected


@given(st.lists(st.lists(st.text("aå18.-: \n", max_size=6), max_size=4), max_size=6))
def test_no_sheet_is_too_odd(rows: list[list[str]]) -> None:
    table = Table(tuple(TableRow(n, tuple(row)) for n, row in enumerate(rows, 1) if any(row)))
    found = unfold(table, FESTIVAL)
    assert found.table is table or len({len(HEADINGS), *(len(row.cells) for row in found.table.rows)}) >= 1
