"""Colours of areas in the timetable."""

from programme.backoffice.timetable.colors import CALM, colours


def test_areas_without_a_colour_get_a_calm_one_by_their_order() -> None:
    assert colours([(3, ""), (1, "#aa0000"), (2, "")]) == {3: CALM[0], 1: "#aa0000", 2: CALM[2]}
