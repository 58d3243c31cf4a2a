"""Sheets that are laid out for people: what each is recognized as, and the plain table that it is read as."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.exchange.readers.sheet.layouts.cells import Role, Slot, divide
from programme.exchange.readers.sheet.layouts.layout import HEADINGS, Unfolded
from programme.exchange.readers.sheet.layouts.reading import unfold
from programme.exchange.readers.sheet.layouts.unfold import describe_layout
from programme.exchange.readers.sheet.tables import Table, TableRow
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


def list_rows(found: Unfolded) -> list[str]:
    """Return the number and the filled cells of each row below the headings."""
    rows = found.table.rows[1:]
    return [f"{row.number}: {', '.join(cell for cell in row.cells if cell)}" for row in rows]


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
