"""What an occasion has to state of its place to be in a column of the timetable."""

from http import HTTPStatus

from django.utils.translation import gettext as _

from programme.backoffice.timetable.columns import NO_LOCATION
from programme.backoffice.timetable.refusals import WriteRefusedError
from programme.models import Location, Room
from programme.models.locations import StatedVenue, Venue, resolve_venue
from programme.models.parsing import parse_int


def find_own_place(
    own: StatedVenue[int | None], event: StatedVenue[int | None], place: Venue | None
) -> tuple[int | None, int | None]:
    """Return what an occasion has to state of its place to be in one: nothing in its event's own.

    Raises `WriteRefusedError` where what the event states does not allow it.
    """
    if place == resolve_venue(own, event):
        return own.location, own.room
    events = resolve_venue(event)
    if place == events:
        return None, None
    if place is None:
        raise WriteRefusedError(
            _("The event has a location, so its occasions have one. Open the event to remove it.")
        )
    if place.room is None and events and events.location == place.location:
        raise WriteRefusedError(_("The event has a room in this location. Open the event to remove it."))
    return place.location, place.room


def parse_column(column: str) -> Venue | None:
    """Return the place of a column's key; it raises `WriteRefusedError` if that is gone."""
    if column == NO_LOCATION:
        return None
    kind, key = column[:1], parse_int(column[1:])
    if key is not None:
        room = Room.objects.filter(pk=key).first() if kind == "r" else None
        if room:
            return Venue(room.location_id, room.pk)
        if kind == "l" and Location.objects.filter(pk=key).exists():
            return Venue(key, None)
    raise WriteRefusedError(_("This room is no longer here."), HTTPStatus.CONFLICT)
