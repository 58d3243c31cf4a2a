"""Events that tests of lists and the timetable create."""

import datetime as dt

from programme import models
from tests.conftest import NOW


def make_events(count: int, occasions: int = 1) -> list[models.Event]:
    """Make events that each name rows of their own, so that a query for each row would show."""
    return [_event(number, occasions) for number in range(count)]


def _event(number: int, occasions: int) -> models.Event:
    area = models.Area.objects.create(name=f"Område {number}")
    event = models.Event.objects.create(
        title=f"Evenemang {number:03}",
        area=area,
        sub_area=models.SubArea.objects.create(area=area, name="Scenen"),
        type=models.EventType.objects.create(name_sv=f"Typ {number}"),
        organizer=models.Organizer.objects.create(name=f"Arrangör {number}"),
        language=models.Language.objects.create(code=f"x-{number}", name_sv=f"Språk {number}"),
    )
    for hour in range(occasions):
        _occasion(event, hour)
    return event


def _occasion(event: models.Event, hour: int) -> models.Occasion:
    location = models.Location.objects.create(name=f"Plats {event.pk}.{hour}")
    start = NOW + dt.timedelta(hours=hour)
    return models.Occasion.objects.create(
        event=event,
        start=start,
        end=start + dt.timedelta(minutes=30),
        location=location,
        room=models.Room.objects.create(location=location, name="Foajén"),
        stream=models.Stream.objects.create(name=f"Ström {hour}", url="https://example.org/"),
    )
