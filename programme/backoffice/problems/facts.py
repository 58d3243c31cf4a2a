"""The facts that problems are found in, loaded in a constant number of queries."""

import datetime as dt
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import BooleanField, Case, CharField, ExpressionWrapper, Q, QuerySet, Value, When
from django.db.models.functions import Concat

from feeds.festival_time import FestivalTime
from programme.backoffice.problems.bookings import HeldOccasion, load_held_occasions
from programme.models import AreaDay, Event, Festival, Room, Status


class EventFacts(NamedTuple):
    id: int
    title: str
    status: str
    cancelled: bool
    area: int
    sub_area: str | None
    # The area in which its sub area is, and its name.
    sub_area_in: int | None
    sub_area_in_name: str | None
    has_location: bool
    # Its image, if that has no caption.
    uncaptioned: str

    @property
    def draft(self) -> bool:
        return self.status == Status.DRAFT


class FestivalFacts(NamedTuple):
    id: int
    name: str
    town: str
    country: str


class RoomFacts(NamedTuple):
    location: int
    location_name: str
    name: str
    parallel: bool

    def __str__(self) -> str:
        return f"{self.location_name}, {self.name}"


class OpeningHours(NamedTuple):
    """Opening and closing time of an area on one day, either of which may not be known."""

    opens: dt.time | None
    closes: dt.time | None


@dataclass(frozen=True)
class Facts:
    """The programme; areas and rooms are known by ID."""

    festival: FestivalTime
    events: dict[int, EventFacts]
    occasions: dict[int, HeldOccasion]
    hours: dict[tuple[int, dt.date], OpeningHours]
    rooms: dict[int, RoomFacts]
    festivals: list[FestivalFacts]

    @cached_property
    def occasions_by_event(self) -> dict[int, list[HeldOccasion]]:
        found: dict[int, list[HeldOccasion]] = {}
        for occasion in self.occasions.values():
            found.setdefault(occasion.event, []).append(occasion)
        return found

    def end_of(self, event: int) -> dt.datetime | None:
        return max((each.end for each in self.occasions_by_event.get(event, [])), default=None)

    def of_events(self, keys: Collection[int]) -> "Facts":
        return replace(
            self,
            events={key: self.events[key] for key in keys if key in self.events},
            occasions={each.id: each for each in self.occasions.values() if each.event in keys},
        )

    def of_rooms(self, keys: Collection[int | None]) -> "Facts":
        """Return the facts with what is held in these rooms alone."""
        held = {each.id: each for each in self.occasions.values() if each.room in keys}
        return replace(self, occasions=held)


def load_facts(festival: FestivalTime) -> Facts:
    """Return the facts of the whole programme, in five queries."""
    return Facts(festival, _load_events(), _load_occasions(), *_load_shared())


def renew_shared(before: Facts) -> Facts:
    """Return the facts with what events share as it is now, in three queries."""
    hours, rooms, festivals = _load_shared()
    return replace(before, hours=hours, rooms=rooms, festivals=festivals)


def find_concerned(before: Facts, now: Facts) -> Iterator[int]:
    """Yield the events of which other things are to be said because of what events share."""
    areas = {area for area, _day in dict(before.hours.items() ^ now.hours.items())}
    rooms = dict(before.rooms.items() ^ now.rooms.items())
    for event in before.events.values():
        # The name of an area says that a sub area is in another one.
        if event.area in areas or event.sub_area_in not in {None, event.area}:
            yield event.id
    yield from (each.event for each in before.occasions.values() if each.room in rooms)


def renew_events(before: Facts, keys: Collection[int]) -> Facts:
    """Return the facts with some events as they are now, or without them, in two queries."""
    events = {key: each for key, each in before.events.items() if key not in keys}
    occasions = {key: each for key, each in before.occasions.items() if each.event not in keys}
    return replace(
        before,
        events=events | _load_events(Q(pk__in=keys)),
        occasions=occasions | _load_occasions(Q(event__in=keys)),
    )


def _load_shared() -> tuple[
    dict[tuple[int, dt.date], OpeningHours], dict[int, RoomFacts], list[FestivalFacts]
]:
    rooms = Room.objects.order_by().values_list("id", "location_id", "location__name", "name", "parallel")
    # One at most.
    festivals = Festival.objects.values_list("id", "name_sv", "town", "country")
    return (
        load_opening_hours(AreaDay.objects.all()),
        {row[0]: RoomFacts(*row[1:]) for row in rooms},
        [FestivalFacts(*row) for row in festivals],
    )


def _load_occasions(chosen: Q | None = None) -> dict[int, HeldOccasion]:
    return {each.id: each for each in load_held_occasions(chosen)}


def as_column(condition: Q) -> "ExpressionWrapper[Q]":
    return ExpressionWrapper(condition, output_field=BooleanField())


def _load_events(chosen: Q | None = None) -> dict[int, EventFacts]:
    placed = as_column(Q(location__isnull=False) | Q(room__isnull=False))
    image = Concat("image", "image_url", output_field=CharField())
    uncaptioned = Case(When(image_caption="", then=image), default=Value(""), output_field=CharField())
    columns = ("id", "title", "status", "cancelled", "area_id")
    sub_area = ("sub_area__name", "sub_area__area_id", "sub_area__area__name")
    events: QuerySet[Any] = Event.objects.filter(chosen or Q()).order_by()
    return {row[0]: EventFacts(*row) for row in events.values_list(*columns, *sub_area, placed, uncaptioned)}


def load_opening_hours(days: QuerySet[AreaDay]) -> dict[tuple[int, dt.date], OpeningHours]:
    """Return the hours that are known, by area and day, in one query."""
    known = days.exclude(opens=None, closes=None).order_by()
    return {
        (area, day): OpeningHours(opens, closes)
        for area, day, opens, closes in known.values_list("area_id", "day__date", "opens", "closes")
    }
