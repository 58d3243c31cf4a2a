"""Files of every kind bring the coordinates of their places, which editors' own and mistakes do not follow."""

from decimal import Decimal

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from feeds.festival_time import FestivalTime
from programme.exchange.readers.coordinates import StatedCoordinates
from programme.exchange.readers.registry import read
from programme.exchange.values import ImportDefaults
from programme.models import Event, Location, Room
from programme.models.coordinates import Coordinates
from tests.programme.exchange.imports import report_section
from tests.programme.exchange.readers.ical.calendars import JAZZ, calendar

TIME = FestivalTime("Europe/Stockholm")
PARKEN = ("Parken", "57.708870", "11.974560")
ROWS = "Datum;Start;Plats;Titel"


def row(*cells: str, place: str = "Parken", title: str = "Jazz") -> str:
    return ";".join(("2026-09-12", "19:00", place, title, *cells))


def sheet(headings: str, *rows: str) -> str:
    return "\n".join([f"{ROWS};{headings}", *rows])


def found(content: bytes, name: str = "sheet.csv", **given: object) -> tuple[set, list[tuple[int, str]]]:
    with override("en"):
        contents = read(content, name, ImportDefaults(TIME, **given)).contents
    places = {(names[0], *map(str, each)) for names, each in contents.coordinates.items()}
    return places, [(each.row, each.what) for each in contents.problems if not each.whole]


@pytest.fixture
def office(run):
    """Import these rows for the office, and return the report."""
    named = ("--source", "office", "--area-otherwise", "Staden")
    return lambda *lines: run("\n".join(lines), *named, name="sheet.csv")


def stored() -> list[tuple[str, str, str]]:
    rows = Location.objects.order_by("name").values_list("name", "latitude", "longitude")
    return [tuple(map(str, each)) for each in rows]


@pytest.mark.parametrize(
    ("headings", "cells"),
    [
        ("Latitud;Longitud", ("57,70887", "11,97456")),
        ("lat;lng", ("57.70887", "11.97456")),
        ("Lat;Long", ("57.7088700", "11.9745600")),
        ("WGS84 lat;WGS84 lon", ("57.70887", "11.97456")),
        ("Latitude;Longitude", ("57.70887, 11.97456", "")),
        ("Koordinater", ("57,70887, 11,97456",)),
        ("WGS84", ("57.70887 11.97456",)),
        ("Karta", ("https://www.openstreetmap.org/?mlat=57.70887&mlon=11.97456#map=17/57.1/11.1",)),
        ("Map", ("geo:57.70887,11.97456",)),
        ("Latitud;Longitud;Karta", ("57.70887", "11.97456", "https://maps.app.goo.gl/abc")),
    ],
)
def test_columns_of_a_sheet(headings, cells):
    assert found(sheet(headings, row(*cells)).encode()) == ({PARKEN}, [])


@pytest.mark.parametrize(
    "line", ["GEO:57.70887;11.97456", "X-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:57.70887,11.97456"]
)
def test_properties_of_a_calendar(line):
    assert found(calendar((*JAZZ, "LOCATION:Parken", line)), "a.ics") == ({PARKEN}, [])


@pytest.mark.parametrize(
    ("cell", "others", "what"),
    [
        (
            "Vid dammen",
            (),
            "“Vid dammen” does not say where a place is: write it as 57.708870, 11.974560; left out",
        ),
        ("57.7, 211.9", (), "latitude 57.700000 and longitude 211.900000 are nowhere on earth; left out"),
        ("18.07, 59.33", (), "latitude 18.070000 and longitude 59.330000 seem to be swapped; left out"),
        (
            "6.16, 52.25",
            ("52.3", "6.1"),
            "latitude 6.160000 and longitude 52.250000 seem to be swapped; left out",
        ),
        ("6.16, 52.25", (), ""),
    ],
)
def test_what_cannot_be_right_is_left_out_and_named_by_row(cell, others, what):
    there = (Coordinates(*map(Decimal, others)),) if others else ()
    places, problems = found(sheet("Koordinater", row(cell)).encode(), places=there)
    assert (len(places), problems) == (0 if what else 1, [(2, what)] if what else [])


def test_of_several_for_one_place_the_most_common_are_taken():
    rows = [
        row(cell, title=f"Jazz {n}")
        for n, cell in enumerate(("57.7 11.9", "57.70887 11.97456", "57.70887 11.97456"))
    ]
    taken = "latitude 57.708870 and longitude 11.974560 are taken, as elsewhere for this place"
    assert found(sheet("Koordinater", *rows).encode()) == ({PARKEN}, [(2, taken)])
    assert found(sheet("Koordinater", *rows[::-1]).encode()) == ({PARKEN}, [(4, taken)])


@given(st.tuples(st.decimals(-90, 90, places=6), st.decimals(-180, 180, places=6)))
def test_what_is_written_is_read(at):
    stated = StatedCoordinates([Coordinates(*at)])
    for names, texts in ((("A", "", ""), at), (("B", "", ""), (f"{at[0]}; {at[1]}",))):
        stated.note(names, pytest.fail, *map(str, texts))
    assert set(stated.settle().values()) == {at}


@pytest.mark.django_db
class TestLocations:
    def test_a_new_one_has_them_and_a_stored_one_gets_those_that_it_lacks(self, office):
        Location.objects.create(name="Torget", address="Torget 1")
        rows = [row("57.70887", "11.97456"), row("57.7", "11.9", place="Torget", title="Tango")]
        report = office(sheet("Lat;Lng", *rows))
        assert report_section(report, "Changed") == [
            "Torget, Torget 1: latitude – → 57.700000; longitude – → 11.900000"
        ]
        assert stored() == [PARKEN, ("Torget", "57.700000", "11.900000")]
        # Nothing is written again.
        before = Location.history.count()
        office(sheet("Lat;Lng", *rows))
        assert Location.history.count() == before

    def test_those_of_an_editor_stay_and_others_follow_the_file(self, office):
        office(sheet("Lat;Lng", row("57.70887", "11.97456")))
        office(sheet("Lat;Lng", row("57.71", "11.97456")))
        assert stored() == [("Parken", "57.710000", "11.974560")]
        Location.objects.update(longitude="12")
        office(sheet("Lat;Lng", row("57.72", "11.97")))
        assert stored() == [("Parken", "57.710000", "12.000000")]

    def test_rooms_that_are_apart_say_nothing_of_their_location(self, office):
        Room.objects.bulk_create(
            Room(name=name, location=Location.objects.get_or_create(name="Parken")[0]) for name in "AB"
        )
        place = "Titel;Område;Rum;Datum;Start;Koordinater"
        rows = [
            f"Jazz {room};Parken;{room};2026-09-12;19:00;{at}"
            for room, at in (("A", "57.7 11.9"), ("B", "57.8 11.9"))
        ]
        office(place, *rows)
        assert stored() == [("Parken", "None", "None")]
        rows[1] = rows[1].replace("57.8", "57.7001")
        office(place, *rows)
        assert stored() == [("Parken", "57.700000", "11.900000")]
        assert Event.objects.count() == 2
