"""The facts that problems are found in, loaded in a constant number of queries."""

import datetime as dt
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, When

from feeds.facts import facts_of
from feeds.festival_time import FestivalTime
from programme.backoffice.editions import EVERYTHING, Scope
from programme.backoffice.problems.texts import TITLES, TranslatableRow, load_text_rows
from programme.models import AreaDay, Event, Location, Occasion, Room, Status
from programme.models.coordinates import Coordinates
from programme.models.festival_time import festival_time

STATED, STATED_OF_OCCASION, STATED_OF_PLACE = (
    tuple(fact.name for fact in facts_of(model)) for model in ("event", "occasion", "location")
)
# Locations that are one room; of one that has rooms, much goes on side by side outside of them.
_UNDIVIDED = Location.objects.filter(rooms=None, parallel=False)
_PARALLEL = Case(
    When(room=None, then=~Exists(_UNDIVIDED.filter(pk=OuterRef("location")))),
    default=F("room__parallel"),
)


class EventFacts(NamedTuple):
    id: int
    title: str
    status: str
    area: int
    sub_area: str | None
    # The area in which its sub area is, and its name.
    sub_area_in: int | None
    sub_area_in_name: str | None
    price: str
    ticket_url: str
    # What it states of `STATED`.
    stated: tuple[str, ...]

    @property
    def draft(self) -> bool:
        return self.status == Status.DRAFT


class HeldOccasion(NamedTuple):
    """An occasion and its place.

    The instants are in UTC: Python compares those of one zone as its wall clock shows them, which is untrue
    in the night when the clock goes back.
    """

    id: int
    event: int
    start: dt.datetime
    end: dt.datetime
    cancelled: bool
    # Its location; its room; whether that, or without one the location, is open to several occasions at once;
    # whether it is online.
    location: int | None
    room: int | None
    parallel: bool
    online: bool
    booking_url: str
    # What it states of `STATED_OF_OCCASION`.
    stated: tuple[str, ...]

    @property
    def takes_up_room(self) -> bool:
        """Whether it can clash.

        What is cancelled takes up no room, a draft does.
        """
        return bool(self.location) and not self.parallel and not self.cancelled and self.end > self.start

    @property
    def place(self) -> int | str | None:
        """What it takes up: its room, or all of its location."""
        return self.room or f"location {self.location}"


class PlaceFacts(NamedTuple):
    name: str
    online: bool
    coordinates: Coordinates | None
    # What it states of `STATED_OF_PLACE`.
    stated: tuple[str, ...]


class OpeningHours(NamedTuple):
    opens: dt.time | None
    closes: dt.time | None


@dataclass(frozen=True)
class Facts:
    """The programme, or a part of it; areas and rooms are known by ID."""

    festival: FestivalTime
    events: dict[int, EventFacts]
    occasions: dict[int, HeldOccasion]
    texts: list[TranslatableRow]
    hours: dict[tuple[int, dt.date], OpeningHours]
    rooms: dict[int, Room]
    locations: dict[int, PlaceFacts]
    # Known with a request: what is outside all editions.
    outside: Scope | None = None

    @cached_property
    def occasions_by_event(self) -> dict[int, list[HeldOccasion]]:
        found: dict[int, list[HeldOccasion]] = {}
        for occasion in self.occasions.values():
            found.setdefault(occasion.event, []).append(occasion)
        return found

    def within(self, scope: Scope) -> "Facts":
        """Return the events and the occasions that a user works with."""
        if scope == EVERYTHING:
            return self
        occasions = {key: each for key, each in self.occasions.items() if scope.holds(each.start)}
        held = {each.event for each in occasions.values()}
        if scope.edition:
            held |= self.events.keys() - self.occasions_by_event.keys()
        events = {key: each for key, each in self.events.items() if key in held}
        return replace(self, events=events, occasions=occasions)

    def end_of(self, event: int) -> dt.datetime | None:
        return max((each.end for each in self.occasions_by_event.get(event, [])), default=None)


def load_facts(festival: FestivalTime) -> Facts:
    """Return the facts of the whole programme, in 14 queries, nine of them for texts."""
    return Facts(
        festival,
        _load_events(),
        {each.id: each for each in load_held_occasions()},
        load_text_rows(dict.fromkeys(TITLES)),
        load_opening_hours(AreaDay.objects.all()),
        Room.objects.select_related("location").in_bulk(),
        dict(_load_locations()),
    )


def build_facts(event: Event, occasions: list[HeldOccasion]) -> Facts:
    """Return the facts of one event with these occasions, in three queries at most."""
    festival = festival_time()
    days = {festival.day_of(each.start) for each in occasions}
    open_then = AreaDay.objects.filter(area=event.area_id, day__date__in=days)
    return Facts(
        festival,
        events=_load_events(Q(pk=event.pk)),
        occasions={each.id: each for each in occasions},
        texts=load_text_rows({Event: [event.pk]}),
        hours=load_opening_hours(open_then) if days else {},
        rooms={},
        locations={},
    )


def _load_events(chosen: Q | None = None) -> dict[int, EventFacts]:
    columns = ("id", "title", "status", "area_id")
    sub_area = ("sub_area__name", "sub_area__area_id", "sub_area__area__name")
    events: QuerySet[Any] = Event.objects.filter(chosen or Q()).order_by()
    rows = events.values_list(*columns, *sub_area, "price", "ticket_url", *STATED)
    loaded = ((*row[: -len(STATED)], row[-len(STATED) :]) for row in rows)
    return {row[0]: EventFacts(*row) for row in loaded}


def load_held_occasions(chosen: Q | None = None) -> Iterator[HeldOccasion]:
    """Yield the occasions, all or those chosen, in no order, in one query."""
    rows: QuerySet[Any] = Occasion.objects.filter(chosen or Q()).order_by()
    columns = ("id", "event_id", "start", "end", "cancelled", "location_id", "room_id", _PARALLEL)
    for row in rows.values_list(*columns, "location__online", "booking_url", *STATED_OF_OCCASION):
        values = (*row[:8], bool(row[8]), row[9], row[10:])
        yield HeldOccasion(*values)


def _load_locations() -> Iterator[tuple[int, PlaceFacts]]:
    columns = ("pk", "name", "online", "latitude", "longitude")
    rows = Location.objects.values_list(*columns, *STATED_OF_PLACE).order_by()
    for key, name, online, latitude, longitude, *stated in rows:
        is_known = latitude is not None and longitude is not None
        coordinates = Coordinates(latitude, longitude) if is_known else None
        yield key, PlaceFacts(name, online, coordinates, tuple(stated))


def load_around(held: list[HeldOccasion], chosen: Q) -> list[HeldOccasion]:
    """Return those of the chosen occasions that may clash with some that take up rooms, in one query."""
    begins, ends = min(each.start for each in held), max(each.end for each in held)
    around = Q(start__lt=ends, end__gt=begins, location__in={each.location for each in held})
    return list(load_held_occasions(around & chosen))


def build_held_occasions(occasions: Collection[Occasion]) -> Iterator[HeldOccasion]:
    """Yield stored occasions as they would be held with the values in memory, in one query."""
    whole = {each.location_id for each in occasions if each.location_id and not each.room_id}
    undivided = {*_UNDIVIDED.filter(pk__in=whole).values_list("pk", flat=True)}
    for each in occasions:
        yield HeldOccasion(
            *(each.pk, each.event_id, each.start.astimezone(dt.UTC), each.end.astimezone(dt.UTC)),
            cancelled=each.cancelled,
            location=each.location_id,
            room=each.room_id,
            parallel=each.room.parallel if each.room else each.location_id not in undivided,
            online=each.location is not None and each.location.online,
            booking_url=each.booking_url,
            stated=tuple(getattr(each, name) for name in STATED_OF_OCCASION),
        )


def load_opening_hours(days: QuerySet[AreaDay]) -> dict[tuple[int, dt.date], OpeningHours]:
    """Return the hours that are known, by area and day, in one query."""
    known = days.exclude(opens=None, closes=None).order_by()
    return {
        (area, day): OpeningHours(opens, closes)
        for area, day, opens, closes in known.values_list("area_id", "day__date", "opens", "closes")
    }
