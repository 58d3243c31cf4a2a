"""Rooms that a file names in one cell: with their location before a comma, or alone."""

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from itertools import chain

from feeds.names import fold
from programme.exchange.merge.named_rows import NamedRows, identify
from programme.models import Area, Event, Location, Occasion, Room


class SingleCells:
    """Finds the room that is meant by the name of a location that does not exist."""

    def __init__(
        self, locations: NamedRows[Location], rooms: NamedRows[Room], alone: dict[str, Room]
    ) -> None:
        self.locations = locations
        self.rooms = rooms
        # Where rooms that were named alone are noted.
        self.alone = alone

    def find(self, name: str, find_area: Callable[[], Area]) -> Room | None:
        """Return the room, unless there are several and the area does not say which of them."""
        if room := self.find_inside(name):
            return room
        found = self.list_alone(name)
        if len(found) > 1:
            area = find_area()
            found = [room for room in found if self._is_of_area(room, area)]
        if len(found) != 1:
            return None
        self.alone[name] = found[0]
        return self.rooms.use(found[0])

    def list_alone(self, name: str) -> list[Room]:
        return self.rooms.list_inside(fold(name))

    def find_inside(self, name: str) -> Room | None:
        """Return the room whose location stands before a comma."""
        for place, sign in enumerate(name):
            location, room = fold(name[:place]), fold(name[place + 1 :])
            if sign == "," and location in self.locations:
                key = (identify(self.locations.rows[location]), room)
                if key in self.rooms:
                    return self.rooms.use(self.rooms.rows[key])
        return None

    def _is_of_area(self, room: Room, area: Area) -> bool:
        names = {fold(area.name), fold(area.full_name)}
        return fold(room.location.name) in names or room.location_id in self._places_of_areas[area.pk]

    @cached_property
    def _places_of_areas(self) -> dict[int | None, set[int]]:
        """The locations that are used in each area."""
        places = ("location_id", "room__location_id")
        events = Event.objects.order_by().values_list("area_id", *places).distinct()
        occasions = Occasion.objects.order_by().values_list("event__area_id", *places).distinct()
        found: dict[int | None, set[int]] = defaultdict(set)
        for area, *locations in chain(events, occasions):
            found[area].update(filter(None, locations))
        return found
