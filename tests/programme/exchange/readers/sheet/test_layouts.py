"""Sheets that are laid out for people: what each is recognized as, and the plain table that it is read as."""

from datetime import date

import msgspec
import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from feeds.festival_time import FestivalTime
from programme.exchange.readers.sheet.layouts.cells import Role, Slot, divide
from programme.exchange.readers.sheet.layouts.layout import Grid, Kind, Layout, Unfolded
from programme.exchange.readers.sheet.layouts.reading import find_misfit, read_by, recognize
from programme.exchange.readers.sheet.layouts.unfold import describe_layout, encode_layout, unfold_tables
from programme.exchange.readers.sheet.reader import read_listed
from programme.exchange.readers.sheet.tables import Table, TableRow
from programme.exchange.values import ImportDefaults
from tests.programme.exchange.readers.sheet.layouts import LAYOUTS, Merged

FESTIVAL = {date(2026, 9, day) for day in (11, 12, 13)}


def build_table(text: str, name: str = "", merged: Merged = ()) -> Table:
    """Return a sheet of lines with `;` between cells and `|` for a line break in a cell."""
    lines = text.strip("\n").split("\n")
    rows = [
        TableRow(number, tuple(cell.strip().replace("|", "\n") for cell in line.split(";")))
        for number, line in enumerate(lines, 1)
    ]
    return Table(tuple(row for row in rows if any(row.cells)), name, merged=merged)


def unfold(table: Table) -> Unfolded:
    defaults = ImportDefaults(FestivalTime("Europe/Stockholm", 0), days=frozenset(FESTIVAL))
    return unfold_tables([table], defaults).unfolded.get(table.name, Unfolded(table, Layout()))


def list_rows(found: Unfolded) -> list[str]:
    """Return the number and the filled cells of each row below the headings."""
    rows = found.table.rows[1:]
    return [f"{row.number}: {', '.join(cell for cell in row.cells if cell)}" for row in rows]


@pytest.mark.parametrize(("text", "name", "merged", "layout", "rows"), LAYOUTS.values(), ids=LAYOUTS)
def test_layouts(text, name, merged, layout, rows):
    found = unfold(build_table(text, name, merged))
    assert describe_layout(found.layout) == layout
    assert list_rows(found) == rows


ODD: dict[str, tuple[str, Merged, list[str]]] = {
    "merged cells down to the last row": (
        "Tid;Torget;Parken\n23:00;Smink;Jazz\n23:30;;Rock\n00:00;;Pop", ((2, 1, 4, 1),),
        ["2: Smink, 23:00, 00:30, Torget", "2: Jazz, 23:00, 23:30, Parken", "3: Rock, 23:30, 00:00, Parken", "4: Pop, 00:00, Parken"],
    ),
    "merged cells beyond the last column": (
        ";18.00;19.00;20.00\nTorget;Jazz\nParken;;Rock;", ((2, 1, 2, 7),),
        ["2: Jazz, 18:00, 21:00, Torget", "3: Rock, 19:00, 20:00, Parken"],
    ),
    "places in brackets": (
        ";Lör 12/9;Sön 13/9\n10.00;Saga (Museet)|Clown (Torget);Jazz (Torget)\n11.00;;Teater|med Anna (sång)", (),
        [
            "2: Saga, Lör 12/9, 10:00, 11:00, Museet", "2: Clown, Lör 12/9, 10:00, 11:00, Torget",
            "2: Jazz, Sön 13/9, 10:00, 11:00, Torget", "3: Teater, Sön 13/9, 11:00, med Anna (sång)",
        ],
    ),
    "a name in two lines": (
        ";Lör 12/9;Sön 13/9\nTorget;18.00 Lisa &|bandet;19.00 Rock och|20.00 Pop", (),
        ["2: Lisa & bandet, Lör 12/9, 18.00, Torget", "2: Rock och, Sön 13/9, 19.00, Torget", "2: Pop, Sön 13/9, 20.00, Torget"],
    ),
    "known headings again": (
        "STORA\nKl;Titel\n18.00;Jazz\n19.00;Rock\nLILLA\nKl;Titel\n18.00;Pop\n19.00;Folk", (),
        ["3: 18.00, Jazz, STORA", "4: 19.00, Rock, STORA", "7: 18.00, Pop, LILLA", "8: 19.00, Folk, LILLA"],
    ),
    "lines of a letter": (
        "Fredag 11/9\n20.30 Saga (Yövuoro), Bio Röda – med gäster\nkl 22 DJ @ Museet\n-----\nLÖRDAG 12 sept:\n"
        "* 11:00 – 12:30  Film (Biblioteket)\n• 14.00, 16.00 Clown, Torget\n> 19:30 Kör | Torget\nSöndag 13/9 – sista dagen\n"
        "- hela dagen Loppis, Torget\n18.00 och 20 Rock, pop & soul, Parken\nBandet kl 21 om vädret tillåter", (),
        [
            "2: Saga (Yövuoro), Fredag 11/9, 20.30, Bio Röda, med gäster", "3: DJ, Fredag 11/9, kl 22, Museet",
            "6: Film, LÖRDAG 12 sept:, 11:00 – 12:30, Biblioteket", "7: Clown, LÖRDAG 12 sept:, 14.00, 16.00, Torget",
            "8: Kör, LÖRDAG 12 sept:, 19:30, Torget", "10: Loppis, Söndag 13/9, hela dagen, Torget",
            "11: Rock, pop & soul, Söndag 13/9, 18.00 och 20, Parken",
        ],
    ),
    "unknown headings again": (
        "STORA\nKl;Nummer\n18.00;Jazz\n19.00;Rock\nLILLA\nKl;Nummer\n18.00;Pop", (),
        ["3: Jazz, 18.00, STORA", "4: Rock, 19.00, STORA", "7: Pop, 18.00, LILLA"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "merged", "rows"), ODD.values(), ids=ODD)
def test_odd_layouts(text, merged, rows):
    assert list_rows(unfold(build_table(text, "", merged))) == rows


# Each with 00:30 in the night to Sunday, where it follows on an evening.
NIGHTS = {
    "rows between": "Lördag 12/9\nTid;Artist;Scen\n00:30;Rock;Bio\n22.30-23.30;Jazz;Bio\n00.30-01.30;Pop;Bio\nSöndag 13/9\n0.30;Folk;Bio",
    "the name of the sheet": "Tid;Titel\n00:30;Rock\n22.30;Jazz\n00:30;Pop\nhela dagen;Loppis",
    "no headings": "Lördag 12/9\n00.30;Rock;Bio\n22.30;Jazz;Bio\n00.30;Pop;Bio\nSöndag 13/9\n0.30;Folk;Bio",
    "two places": "Lördag 12/9\n22.30;Jazz;Bio\n00.30;Rock;Stora\n00.30;Pop;Bio",
    "times down": "Lördag 12/9\n;Stora;Bio\n00:30;Rock\n22:30;Jazz\n00:30;;Pop\nSöndag 13/9\n;Stora;Bio\n00:30;;Folk",
    "times across": "Lördag 12/9\n;00:30;22:30;00:30\nBio;Rock;Jazz\nStora;;;Pop\nSöndag 13/9\n;00:30;12:30\nBio;Folk",
    "days across": ";Lör 12/9;Sön 13/9\n22:30;Jazz\n00:30;Pop",
    "times in cells": ";Lör 12/9;Sön 13/9\nBio;0.30 Rock|22.30 Jazz|0.30 Pop;0.30 Folk\nStora;;12.30 Tal",
    "a date in each row": "Titel;Datum;Start\nJazz;Lör 12/9;22:30\nRock;Lör 12/9;00:30\nFolk;Sön 13/9;00:30",
}  # fmt: skip


@pytest.mark.parametrize("first_hour", [0, 5])
@pytest.mark.parametrize("layout", NIGHTS)
def test_what_follows_on_an_evening_is_in_the_night_after_the_day_that_stands_above(layout, first_hour):
    time = FestivalTime(first_hour=first_hour)
    name = "Lördag 12/9" if "sheet" in layout else ""
    defaults = ImportDefaults(time, days=frozenset(FESTIVAL), today=date(2026, 7, 29))
    found = read_listed([build_table(NIGHTS[layout], name)], defaults)
    starts = {
        event.title: f"{time.local(each.start):%d %H:%M}"
        for event in found.events
        for each in event.occasions
    }
    usual = {"Rock": "12 00:30", "Jazz": "12 22:30", "Pop": "13 00:30", "Folk": "13 00:30"}
    others = {"Loppis": "12 00:00", "Tal": "13 12:30"}
    assert starts == {title: start for title, start in (usual | others).items() if title in NIGHTS[layout]}
    remark = "1 occasion after midnight is in the night after the day that stands above"
    assert [each.what for each in found.problems].count(remark) == ("Pop" in starts)
    # What is on the stated date is warned of where that may be the festival day.
    warned = [each.what for each in found.problems if each.what.startswith("occasions before 5")]
    assert len(warned) == (first_hour > 0 and bool(starts.keys() & {"Rock", "Folk", "Loppis"}))


@pytest.mark.parametrize(("text", "name", "merged", "_layout", "_rows"), LAYOUTS.values(), ids=LAYOUTS)
def test_every_used_cell_is_labelled(text, name, merged, _layout, _rows):
    table = build_table(text, name, merged)
    cells = unfold(table).cells
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
        ("10-12 Barnteater, 14-16 Clown", [Slot("Barnteater", "10-12"), Slot("Clown", "14-16")]),
        ("kl. 18.30: Invigning", [Slot("Invigning", "kl. 18.30")]),
        # Numbers that are part of a title.
        ("7 bröder", [Slot("7 bröder")]),
        ("Blås 2000", [Slot("Blås 2000")]),
        ("1984", [Slot("1984")]),
        ("Kör 24/7", [Slot("Kör 24/7")]),
    ],
)  # fmt: skip
def test_several_occasions_in_a_cell(text, expected):
    assert divide(text.replace("|", "\n")) == expected


CELLS = st.sampled_from(
    ["", "", "18", "18-20", "Lördag", "12/9", "Jazz", "Rock 19.30", "Tid", "Titel", "Plats", "A, B"]
)
ROWS = st.lists(st.lists(CELLS | st.text("aå18.-: \n", max_size=6), min_size=1, max_size=4), max_size=7)
MERGED = st.tuples(st.integers(1, 7), st.integers(0, 4), st.integers(0, 3), st.integers(0, 4))


@given(ROWS, st.lists(MERGED, max_size=2))
def test_no_sheet_is_too_odd(rows, merged):
    given = tuple(TableRow(n, tuple(row)) for n, row in enumerate(rows, 1) if any(row))
    table = Table(given, "", merged=tuple((row, n, row + down, n + right) for row, n, down, right in merged))
    found = unfold(table)
    assert found.table is table or found.layout != Layout()


UNKNOWN = (
    "Preliminärt\nNär;Vad;;Var\nFM\n10-11;Saga;för barn;Bibl.\n18;Jazz;;Hamnen\nKväll\n20;Rock;Ny!;Hamnen"
)
COLUMNS = {0: Role.TIME, 1: Role.TITLE, 2: Role.TEXT, 3: Role.PLACE}
POINTED: dict[str, tuple[str, str, Merged, Layout, list[str]]] = {
    "columns, the day in the name": (
        UNKNOWN, "Lördag", (),
        Layout(columns=COLUMNS, rows={"fm": Role.UNUSED, "kväll": Role.UNUSED}, name=Role.DAY),
        ["4: Saga, Lördag, 10-11, Bibl., för barn", "5: Jazz, Lördag, 18, Hamnen", "7: Rock, Lördag, 20, Hamnen, Ny!"],
    ),
    "the place in the name, rows that are days": (
        "Måndag\nAlla;Vad\n10;Saga\nDag två\n11;Jazz;12", "Scenen", (),
        Layout(
            columns={0: Role.TIME, 1: Role.TITLE, 2: Role.END}, rows={"dag två": Role.DAY, "alla · vad": Role.HEADING}, name=Role.PLACE
        ),
        ["3: Saga, Måndag, 10, Scenen", "5: Jazz, Dag två, 11, 12, Scenen"],
    ),
    "headings that say the rest": (
        "Tid;Grej;Datum;Pris;Arrangör\n10;Saga;12/9;50 kr;Anna\n11;Jazz;13/9;;Bo", "", (),
        Layout(columns={1: Role.TITLE}, rows={"tid · grej · datum · pris · arrangör": Role.HEADING}),
        ["2: Saga, 12/9, 10, 50 kr, Anna", "3: Jazz, 13/9, 11, Bo"],
    ),
    "a row that is a day, with words behind it": (
        "LÖRDAG – stora kvällen\nTid;Titel\n10;Saga", "", (),
        Layout(rows={"lördag – stora kvällen": Role.DAY}),
        ["3: 10, Saga, LÖRDAG"],
    ),
    "rows of a table that are places, unused or ordinary": (
        "Datum;Tid;Titel\nLilla\n12/9;10;Saga\n12/9;11;Jazz\nPaus\nStora\n13/9;12;Rock", "", (),
        Layout(rows={"paus": Role.UNUSED, "lilla": Role.PLACE, "stora": Role.PLACE}),
        ["3: 12/9, 10, Saga, Lilla", "4: 12/9, 11, Jazz, Lilla", "7: 13/9, 12, Rock, Stora"],
    ),
    "a grid that no rule finds": (
        "x;Sal A;Sal B\nPass 1;Saga;Jazz\nDag 2\nPaus;Fika;Fika\nPass 2;Rock;", "", (),
        Layout(
            Kind.GRID, {2: Role.UNUSED}, {"x · sal a · sal b": Role.HEADING, "dag 2": Role.DAY, "paus · fika · fika": Role.UNUSED},
            down=Role.TIME, across=Role.PLACE,
        ),
        ["2: Saga, Pass 1, Sal A", "5: Rock, Dag 2, Pass 2, Sal A"],
    ),
    "a grid in further columns, below a place": (
        "1;;Lör 12/9;Sön 13/9\nParken\n2;18.00;Saga;Jazz\n3;19.00;;Rock", "", (),
        Layout(Kind.GRID, {0: Role.UNUSED}, {"parken": Role.PLACE}, down=Role.TIME, across=Role.DAY),
        ["3: Saga, Lör 12/9, 18:00, 19:00, Parken", "3: Jazz, Sön 13/9, 18:00, 19:00, Parken", "4: Rock, Sön 13/9, 19:00, Parken"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "name", "merged", "layout", "rows"), POINTED.values(), ids=POINTED)
def test_a_sheet_is_read_as_a_person_has_said(text, name, merged, layout, rows):
    grid = Grid(build_table(text, name, merged), FESTIVAL)
    stored = msgspec.json.decode(encode_layout(layout), type=Layout)
    assert list_rows(read_by(grid, stored)) == rows
    assert find_misfit(grid, stored) == ""
    # Rows that are inserted change nothing: rows are known by their texts.
    later = Table(tuple(TableRow(row.number + 3, row.cells) for row in grid.table.rows), name, merged=merged)
    assert [row.partition(": ")[2] for row in list_rows(read_by(Grid(later, FESTIVAL), stored))] == [
        row.partition(": ")[2] for row in rows
    ]


@pytest.mark.parametrize(
    ("case", "text", "why"),
    [
        (
            "headings that say the rest", "Nr;Tid;Grej;Datum\n1;10;Saga;12/9",
            "the row of headings “tid · grej · datum · pris · arrangör” is no longer in it",
        ),
        ("columns, the day in the name", "Nr;Vad\n1/9;Saga", "column A does not look like “time” any more"),
        ("columns, the day in the name", "10;18\n11;19", "column B does not look like “title” any more"),
        ("a grid in further columns, below a place", "1;;A;B\n2;18.00;Saga;Jazz", "it is no such grid any more"),
    ],
)  # fmt: skip
def test_a_layout_that_no_longer_fits_says_why(case, text, why):
    with override("en"):
        assert find_misfit(Grid(build_table(text), FESTIVAL), POINTED[case][3]) == why


@given(
    st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=7),
    st.none() | st.dictionaries(st.integers(0, 3), st.sampled_from(Role), max_size=4),
    st.sampled_from([(Kind.TABLE, None, None), (Kind.GRID, Role.TIME, Role.PLACE), (Kind.GRID, Role.DAY, Role.TIME)]),
)  # fmt: skip
def test_what_is_not_read_is_labelled_so(rows, columns, body):
    table = Table(tuple(TableRow(n, tuple(row)) for n, row in enumerate(rows, 1) if any(row)))
    grid = Grid(table, FESTIVAL)
    kind, down, across = body
    layout = recognize(grid) if columns is None else Layout(kind, columns, down=down, across=across)
    found = read_by(grid, layout) if layout else Unfolded(table, Layout())
    read = {word for row in found.table.rows for cell in row.cells for word in cell.split()}
    for cell in found.cells:
        if cell.role in (Role.TITLE, Role.TEXT, Role.PLACE) and found.table is not table:
            assert {*cell.text.replace(",", "").split()} <= {word.strip(",") for word in read}, cell
