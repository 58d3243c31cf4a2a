"""Coordinates as people copy them from maps, and type them."""

import pytest

from programme.models.coordinates import Coordinates, measure, parse_coordinates, parse_degrees

HERE = ("57.708870", "11.974560")
SHORT = ("57.708800", "11.974500")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("57.70887, 11.97456", HERE),
        (" 57,70887 11,97456 ", HERE),
        ("57.70887,11.97456", HERE),
        ("57,70887; 11,97456", HERE),
        ("57°42'31.932\"N 11°58'28.416\"E", HERE),
        ("57° 42′ 31,932″ N, 11° 58′ 28,416″ Ö", HERE),
        ("57.7088,11.9745", SHORT),
        ("-33.86, 151.2", ("-33.860000", "151.200000")),
        ("33°52'S 151°12'E", ("-33.866667", "151.200000")),
        (
            "https://www.google.com/maps/place/X/@57.1,11.1,17z/data=!3m1!8m2!3d57.70887!4d11.97456?entry=ttu",
            HERE,
        ),
        ("https://www.google.com/maps/@57.70887,11.97456,15z", HERE),
        ("https://www.google.com/maps/search/?api=1&query=57.70887%2C11.97456", HERE),
        ("https://www.google.se/maps/dir//57.70887,11.97456", HERE),
        ("https://maps.google.com/?q=57.70887,11.97456", HERE),
        ("https://www.openstreetmap.org/#map=17/57.70887/11.97456", HERE),
        ("https://www.openstreetmap.org/?mlat=57.70887&mlon=11.97456#map=17/57.1/11.1", HERE),
        ("https://maps.apple.com/?ll=57.70887,11.97456&q=Scenen", HERE),
        ("https://maps.apple.com/place?coordinate=57.70887,11.97456&name=Scenen", HERE),
        ("https://www.bing.com/maps?cp=57.70887~11.97456&lvl=16", HERE),
        ("https://www.hitta.se/kartan!~57.70887,11.97456,16z/tr!i=abc", HERE),
        ("https://kartor.eniro.se/?c=57.70887,11.97456&z=15", HERE),
        ("geo:57.70887,11.97456?z=17", HERE),
        *(
            (text, None)
            for text in ("", "57.7", "Storgatan 1", "https://maps.app.goo.gl/abc", "12, 13 och 14")
        ),
    ],
)
def test_both_are_read_from_what_is_pasted(text, expected):
    found = parse_coordinates(text)
    assert (found and tuple(map(str, found))) == expected


def test_a_number_alone_is_one_of_them():
    assert [str(parse_degrees(text)) for text in ("57,7", "57.7088704", "-1", "x")] == [
        *("57.700000", "57.708870", "-1.000000", "None")
    ]


def test_distances_are_in_kilometres():
    gothenburg, stockholm = Coordinates(*map(float, HERE)), Coordinates(59.3293, 18.0686)
    assert round(measure(gothenburg, stockholm)) == 397
    assert measure(gothenburg, gothenburg) == 0
