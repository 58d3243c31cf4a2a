"""The columns of the timetable: locations and their rooms beside each other, by name."""

import re
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from django.db.models import Q
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from programme.models import Location, Room
from programme.models.locations import Venue

NO_LOCATION = "none"
_NUMBER = re.compile(r"(\d+)")


class VenueColumn(NamedTuple):
    """A location, a room of one (`room` is its name), or the column of occasions without a location."""

    key: str
    place: Venue | None
    location: str
    room: str

    @property
    def label(self) -> str:
        return f"{self.location}, {self.room}" if self.room else self.location


def build_no_location_column() -> VenueColumn:
    return VenueColumn(NO_LOCATION, None, _("No location"), "")


def load_columns() -> list[VenueColumn]:
    """Return all columns in order: occasions without a location come first, because they need one."""
    locations = dict(Location.objects.order_by().values_list("id", "name"))
    rooms = Room.objects.order_by().values_list("id", "location_id", "name")
    places = [(Venue(location, None), "") for location in locations]
    places += [(Venue(location, room), name) for room, location, name in rooms]
    columns = [
        VenueColumn(column_key(place), place, locations[place.location], room) for place, room in places
    ]
    return [build_no_location_column(), *sorted(columns, key=_sort_key)]


def _sort_key(column: VenueColumn) -> tuple[object, ...]:
    # Two locations may have one name; their rooms stay together.
    return (_natural_key(column.location), column.place and column.place.location, _natural_key(column.room))


def _natural_key(name: str) -> list[tuple[int, str]]:
    """Return a key by which room 2 comes before room 10."""
    parts = _NUMBER.split(name.casefold())
    return [(int(part), "") if index % 2 else (-1, part) for index, part in enumerate(parts)]


def write_options(columns: list[VenueColumn]) -> SafeString:
    """Return the choices of a column, written here as the blocks are: there may be hundreds."""
    return SafeString(
        "".join(f'<option value="{each.key}">{escape(each.label)}</option>' for each in columns)
    )


def column_key(place: Venue | None) -> str:
    if place is None:
        return NO_LOCATION
    return f"r{place.room}" if place.room else f"l{place.location}"


def build_condition(place: Venue | None) -> Q:
    """Return the condition for occasions, loaded `with_venue`, that are held in the place of a column."""
    if place is None:
        return Q(venue_location=None)
    return Q(venue_room=place.room) if place.room else Q(venue_location=place.location)


def split_into_sheets(
    columns: list[VenueColumn], widths: dict[str, float], most: float
) -> Iterable[list[VenueColumn]]:
    sheet: list[VenueColumn] = []
    taken = 0.0
    for column in columns:
        if sheet and taken + widths[column.key] > most:
            yield sheet
            sheet, taken = [], 0.0
        sheet.append(column)
        taken += widths[column.key]
    if sheet:
        yield sheet
