"""Every area has a colour in the timetable."""

from feeds.contrast import PALETTE, assign_colors


def test_areas_without_a_colour_get_one_of_the_palette_by_their_order() -> None:
    assert assign_colors([(3, ""), (1, "#aa0000"), (2, "")]) == {3: PALETTE[0], 1: "#aa0000", 2: PALETTE[2]}
