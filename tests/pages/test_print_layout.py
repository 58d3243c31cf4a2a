"""The timetable as the table that is printed: which places are on one sheet, and what stands where."""

import pytest

from pages.grid import DayGrid, GridColumn, build_sheets
from programme import models
from tests.pages.reading import opened, text, texts
from tests.programmes import JAZZ

with_sample = pytest.mark.usefixtures("sample", "at")


def columns(*places_of_areas):
    """Return columns of so many places of each area, that nothing happens in."""
    return [
        GridColumn(f"Area {area}", area, f"Place {place}", 1.0, [])
        for area, places in enumerate(places_of_areas)
        for place in range(places)
    ]


@pytest.mark.parametrize(
    ("places_of_areas", "expected"),
    [
        ([], []),
        ([8], [[8]]),
        ([9], [[4], [5]]),
        ([6, 6, 2, 1], [[6], [6, 2], [1]]),
        ([1] * 10, [[1] * 8, [1] * 2]),
        ([3, 17], [[3, 5], [6], [6]]),
    ],
)
def test_a_sheet_holds_whole_areas_and_no_more_than_can_be_read(places_of_areas, expected):
    laid = build_sheets(DayGrid([], 0, columns(*places_of_areas), []))
    assert [[heading.columns for heading in sheet.areas] for sheet in laid] == expected
    assert [len(sheet.places) for sheet in laid] == [sum(each) for each in expected]


@with_sample
def test_every_occasion_is_in_the_column_of_its_place_and_the_row_of_its_hour(client):
    page = opened(client, "/?view=grid&date=2026-07-29")
    (table,) = page.xpath("//table[@class='paper']")
    assert [text(each) for each in table.xpath("./thead/tr[2]/th")] == [
        "Biblioteket, Sal 2",
        "Magasinet; kaj 3, port B, Övre, golvet",
        "Utan plats",
        "Biblioteket, Sal 2",
        "Nätet",
    ]
    shown = {text(row[0]): [texts(cell, "./p/b|./p/s") for cell in row[1:]] for row in table.find("tbody")}
    jazz = models.Event.objects.get(id=JAZZ).title
    assert shown["16:00"][0] == [" ".join(jazz.split())]
    assert sum(len(cell) for cells in shown.values() for cell in cells) == 8
    assert "@page{size:A4 landscape" in page.xpath("string(//head)")
    assert opened(client, "/?date=2026-07-29").xpath("//table|//style[contains(., '@page')]") == []


@with_sample
def test_a_day_of_long_occasions_alone_has_no_empty_table(client):
    assert opened(client, "/?view=grid&date=2026-07-31").xpath("//table") == []
