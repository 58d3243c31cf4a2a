"""The form of a location takes coordinates from either field, and says what is wrong with them."""

import pytest
from django.utils.translation import override

from programme.backoffice.forms.location import LocationForm
from programme.models import Location

pytestmark = pytest.mark.django_db
INVALID = "Write it as 57.708870, or paste the address of a map that shows the place; short links do not say where it is."
NEITHER = "Enter both coordinates or none."


def send(latitude="", longitude=""):
    return LocationForm({"name": "Scenen", "latitude": latitude, "longitude": longitude})


@pytest.mark.parametrize(
    ("sent", "parallel"),
    [
        ({}, True),
        ({"address": "Kajen 1"}, False),
        ({"address": "Kajen 1", "online": "on"}, True),
        ({"address": "Kajen 1", "parallel": "on"}, True),
    ],
)
def test_a_new_one_without_an_address_is_for_several_at_once_until_somebody_says_otherwise(sent, parallel):
    row = LocationForm({"name": "Scenen"} | sent).save()
    assert row.parallel is parallel
    sent.pop("parallel", None)
    LocationForm({"name": "Scenen"} | sent, instance=row).save()
    row.refresh_from_db()
    assert row.parallel is False


@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [
        ("57.70887", "11.97456"),
        ("57,7088701", "11,97456"),
        ("57.70887, 11.97456", ""),
        ("", "https://www.openstreetmap.org/?mlat=57.70887&mlon=11.97456"),
    ],
)
def test_either_field_takes_both(latitude, longitude):
    form = send(latitude, longitude)
    assert form.is_valid(), form.errors
    row = form.save()
    row.refresh_from_db()
    assert f"{row.latitude} {row.longitude}" == "57.708870 11.974560"


@pytest.mark.parametrize(
    ("latitude", "longitude", "errors"),
    [
        ("57.7", "", {"longitude": [NEITHER]}),
        ("", "11.9", {"latitude": [NEITHER]}),
        ("Torget", "11.9", {"latitude": [INVALID]}),
        ("https://maps.app.goo.gl/abc", "", {"latitude": [INVALID]}),
        ("97.7", "11.9", {"latitude": [INVALID]}),
        (
            "11.97",
            "57.7",
            {"latitude": ["Latitude and longitude seem to be swapped: no other place is near."]},
        ),
    ],
)
def test_one_error_for_one_mistake(latitude, longitude, errors):
    Location.objects.create(name="Kajen", latitude="57.7", longitude="11.9")
    with override("en"):
        assert send(latitude, longitude).errors == errors


def test_none_is_fine():
    assert send().is_valid()
