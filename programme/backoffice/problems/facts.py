"""The facts that problems are found in, loaded in a constant number of queries."""

import datetime as dt
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet

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
    lacks_caption: bool

    @property
    def draft(self) -> bool:
        return self.status == Status.DRAFT


class FestivalFacts(NamedTuple):
    id: int
    name: str
    town: str
    country: str


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
    rooms: dict[int, str]
    festivals: list[FestivalFacts]

    @cached_property
    def occasions_by_event(self) -> dict[int, list[HeldOccasion]]:
        found: dict[int, list[HeldOccasion]] = {}
        for occasion in self.occasions.values():
            found.setdefault(occasion.event, []).append(occasion)
        return found

    def end_of(self, event: int) -> dt.datetime | None:
        return max((each.end for each in self.occasions_by_event.get(event, [])), default=None)


def load_facts(festival: FestivalTime) -> Facts:
    """Return the facts of the whole programme, in five queries."""
    return Facts(
        festival=festival,
        events={row[0]: EventFacts(*row) for row in _load_event_rows()},
        occasions={occasion.id: occasion for occasion in load_held_occasions()},
        hours=load_opening_hours(AreaDay.objects.all()),
        rooms={
            key: f"{location}, {name}"
            for key, location, name in Room.objects.order_by().values_list("id", "location__name", "name")
        },
        # One at most.
        festivals=[
            FestivalFacts(*row) for row in Festival.objects.values_list("id", "name_sv", "town", "country")
        ],
    )


def as_column(condition: Q) -> "ExpressionWrapper[Q]":
    return ExpressionWrapper(condition, output_field=BooleanField())


def _load_event_rows() -> list[tuple[Any, ...]]:
    placed = as_column(Q(location__isnull=False) | Q(room__isnull=False))
    lacks_caption = as_column(Q(image_caption="") & ~(Q(image="") & Q(image_url="")))
    columns = ("id", "title", "status", "cancelled", "area_id")
    sub_area = ("sub_area__name", "sub_area__area_id", "sub_area__area__name")
    return list(Event.objects.order_by().values_list(*columns, *sub_area, placed, lacks_caption))


def load_opening_hours(days: QuerySet[AreaDay]) -> dict[tuple[int, dt.date], OpeningHours]:
    """Return the hours that are known, by area and day, in one query."""
    known = days.exclude(opens=None, closes=None).order_by()
    return {
        (area, day): OpeningHours(opens, closes)
        for area, day, opens, closes in known.values_list("area_id", "day__date", "opens", "closes")
    }
