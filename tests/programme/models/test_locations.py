"""Where an occasion is held: the same for readers, in Python and in SQL, whatever is stated where."""

import itertools

import pytest

from programme.models import Area, Event, EventType, Location, Occasion, Room, Status
from programme.models.locations import StatedVenue, Venue, find_place, resolve_venue
from programme.publishing import loading
from tests.programmes import utc

HALL, PARK = 1, 2
HALL_2, PARK_STAGE = 12, 21
NOTHING = StatedVenue(None, None, None)


@pytest.mark.parametrize(
    ("own", "event", "venue"),
    [
        (NOTHING, NOTHING, None),
        (NOTHING, StatedVenue(HALL, HALL_2, HALL), Venue(HALL, HALL_2)),
        (NOTHING, StatedVenue(None, HALL_2, HALL), Venue(HALL, HALL_2)),
        # A room elsewhere than the location stated would be untrue.
        (NOTHING, StatedVenue(HALL, PARK_STAGE, PARK), Venue(HALL, None)),
        (StatedVenue(PARK, HALL_2, HALL), StatedVenue(PARK, PARK_STAGE, PARK), Venue(PARK, None)),
        (StatedVenue(HALL, None, None), StatedVenue(HALL, HALL_2, HALL), Venue(HALL, HALL_2)),
        (StatedVenue(PARK, None, None), StatedVenue(HALL, HALL_2, HALL), Venue(PARK, None)),
        (StatedVenue(PARK, None, None), StatedVenue(HALL, PARK_STAGE, PARK), Venue(PARK, None)),
        (StatedVenue(None, PARK_STAGE, PARK), StatedVenue(HALL, HALL_2, HALL), Venue(PARK, PARK_STAGE)),
    ],
)
def test_the_venue_of_an_occasion_overrides_that_of_its_event(
    own: StatedVenue[int | None], event: StatedVenue[int | None], venue: Venue | None
) -> None:
    assert resolve_venue(own, event) == venue


@pytest.fixture
def combinations(db: None) -> None:
    """Occasions with every combination of what they and their events state, rooms elsewhere included."""
    places = [None, Location.objects.create(name="Ett"), Location.objects.create(name="Två")]
    rooms = [None, *(Room.objects.create(name=f"Sal {n}", location=places[n]) for n in (1, 2))]
    area, kind = Area.objects.create(name="Torget"), EventType.other()
    for location, room, own_location, own_room in itertools.product(places, rooms, places, rooms):
        event = Event.objects.create(
            title="T", area=area, type=kind, location=location, room=room, status=Status.PUBLISHED
        )
        span = {"start": utc(2026, 7, 29, 9), "end": utc(2026, 7, 29, 10)}
        Occasion.objects.create(event=event, location=own_location, room=own_room, **span)


@pytest.mark.usefixtures("combinations")
def test_readers_python_and_sql_agree() -> None:
    names = {location.pk: location.name for location in Location.objects.all()}
    rooms = {room.pk: room.name for room in Room.objects.all()}
    read = {
        each.id: each.place and (each.place.location.name, each.place.room and each.place.room.name)
        for each in loading.load().occasions
    }
    found = {}
    for occasion in Occasion.objects.select_related("event"):
        location, room = find_place(occasion, occasion.event)
        found[occasion.pk] = location and (location.name, room and room.name)
    selected = {
        key: location and (names[location], rooms.get(room))
        for key, location, room in Occasion.objects.with_venue().values_list(
            "id", "venue_location", "venue_room"
        )
    }
    assert found == read
    assert selected == read
    assert sum(1 for place in read.values() if place and place[1]) == 44
