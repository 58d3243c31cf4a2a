"""The columns of the timetable: locations and their rooms."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, NamedTuple

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from feeds.names import order_name
from programme.backoffice.forms.places import describe_gone, find_place, place_key
from programme.models import Location, Occasion, Room
from programme.models.locations import Venue

NO_LOCATION = "none"


class WriteRefusedError(Exception):
    """Nothing is written: the reason in words for the editor, and the HTTP status."""

    def __init__(self, why: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST, sure: str = "") -> None:
        """`sure`: what is sent with it if it was a question, and is right."""
        super().__init__(why)
        self.why, self.status, self.sure = why, status, sure


class VenueColumn(NamedTuple):
    """A location, a room of one (`room` is its name), or the column of occasions without a location."""

    key: str
    place: Venue | None
    location: str
    room: str
    # The area of most of what is ever held here, if anything is.
    area: int | None = None

    @property
    def label(self) -> str:
        return f"{self.location}, {self.room}" if self.room else self.location

    @property
    def sheet(self) -> str:
        """Its key among the sheets, where a number is a whole location."""
        return self.key.removeprefix("l")


def load_columns() -> list[VenueColumn]:
    """Return all columns in order: occasions without a location come first, because they need one."""
    locations = dict(Location.objects.order_by().values_list("id", "name"))
    rooms = Room.objects.order_by().values_list("id", "location_id", "name")
    places = [(Venue(location, None), "") for location in locations]
    places += [(Venue(location, room), name) for room, location, name in rooms]
    columns = [
        VenueColumn(column_key(place), place, locations[place.location], room) for place, room in places
    ]
    return [VenueColumn(NO_LOCATION, None, _("No location"), ""), *sorted(columns, key=_sort_key)]


def group_by_area(columns: list[VenueColumn], areas: Iterable[int]) -> list[VenueColumn]:
    """Return columns in the order of their areas, which stays when occasions are moved about a day.

    A place where nothing was ever held stands with the others of its location.
    """
    order, held = {area: number for number, area in enumerate(areas)}, defaultdict[Any, Counter[int]](Counter)
    names = ["location_id", "room_id", "event__area"]
    counted = Occasion.objects.order_by().values_list(*names).annotate(Count("pk"))
    for location, room, area, count in counted:
        held[location, room][area] += count
        held[location][area] += count

    def find_area(place: Venue) -> int | None:
        found: Counter[int] | dict[int, int] = held.get(place) or held.get(place.location) or {}
        return max(found, key=lambda area: (found[area], -order[area]), default=None)

    placed = [each._replace(area=find_area(each.place)) for each in columns if each.place]
    placed.sort(key=lambda each: order.get(each.area or 0, len(order)))
    return [*(each for each in columns if each.place is None), *placed]


def _sort_key(column: VenueColumn) -> tuple[object, ...]:
    # Two locations may have one name; their rooms stay together.
    return (order_name(column.location), column.place and column.place.location, order_name(column.room))


def column_key(place: Venue | None) -> str:
    return place_key(*place) if place else NO_LOCATION


def build_condition(place: Venue | None) -> Q:
    """Return the condition for occasions that are held in the place of a column."""
    if place is None:
        return Q(location=None)
    return Q(room=place.room) if place.room else Q(location=place.location)


def parse_column(column: str) -> Venue | None:
    """Return the place of a column's key; it raises `WriteRefusedError` if that is gone."""
    if column == NO_LOCATION:
        return None
    location, room = find_place(column)
    if location is None:
        raise WriteRefusedError(describe_gone(column), HTTPStatus.CONFLICT)
    return Venue(location.pk, room.pk if room else None)
