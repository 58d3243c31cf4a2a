"""Sheets that are laid out for people: what each is recognized as, and the plain table that it is read as."""

from collections.abc import Mapping
from datetime import date

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from feeds.festival_time import FestivalTime
from programme.exchange.readers.sheet.grids import Slot, divide
from programme.exchange.readers.sheet.layout import Grid, Layout, Unfolded
from programme.exchange.readers.sheet.layouts import describe_layout, explain, recognize, unfold_tables
from programme.exchange.readers.sheet.tables import Table, TableRow
from programme.exchange.values import ImportDefaults

FESTIVAL = {date(2026, 9, day) for day in (11, 12, 13)}
Merged = tuple[tuple[int, int, int, int], ...]

# The sheet, its name and its merged cells; what it is shown as, and the rows that are read.
LAYOUTS: dict[str, tuple[str, str, Merged, str, list[str]]] = {
    "a sheet for a day": (
        "Tid;Artist;Scen\n18.00;Jazz;Stora\n25.70;Pop;Lilla", "Lördag", (), "a table, its name is the day",
        ["2: 18.00, Jazz, Stora, Lördag", "3: 25.70, Pop, Lilla, Lördag"],
    ),
    "a title that is the day": (
        "Lördag 12/9\nTid;Artist\n18.00;Jazz", "", (), "a table", ["3: 18.00, Jazz, Lördag 12/9"],
    ),
    "a title that ends in the day": (
        "Kulturnatten: lördag 12 september\nTid;Artist\n18.00;Jazz", "Lördag", (), "a table", ["3: 18.00, Jazz, lördag 12 september"],
    ),
    "a title that was left from another day": (
        "Kulturnatten: lördag 12/9\nTid;Artist\n18.00;Jazz", "Fredag", (), "a table, its name is the day", ["3: 18.00, Jazz, Fredag"],
    ),
    "a grid below a title that ends in the day": (
        "Kultur, lördag 12/9\n;Stora;Lilla\n18;Jazz;Sång", "Lördag", (), "a grid of times and places",
        ["3: Jazz, lördag 12/9, 18:00, Stora", "3: Sång, lördag 12/9, 18:00, Lilla"],
    ),
    "days as section rows": (
        "Tid;Artist;Scen\nLördag 12 september\n18.00;Jazz;Stora\nSöndag 13 september\n18.00;Pop;Stora", "", (),
        "a table with sections, rows between say the day",
        ["3: 18.00, Jazz, Stora, Lördag 12 september", "5: 18.00, Pop, Stora, Söndag 13 september"],
    ),
    "stages as section rows": (
        "Datum;Tid;Artist\nStora scenen\n12/9;18.00;Jazz\n12/9;19-20;Rock\nLilla scenen\n12/9;18.00;Pop", "", (),
        "a table with sections, rows between say the place",
        ["3: 12/9, 18.00, Jazz, Stora scenen", "4: 12/9, 19-20, Rock, Stora scenen", "6: 12/9, 18.00, Pop, Lilla scenen"],
    ),
    "headings that are repeated below each stage": (
        "STORA\nKl;Titel\n18.00;Jazz\n19.00;Rock\nLILLA\nKl;Titel\n18.00;Pop", "", (), "a table with sections, rows between say the place",
        ["3: 18.00, Jazz, STORA", "4: 19.00, Rock, STORA", "7: 18.00, Pop, LILLA"],
    ),
    "days and stages without headings": (
        "Lördag 12/9\nStora\n18.00;Jazz;it;rock\nLilla\n19.00;Pop;se;pop\nSöndag 13/9\n18.00;Kör;se;kör", "", (),
        "a table without headings, rows between say the day, rows between say the place",
        ["3: 18.00, Jazz, it, rock, Lördag 12/9, Stora", "5: 19.00, Pop, se, pop, Lördag 12/9, Lilla", "7: 18.00, Kör, se, kör, Söndag 13/9, Lilla"],
    ),
    "columns for each stage": (
        "Dag;Tid;Pool_Typ;Pool_Titel;Hall_Typ;Hall_Titel\n12/9;18;Sport;Bad;;\n12/9;19;Sport;Boll;Musik;Kör", "", (), "a table with columns for each place",
        ["2: 12/9, 18, Sport, Bad, Pool", "3: 12/9, 19, Sport, Boll, Pool", "3: 12/9, 19, Musik, Kör, Hall"],
    ),
    "times and places, merged cells are lengths": (
        "Lördag 12/9\n;Stora;Lilla\n18.00;Jazz;Sång\n19.00;;Clown\n20.00;Rock;Kör\n21.00;Visor;", "", ((3, 1, 4, 1), (5, 2, 6, 2)),
        "a grid of times and places",
        [
            "3: Jazz, Lördag 12/9, 18:00, 20:00, Stora", "3: Sång, Lördag 12/9, 18:00, 19:00, Lilla", "4: Clown, Lördag 12/9, 19:00, 20:00, Lilla",
            "5: Rock, Lördag 12/9, 20:00, 21:00, Stora", "5: Kör, Lördag 12/9, 20:00, 22:00, Lilla", "6: Visor, Lördag 12/9, 21:00, Stora",
        ],
    ),
    "merged over all places, over some, and down to the last row": (
        ";A;B;C\n23:00;Fika;;\n23:30;Tal;;Jazz\n00:00;Slut;;", "Lördag", ((2, 1, 2, 3), (3, 1, 3, 2), (3, 3, 4, 3)),
        "a grid of times and places",
        ["2: Fika, Lördag, 23:00, 23:30", "3: Tal, Lördag, 23:30, 00:00, A + B", "3: Jazz, Lördag, 23:30, 00:30, C", "4: Slut, Lördag, 00:00, A"],
    ),
    "places and times, a grid for each day": (
        "Lördag\n;18.00;19.00;20.00\nStora;Jazz;Rock;\nLilla;;Clown;\nSöndag\n;18.00;19.00;20.00\nStora;Pop;Folk;", "", ((3, 2, 3, 3),),
        "a grid of places and times",
        [
            "3: Jazz, Lördag, 18:00, 19:00, Stora", "3: Rock, Lördag, 19:00, 21:00, Stora", "4: Clown, Lördag, 19:00, 20:00, Lilla",
            "7: Pop, Söndag, 18:00, 19:00, Stora", "7: Folk, Söndag, 19:00, 20:00, Stora",
        ],
    ),
    "other places for each day": (
        "Lördag\n;Stora;Lilla\n18;Jazz;Sång\nSöndag\n;Parken;Lilla\n18;Pop;Folk", "", (), "a grid of times and places",
        ["3: Jazz, Lördag, 18:00, Stora", "3: Sång, Lördag, 18:00, Lilla", "6: Pop, Söndag, 18:00, Parken", "6: Folk, Söndag, 18:00, Lilla"],
    ),
    "days beside the places": ("Lördag;A;B\n18;Jazz;Sång\nSöndag;A;B\n18;Pop;Folk", "", (), "a grid of times and places", [
        "2: Jazz, Lördag, 18:00, A", "2: Sång, Lördag, 18:00, B", "4: Pop, Söndag, 18:00, A", "4: Folk, Söndag, 18:00, B",
    ]),
}  # fmt: skip


def build_table(text: str, name: str = "", merged: Merged = ()) -> Table:
    """Return a sheet of lines with `;` between cells and `|` for a line break in a cell."""
    rows = [
        TableRow(number, tuple(cell.strip().replace("|", "\n") for cell in line.split(";")))
        for number, line in enumerate(text.strip("\n").split("\n"), 1)
    ]
    return Table(tuple(row for row in rows if any(row.cells)), name, merged=merged)


def unfold(table: Table, said: Mapping[str, str] | None = None) -> Unfolded:
    defaults = ImportDefaults(
        FestivalTime("Europe/Stockholm", 0), days=frozenset(FESTIVAL), answers=said or {}
    )
    return unfold_tables([table], defaults).get(table.name, Unfolded(table, Layout()))


def list_rows(found: Unfolded) -> list[str]:
    """Return the number and the filled cells of each row below the headings."""
    rows = found.table.rows[1:]
    return [f"{row.number}: {', '.join(cell for cell in row.cells if cell)}" for row in rows]


@pytest.mark.parametrize(("text", "name", "merged", "layout", "rows"), LAYOUTS.values(), ids=LAYOUTS)
def test_layouts(text, name, merged, layout, rows):
    table = build_table(text, name, merged)
    found = unfold(table)
    assert describe_layout(found.layout) == layout
    assert list_rows(found) == rows
    assert {(each.row, each.column): each.text for each in found.cells} == {
        (row.number, column): cell for row in table.rows for column, cell in enumerate(row.cells) if cell
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Tid;Artist;;Tid;Artist\n18;Jazz;;17;Pop", "days or tables stand side by side"),
        (";Lör 12/9;Sön 13/9\nStora;18.00 Jazz;14-15 Pop", "days or tables stand side by side"),
        (";Lördag;;Söndag;\nTid;Stora;Lilla;Stora;Lilla\n18-19;Jazz;Sång;Pop;", "days or tables stand side by side"),
        ("Lördag 12/9\n18.00;Jazz;Stora\n19.00;Rock;Lilla", "nothing says what its columns are"),
        ("18.00;Jazz\n19.00;Rock", "nothing says what its columns are"),
        ("Lördag 12/9\n18.00 Jazz, Stora\n19-20 Rock, Lilla", "the layout was not recognized"),
        ("Titel;Jazz;Rock\nDag;Lördag;Söndag\nTid;18.00;19.00", "its headings stand in the first column"),
    ],
)  # fmt: skip
def test_other_layouts_are_refused_with_the_way_on(text, why):
    table = build_table(text)
    assert recognize(Grid(table, FESTIVAL)) is None
    with override("en"):
        assert explain(table, FESTIVAL).startswith(why)


@pytest.mark.parametrize(
    "text",
    [
        "Titel;Datum;Start\nJazz;2026-09-12;18\nRock;2026-09-12;19",
        "Titel;Datum;Start\nÖppet hus;2026-09-12;19\n;2026-09-13;19",
        "Att göra\nRinga Anna\nBoka scen\nKöpa 18 stolar",
        "Namn;Webbsida;Telefon\nKarin;www.example.org;1",
        "id;nome;data;hora\n1;Concerto;2026-09-12;21:00",
        "hora;nome;local\n21:00;Concerto;Teatro\n22:00;Cinema;Praça",
    ],
)
def test_a_table_and_what_is_no_programme_stay_as_they_are(text):
    table = build_table(text)
    assert unfold(table).table is table


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jazz|med Anna", [Slot("Jazz", "", "med Anna")]),
        ("18.00|Jazz|19.30|Rock", [Slot("Jazz", "18.00"), Slot("Rock", "19.30")]),
        ("Jazz|18-20", [Slot("Jazz", "18-20")]),
        ("10.00-11.00 Barnteater|Fri entré|14.00 Clown", [Slot("Barnteater", "10.00-11.00", "Fri entré"), Slot("Clown", "14.00")]),
        ("kl. 18.30: Invigning", [Slot("Invigning", "kl. 18.30")]),
        # Numbers that are part of a title.
        ("7 bröder", [Slot("7 bröder")]), ("Blås 2000", [Slot("Blås 2000")]), ("1984", [Slot("1984")]), ("Kör 24/7", [Slot("Kör 24/7")]),
    ],
)  # fmt: skip
def test_several_occasions_in_a_cell(text, expected):
    assert divide(text.replace("|", "\n")) == expected


CELLS = st.sampled_from(
    [
        *("", "", "18", "18-20", "Lördag", "12/9", "Jazz", "Rock 19.30", "Tid", "Titel", "Plats"),
        *("A_Titel", "A_Typ"),
    ]
)
ROWS = st.lists(st.lists(CELLS | st.text("aå18.-: \n", max_size=6), min_size=1, max_size=4), max_size=7)
MERGED = st.tuples(st.integers(1, 7), st.integers(0, 4), st.integers(0, 3), st.integers(0, 4))


@given(ROWS, st.lists(MERGED, max_size=2))
def test_no_sheet_is_too_odd(rows, merged):
    rows = tuple(TableRow(n, tuple(row)) for n, row in enumerate(rows, 1) if any(row))
    table = Table(rows, "", merged=tuple((row, n, row + down, n + right) for row, n, down, right in merged))
    assert unfold(table).table is table or unfold(table).layout != Layout()
    assert explain(table)


# The sheet, its name, what was said of it, and the rows that are read.
SAID: dict[str, tuple[str, str, dict[str, str], list[str]]] = {
    "columns, the day in the name": (
        "Preliminärt\nNär;Vad;;Var\nFM\n10-11;Saga;för barn;Bibl.\n18;Jazz;;Hamnen\nKväll\n20;Rock;Ny!;Hamnen", "Lördag",
        {"column:när": "start", "column:vad": "title", "column:#C": "description_sv", "row:fm": "unused", "row:kväll": "unused", "sheet-names": "day"},
        ["4: 10-11, Saga, för barn, Bibl., Lördag", "5: 18, Jazz, Hamnen, Lördag", "7: 20, Rock, Ny!, Hamnen, Lördag"],
    ),
    "the place in the name, rows that are days": (
        "Måndag\nAlla;Vad\n10;Saga\nDag två\n11;Jazz;12", "Scenen",
        {"column:alla": "start", "column:vad": "title", "row:dag två": "day", "row:alla · vad": "heading", "sheet-names": "place"},
        ["3: 10, Saga, Måndag, Scenen", "5: 11, Jazz, 12, Dag två, Scenen"],
    ),
    "headings that say the rest": (
        "Tid;Grej;Datum;Pris;Arrangör\n10;Saga;12/9;50 kr;Anna\n11;Jazz;13/9;;Bo", "",
        {"column:grej": "title", "row:tid · grej · datum · pris · arrangör": "heading"},
        ["2: 10, Saga, 12/9, 50 kr, Anna", "3: 11, Jazz, 13/9, Bo"],
    ),
    "a row that is a day, with words behind it": (
        "LÖRDAG – stora kvällen\nTid;Titel\n10;Saga", "", {"row:lördag – stora kvällen": "day"}, ["3: 10, Saga, LÖRDAG"],
    ),
    "rows of a table that are places, unused or ordinary": (
        "Datum;Tid;Titel\nLilla\n12/9;10;Saga\n12/9;11;Jazz\nPaus\nStora\n13/9;12;Rock", "",
        {"row:paus": "unused", "row:lilla": "place", "row:stora": "place"},
        ["3: 12/9, 10, Saga, Lilla", "4: 12/9, 11, Jazz, Lilla", "7: 13/9, 12, Rock, Stora"],
    ),
    "a grid that no rule finds": (
        "x;Sal A;Sal B\nPass 1;Saga;Jazz\nDag 2\nPaus;Fika;Fika\nPass 2;Rock;", "",
        {"body:": "time-place", "column:sal b": "no", "row:x · sal a · sal b": "heading", "row:dag 2": "day", "row:paus · fika · fika": "unused"},
        ["2: Saga, Pass 1, Sal A", "5: Rock, Dag 2, Pass 2, Sal A"],
    ),
    "no headings": (
        "10;Saga;Hamnen\n11;Jazz;Torget", "Lördag", {"column:#A": "start", "column:#B": "title", "column:#C": "location"},
        ["1: 10, Saga, Hamnen, Lördag", "2: 11, Jazz, Torget, Lördag"],
    ),
    "no headings, and columns that look otherwise by now": (
        "Saga;10\nJazz;11", "Lördag", {"column:#A": "start", "column:#B": "title"}, ["2: Jazz, 11"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "name", "said", "rows"), SAID.values(), ids=SAID)
def test_a_sheet_is_read_as_a_person_has_said(text, name, said, rows):
    table = build_table(text, name)
    assert list_rows(unfold(table, said)) == rows
    # Rows that are inserted change nothing: rows are known by their texts.
    later = Table(tuple(TableRow(row.number + 3, row.cells) for row in table.rows), name)
    assert [row.partition(": ")[2] for row in list_rows(unfold(later, said))] == [
        row.partition(": ")[2] for row in rows
    ]
