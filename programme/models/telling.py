"""What readers are told of unless an editor says no: one rule for every way of writing occasions."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import Model, Q

from programme.models.events import Event, Status
from programme.models.locations import HasVenue, StatedVenue, resolve_venue
from programme.models.news import NewsKind, OccasionState, find_news
from programme.models.occasions import Occasion

# Of what is new or withdrawn there is news, too, but nothing to be marked as changed.
_MARKED = {NewsKind.MOVED, NewsKind.CANCELLED, NewsKind.REINSTATED}


def is_told(before: OccasionState | None, after: OccasionState | None, instant: datetime) -> bool:
    """Return whether readers are told of a change of an occasion by a mark, unless an editor says no."""
    return find_news(before, after, instant) in _MARKED


def read_state(occasion: Occasion, event: Event) -> OccasionState | None:
    """Return what news of an occasion of an event is about, as these rows are in memory."""
    if event.status != Status.PUBLISHED:
        return None
    location, room = resolve_venue(_list_stated(occasion), _list_stated(event)) or (None, None)
    return OccasionState(
        occasion.start, occasion.end, location, room, cancelled=occasion.cancelled or event.cancelled
    )


def _list_stated(row: HasVenue) -> StatedVenue[int | None]:
    """Return the venue that a row states, with places that an import has not stored yet."""
    return StatedVenue(*map(_identify, (row.location, row.room, row.room and row.room.location)))


def _identify(place: Model | None) -> int | None:
    return int(place.pk or id(place)) if place else None


class Told(NamedTuple):
    """Whose marks are set, by ID, and how many occasions that tells of."""

    occasions: frozenset[int] = frozenset()
    events: frozenset[int] = frozenset()
    number: int = 0


NOTHING_TOLD = Told()


def find_told(occasions: Iterable[Occasion], events: Iterable[Event], instant: datetime) -> Told:
    """Return what readers are told of if these rows, with the values in memory, are written.

    An event is marked as a whole if it changes itself and all of its occasions that go on are told.
    """
    rows = {row.pk: row for row in occasions if row.pk}
    owners = {event.pk: event for event in events if event.pk}
    told, stay, changed = defaultdict(set), set(), set()
    for stored in _load_stored(rows, owners):
        event, row = stored.event, rows.get(stored.pk, stored)
        before, after = read_state(stored, event), read_state(row, owners.get(row.event_id, event))
        if is_told(before, after, instant):
            told[event.pk].add(stored.pk)
        elif stored.end > instant and not (before and before.cancelled):
            stay.add(event.pk)
        if event.pk in owners and _is_held_otherwise(event, owners[event.pk]):
            changed.add(event.pk)
    whole = frozenset(changed & told.keys() - stay)
    alone = frozenset(key for event, keys in told.items() if event not in whole for key in keys)
    return Told(alone, whole, sum(map(len, told.values())))


def _load_stored(rows: Collection[int], owners: Collection[int]) -> Iterable[Occasion]:
    if not (rows or owners):
        return ()
    found = Occasion.objects.filter(Q(pk__in=rows) | Q(event__in=owners))
    return found.select_related("location", "room__location", "event__location", "event__room__location")


def _is_held_otherwise(event: Event, after: Event) -> bool:
    return (event.cancelled, _list_stated(event)) != (after.cancelled, _list_stated(after))
