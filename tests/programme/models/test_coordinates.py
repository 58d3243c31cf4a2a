"""Coordinates as people copy them from maps, and type them."""

from pathlib import Path

import pytest

from programme.models.coordinates import Coordinates, measure, parse_coordinates, parse_degrees
from tests.tables import read_table

HERE = ("57.708870", "11.974560")
SHORT = ("57.708800", "11.974500")


@pytest.mark.parametrize(
    ("text", "latitude", "longitude"), read_table(Path(__file__).with_name("coordinates.md"))
)
def test_both_are_read_from_what_is_pasted(text, latitude, longitude):
    assert [*map(str, parse_coordinates(text) or ("", ""))] == [latitude, longitude]


def test_a_number_alone_is_one_of_them():
    assert [str(parse_degrees(text)) for text in ("57,7", "57.7088704", "-1", "x")] == [
        *("57.700000", "57.708870", "-1.000000", "None")
    ]


def test_distances_are_in_kilometres():
    gothenburg, stockholm = Coordinates(*map(float, HERE)), Coordinates(59.3293, 18.0686)
    assert round(measure(gothenburg, stockholm)) == 397
    assert measure(gothenburg, gothenburg) == 0
