"""Where an occasion is held, for readers and editors."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from programme.models import Area, Event, EventType, Location, Occasion, Room, Status
from programme.publishing import loading
from tests.programmes import utc

SPAN = {"start": utc(2026, 7, 29, 9), "end": utc(2026, 7, 29, 10)}


@pytest.fixture
def event(db: None) -> Event:
    area = Area.objects.create(name="Torget")
    return Event.objects.create(title="T", area=area, type=EventType.other(), status=Status.PUBLISHED)


def test_a_room_brings_its_location_and_one_elsewhere_is_refused(event: Event) -> None:
    hall, park = Location.objects.create(name="Ett"), Location.objects.create(name="Två")
    room = Room.objects.create(name="Sal", location=hall)
    occasion = Occasion(event=event, room=room, **SPAN)
    occasion.clean()
    assert (occasion.location, occasion.place_name) == (hall, "Ett, Sal")
    occasion.location = park
    with pytest.raises(ValidationError) as refused:
        occasion.clean()
    assert [*refused.value.message_dict] == ["room"]


def test_the_database_has_no_room_without_its_location_and_readers_none_elsewhere(event: Event) -> None:
    hall, park = Location.objects.create(name="Ett"), Location.objects.create(name="Två")
    room = Room.objects.create(name="Sal", location=hall)
    with transaction.atomic(), pytest.raises(IntegrityError):
        Occasion.objects.create(event=event, room=room, **SPAN)
    Occasion.objects.create(event=event, location=hall, room=room, **SPAN)
    Occasion.objects.create(event=event, location=park, room=room, **SPAN)
    Occasion.objects.create(event=event, **SPAN)
    places = [each.place and each.place.full_name for each in loading.load().occasions]
    assert places == ["Ett, Sal", "Två", None]
