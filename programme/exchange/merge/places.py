"""Where the occasions of a file are held, and which of these places their event states for them.

The import chooses: the event's place stays as long as that costs no more rows than another one, whatever the
order of the file's rows. Readers see where an occasion is held, whoever states it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from feeds.names import fold
from programme.exchange.merge.matching import find_occasions
from programme.exchange.merge.named_rows import identify
from programme.exchange.merge.three_way import to_json
from programme.exchange.values import PlaceNames
from programme.models import Event, Location, Occasion, Room
from programme.models.locations import StatedVenue, Venue, resolve_venue

if TYPE_CHECKING:
    from programme.exchange.merge.context import ImportContext
    from programme.exchange.merge.match import EventMatch
    from programme.exchange.values import ScheduledEvent, ScheduledOccasion

PLACE = frozenset({"location", "room"})
PlaceValues = dict[str, Any]


class Held(NamedTuple):
    """A location and a room, as an event or an occasion states them; or where it is held by these."""

    location: Location | None
    room: Room | None

    @classmethod
    def stated(cls, row: Event | Occasion) -> "Held":
        return cls(row.location, row.room)

    @property
    def venue(self) -> Venue | None:
        return resolve_venue(self.keys)

    @property
    def keys(self) -> StatedVenue[int | None]:
        rows = (self.location, self.room, self.room and self.room.location)
        return StatedVenue(*(identify(row) if row else None for row in rows))

    @property
    def values(self) -> PlaceValues:
        return self._asdict()

    @property
    def sort_key(self) -> tuple[str, ...]:
        return tuple(fold(row.name) if row else "" for row in self)

    def within(self, event: "Held") -> "Held":
        """Return where an occasion is held that states this place."""
        venue = resolve_venue(self.keys, event.keys)
        if venue is None:
            return NOWHERE
        rooms = {identify(each.room): each.room for each in (self, event) if each.room}
        locations = [self.location, event.location, *(room.location for room in rooms.values())]
        return Held(
            next(each for each in locations if each and identify(each) == venue.location),
            rooms[venue.room] if venue.room else None,
        )


NOWHERE = Held(None, None)


@dataclass
class EventPlaces:
    """Which place an event states for its occasions.

    `own` is what its occasions are compared with, and `values` what the file states for its row. If that is
    another place than the row's, `known` are its stored occasions; none of them follows it unless it `moves`.
    """

    own: Held = NOWHERE
    values: PlaceValues = field(default_factory=dict)
    known: Sequence[Occasion] = ()
    moves: bool = True


def find_held(occasion: Occasion, event: Event | None = None) -> Held:
    """Return where an occasion is held, of its own event unless another is given."""
    return Held.stated(occasion).within(Held.stated(event or occasion.event))


def find_event_place(event: "ScheduledEvent") -> PlaceNames:
    """Return the names of an event's location, address and room: its own, or those of its first occasion."""
    return event.more.get("place") or (find_occasion_place(event.occasions[0]) if event.occasions else ())


def find_occasion_place(occasion: "ScheduledOccasion") -> PlaceNames:
    return (occasion.location, occasion.address, occasion.room)


def find_places(context: "ImportContext") -> None:
    """Find the places that a file states in several cells, before others are looked for in one cell."""
    for event in context.contents.events:
        for occasion in event.occasions:
            if occasion.location and (occasion.room or occasion.address):
                _find(context, event, find_occasion_place(occasion))


def settle_places(context: "ImportContext", match: "EventMatch") -> EventPlaces:
    """Return the place of an event, and note where its occasions are to be; nothing if none is stated."""
    event, row, contents = match.event, match.row, context.contents
    names = find_event_place(event)
    if not names or (match.stored and not contents.stated & PLACE):
        return EventPlaces()
    held = {}
    for each in event.occasions:
        stated = find_occasion_place(each)
        # Where it has none, that of its event, if the file states one.
        stated = stated if any(stated) or each.own_place else event.more.get("place", stated)
        held[id(each)] = _find(context, event, stated)
    context.held.update(held)
    if contents.is_own_export or not held:
        own = _find(context, event, names)
        places = EventPlaces(own, own.values)
    elif row.pk:
        places = _settle_known(context, match, list(held.values()))
    else:
        own = _find_usual(held.values(), held.values())
        places = EventPlaces(own, own.values)
    if row.pk and places.values and Held(**places.values).venue != Held.stated(row).venue:
        places.known = context.list_occasions(row)
    return places


def choose_own_place(
    context: "ImportContext", places: EventPlaces, occasion: "ScheduledOccasion", row: Occasion | None
) -> PlaceValues:
    """Return what an occasion itself states; one that is held there already states what it does now."""
    held = context.held[id(occasion)]
    if row and not context.contents.is_own_export and Held.stated(row).within(places.own).venue == held.venue:
        return Held.stated(row).values
    inherits = held.venue == places.own.venue and not occasion.own_place
    return (NOWHERE if inherits else held).values


def is_same(context: "ImportContext", row: Occasion, occasion: "ScheduledOccasion") -> bool:
    """Return whether a stored occasion is exactly as the file has it, at its times and where it is held."""
    if (row.start, row.end, row.cancelled) != (occasion.start, occasion.end, occasion.cancelled):
        return False
    held, here = context.held.get(id(occasion)), context.held_here.get(row.pk)
    return held is None or here is None or held.venue == here.venue


def _find(context: "ImportContext", event: "ScheduledEvent", names: PlaceNames) -> Held:
    return Held(**context.directory.find_place(names, str(event.more.get("area") or "")))


def _settle_known(context: "ImportContext", match: "EventMatch", held: list[Held]) -> EventPlaces:
    row, here = match.row, Held.stated(match.row)
    if all(each.venue == here.venue for each in held):
        return EventPlaces(here, here.values)
    known = context.list_occasions(row)
    wanted = _find_wanted(context, match, known)
    is_edited = context.memory.is_edited_here(row, PLACE)
    last = _find_last_stated(context, row, held) if is_edited else None
    current, others = last or here, [context.held_here[each.pk] for each in known if each.pk not in wanted]
    usual = _find_usual(held, [*held, *others])
    # Where those are to be that follow the event; all of the file if none is stored.
    follow = [wanted.get(each.pk, current) for each in known if Held.stated(each) == NOWHERE]
    venues = Counter(each.venue for each in (follow if known else held))
    stay, go = venues[current.venue], venues.total() - venues[current.venue]
    helps = go > 0 and (stay == 0 or venues[usual.venue] > stay + 1)
    if helps or not _allows(current, [*held, *others]):
        return EventPlaces(usual, usual.values, moves=go > 0)
    # A place that an editor has chosen is not what the file states.
    return EventPlaces(current, {} if is_edited and not last else current.values)


def _find_wanted(context: "ImportContext", match: "EventMatch", known: Sequence[Occasion]) -> dict[int, Held]:
    """Return where the file has the stored occasions that it still has, by their primary keys."""
    occasions = match.event.occasions
    owned = [(match.row.pk, each) for each in occasions]
    found = find_occasions(owned, known, partial(is_same, context))
    return {row.pk: context.held[id(occasions[place])] for place, row in found.items()}


def _find_last_stated(context: "ImportContext", row: Event, held: Iterable[Held]) -> Held | None:
    """Return the place that the last import stated for an event, if the file still has it."""
    last = context.memory.last_stated(row)
    stated = (last.get("location"), last.get("room"))
    return next((each for each in held if tuple(map(to_json, each)) == stated), None)


def _find_usual(stated: Iterable[Held], everything: Iterable[Held]) -> Held:
    """Return the place that most have, of several the first by name, if it leaves all others theirs."""
    places = {each.venue: each for each in stated}
    counts = Counter(each.venue for each in stated)
    usual = min(places.values(), key=lambda each: (-counts[each.venue], each.sort_key))
    candidates, everything = (usual, usual._replace(room=None)), list(everything)
    return next((each for each in candidates if _allows(each, everything)), NOWHERE)


def _allows(own: Held, places: Iterable[Held]) -> bool:
    """Return whether occasions can be held at all these places if their event states its own.

    An occasion cannot be without a location that its event has, nor without a room of the event's location.
    """
    return all(each.within(own).venue == each.venue for each in places)
