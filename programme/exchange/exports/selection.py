"""What exports hold: the events of a selection, and the names of a place."""

from typing import NamedTuple

from django.db.models import QuerySet

from programme.models import Area, Event, Location, Room, Status


class ExportPlace(NamedTuple):
    """The names of a place; '' for what it does not have."""

    location: str = ""
    address: str = ""
    room: str = ""

    @classmethod
    def of(cls, location: Location | None, room: Room | None) -> "ExportPlace":
        location = location or (room.location if room else None)
        if location is None:
            return cls()
        return cls(location.name, location.address, room.name if room else "")


def select_events(*, drafts: bool = False, area: Area | None = None) -> QuerySet[Event]:
    events = Event.objects.all() if drafts else Event.objects.filter(status=Status.PUBLISHED)
    return events if area is None else events.filter(area=area)
