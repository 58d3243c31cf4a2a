"""Events that tests of lists and the timetable create."""

import datetime as dt

from programme.models import (
    Area,
    Event,
    EventType,
    Language,
    Location,
    Occasion,
    Organizer,
    Room,
    Stream,
    SubArea,
)
from tests.conftest import NOW


def make_events(count: int, occasions: int = 1) -> list[Event]:
    """Make events that each name rows of their own, so that a query for each row would show."""
    return [_event(number, occasions) for number in range(count)]


def _event(number: int, occasions: int) -> Event:
    area = Area.objects.create(name=f"Område {number}")
    event = Event.objects.create(
        title=f"Evenemang {number:03}",
        area=area,
        sub_area=SubArea.objects.create(area=area, name="Scenen"),
        type=EventType.objects.create(name_sv=f"Typ {number}"),
        organizer=Organizer.objects.create(name=f"Arrangör {number}"),
        language=Language.objects.create(code=f"x-{number}", name_sv=f"Språk {number}"),
    )
    for hour in range(occasions):
        _occasion(event, hour)
    return event


def _occasion(event: Event, hour: int) -> Occasion:
    location = Location.objects.create(name=f"Plats {event.pk}.{hour}")
    start = NOW + dt.timedelta(hours=hour)
    return Occasion.objects.create(
        event=event,
        start=start,
        end=start + dt.timedelta(minutes=30),
        location=location,
        room=Room.objects.create(location=location, name="Foajén"),
        stream=Stream.objects.create(name=f"Ström {hour}", url="https://example.org/"),
    )
