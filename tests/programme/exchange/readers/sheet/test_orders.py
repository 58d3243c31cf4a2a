"""The order of sheets, columns and rows says nothing, in any layout."""

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.programme.exchange.workbooks import write_workbook
from tests.real_data import layouts
from tests.real_data.layouts import Line, Sheets

ZONE = ZoneInfo("Europe/Stockholm")
FIRST = dt.datetime(2026, 9, 11)  # noqa: DTZ001 - on the clock of the festival


def build_line(title: str, place: str, day: int, hour: int) -> Line:
    start = FIRST + dt.timedelta(days=day, hours=hour)
    return Line(title, start, start + dt.timedelta(minutes=90), place)


def add_neighbours(lines: list[Line]) -> list[Line]:
    """Return lines of which each has one beside it: one place alone makes no grid, and no sheet's name."""
    beside = {build_line("Kör", "Scenen", (line.start - FIRST).days, line.start.hour) for line in lines}
    return [*lines, *beside]


# Of several days, at each of which an occasion has its place for itself.
LINES = (
    st.lists(
        st.builds(
            build_line,
            st.sampled_from(["Jazz", "Öppen scen", "Tal & te"]),
            st.sampled_from(["Parken", "Hall 3", "Torget"]),
            st.integers(0, 2),
            st.integers(10, 22),
        ),
        min_size=2,
        max_size=8,
        unique_by=lambda line: (line.start, line.place),
    )
    .filter(lambda lines: len({line.start.date() for line in lines}) > 1)
    .map(add_neighbours)
)


def shuffle_columns(data: st.DataObject, rows: list[list[Any]]) -> list[list[Any]]:
    """Return rows with their columns in another order; those with one cell alone are headings of sections."""
    order = data.draw(st.permutations(range(max(map(len, rows)))))
    return [row if len(row) == 1 else [row[place] for place in order] for row in rows]


def shuffle_table(data: st.DataObject, rows: list[list[Any]]) -> list[list[Any]]:
    headings, *others = shuffle_columns(data, rows)
    return [headings, *data.draw(st.permutations(others))]


def shuffle_sections(data: st.DataObject, rows: list[list[Any]]) -> list[list[Any]]:
    headings, *others = shuffle_columns(data, rows)
    sections: list[list[list[Any]]] = []
    for row in others:
        sections += [[row]] if len(row) == 1 else []
        sections[-1] += [row] if len(row) > 1 else []
    shuffled = data.draw(st.permutations(sections))
    return [
        headings,
        *(row for first, *rest in shuffled for row in (first, *data.draw(st.permutations(rest)))),
    ]


def shuffle_grid(data: st.DataObject, rows: list[list[Any]]) -> list[list[Any]]:
    """Return a grid with what stands above and beside it, and what is in a cell, in another order."""
    order = [0, *data.draw(st.permutations(range(1, len(rows[0]))))]
    headings, *others = [[row[place] for place in order] for row in rows]
    cells = [
        [place, *("\n".join(data.draw(st.permutations(cell.split("\n")))) for cell in found)]
        for place, *found in data.draw(st.permutations(others))
    ]
    return [headings, *cells]


SHUFFLES = {
    "a sheet for each day": shuffle_table,
    "a sheet for each place": shuffle_table,
    "days as section rows": shuffle_sections,
    "places as section rows": shuffle_sections,
    "several times in a cell": shuffle_table,
    "weekdays only": shuffle_table,
    "times × places": shuffle_grid,
}


def read(sheets: Sheets, lines: list[Line]) -> list[Line]:
    return sorted(layouts.list_read(layouts.read_again(write_workbook(sheets), lines, ZONE), ZONE))


@pytest.mark.parametrize("layout", SHUFFLES)
@settings(max_examples=15, deadline=None)
@given(lines=LINES, data=st.data())
def test_another_order_changes_nothing(layout, lines, data):
    sheets = layouts.LAYOUTS[layout](sorted(lines, key=lambda line: (line.start, line.place)))
    drawn = data.draw(st.permutations(list(sheets.items())))
    shuffled = {name: SHUFFLES[layout](data, rows) for name, rows in drawn}
    assert read(sheets, lines) == read(shuffled, lines) == sorted(lines)
