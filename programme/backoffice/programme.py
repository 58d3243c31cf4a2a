"""The programme as editors have it, drafts included: frozen values, read in a constant number of queries."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.db.models import Model, Q
from django.db.models.functions import Left

from feeds import vocabulary
from feeds.editions import Edition
from feeds.facts import FREE, facts_of
from feeds.festival_time import FestivalTime
from feeds.vocabulary import Area, AreaDay, Organizer, Place, SubArea, Text, Value
from programme import models
from programme.backoffice.editions import EVERYTHING, Scope
from programme.publishing import loading
from programme.publishing.shared_tables import RoomRow
from programme.publishing.shared_values import SharedValues

_STATED = tuple(fact.name for fact in facts_of("occasion"))
_EVENT = ("id", "title", "status", "price", "ticket_url", FREE.name, "area_id", "sub_area_id")
OCCASION = ("id", "event_id", "start", "end", "cancelled", "location_id", "room_id", "booking_url", *_STATED)
_OWN = -len(_STATED)


class EditorEvent(Value, frozen=True):
    id: int
    title: str
    status: str
    price: str
    ticket_url: str
    # Whether it is free, as it was stated.
    free: str
    area: Area
    sub_area: SubArea | None
    # The first letters alone: whether there are texts is all that is asked.
    intro: Text
    description: Text

    @property
    def draft(self) -> bool:
        return self.status == models.Status.DRAFT


class EditorOccasion(Value, frozen=True):
    id: int
    event: EditorEvent
    # In UTC: Python compares instants of one zone by its wall clock, which shows an hour of autumn twice.
    start: dt.datetime
    end: dt.datetime
    day: dt.date
    cancelled: bool
    place: Place | None
    # The room or the location that no other may be in at the same time, '' if there is none.
    takes: int | str
    booking_url: str
    # What it states of the facts of occasions.
    stated: tuple[str, ...]

    @property
    def order(self) -> tuple[dt.datetime, dt.datetime, int]:
        """The sort key, also of the rows in the form of an event."""
        return self.start, self.end, self.id


@dataclass(frozen=True)
class EditorProgramme:
    """The programme or a part of it: occasions in order, and by model and ID all rows that have texts."""

    festival: FestivalTime
    editions: tuple[Edition, ...]
    occasions: dict[int, EditorOccasion]
    rows: Mapping[type[Model], Mapping[int, Any]]

    @property
    def events(self) -> Mapping[int, EditorEvent]:
        return self.rows[models.Event]

    @cached_property
    def by_event(self) -> dict[int, list[EditorOccasion]]:
        found: dict[int, list[EditorOccasion]] = defaultdict(list)
        for each in self.occasions.values():
            found[each.event.id].append(each)
        return dict(found)

    def end_of(self, event: int) -> dt.datetime | None:
        return max((each.end for each in self.by_event.get(event, ())), default=None)

    @cached_property
    def hours(self) -> dict[tuple[int, dt.date], tuple[AreaDay, dt.datetime, dt.datetime]]:
        """By area and day what is known of its hours, and their instants, where unknown those of the day."""
        found, first = {}, dt.time(self.festival.first_hour)
        for area in self.rows[models.Area].values():
            for day in area.days:
                if day.opens or day.closes:
                    times = day.opens or first, day.closes or first
                    found[area.id, day.date] = day, *self.festival.occasion_span(day.date, *times)
        return found

    def within(self, scope: Scope) -> "EditorProgramme":
        """Return the events and the occasions that a user works with."""
        if scope == EVERYTHING:
            return self
        occasions = {key: each for key, each in self.occasions.items() if scope.holds(each.start)}
        held = {each.event.id for each in occasions.values()}
        if scope.edition:
            held |= self.events.keys() - self.by_event.keys()
        events = {key: each for key, each in self.events.items() if key in held}
        return replace(self, occasions=occasions, rows={**self.rows, models.Event: events})


def load_programme(
    part: Q | None = None, instead: Iterable[tuple[Any, ...]] = (), events: Collection[int] = ()
) -> EditorProgramme:
    """Return the whole programme in six queries, or of its occasions a part in five.

    Of occasions `instead` the values in memory are taken, in the order of `OCCASION`, whether they are stored
    or not; of a part there are those events that its occasions belong to, and `events`.
    """
    site = loading.build_site()
    shared = SharedValues(site, {})
    stored = models.Occasion.objects.filter(part or Q()).order_by().values_list(*OCCASION)
    rows = {row[0]: row for row in stored}
    rows |= {row[0]: row for row in instead}
    chosen = Q() if part is None else Q(pk__in={*events, *(row[1] for row in rows.values())})
    found = _load_events(chosen, shared)
    parallel = _load_parallel()
    occasions = (build_occasion(row, found, shared, parallel) for row in rows.values())
    tables = shared.tables
    return EditorProgramme(
        site.time,
        shared.editions,
        {each.id: each for each in sorted(occasions, key=lambda each: each.order)},
        {
            models.Event: found,
            models.Area: shared.areas,
            models.SubArea: shared.sub_areas,
            models.Location: tables[vocabulary.Location],
            models.Room: {key: row.room for key, row in tables[RoomRow].items()},
            models.Organizer: _load_organizers() if part is None else {},
            models.EventType: tables[vocabulary.EventType],
            models.Language: tables[vocabulary.Language],
            models.Festival: tables[vocabulary.Festival],
        },
    )


def load_around(occasions: Collection[models.Occasion], *events: int) -> EditorProgramme:
    """Return the programme of occasions in memory and of others that may be in their way, in five queries."""
    held = [each for each in occasions if each.location_id]
    around = Q(pk__in=())
    if held:
        begins, ends = min(each.start for each in held), max(each.end for each in held)
        around = Q(start__lt=ends, end__gt=begins, location__in={each.location_id for each in held})
    rows = (tuple(getattr(each, name) for name in OCCASION) for each in occasions)
    return load_programme(around & ~Q(event__in=events), rows, events)


def _load_events(chosen: Q, shared: SharedValues) -> dict[int, EditorEvent]:
    letters = [Left(f"{text}_{key}", 1) for text in ("intro", "description") for key in ("sv", "en")]
    rows: Any = models.Event.objects.filter(chosen).order_by().values_list(*_EVENT, *letters)
    found = {}
    for *own, area, sub_area, sv, en, long_sv, long_en in rows:
        others = shared.areas[area], shared.sub_areas.get(sub_area), Text(sv, en), Text(long_sv, long_en)
        found[own[0]] = EditorEvent(*[*own, *others])
    return found


def _load_organizers() -> dict[int, Organizer]:
    letters = Left("info_sv", 1), Left("info_en", 1)
    rows: Any = models.Organizer.objects.order_by().values_list("id", "name", *letters)
    return {key: Organizer(key, name, Text(*texts)) for key, name, *texts in rows}


def _load_parallel() -> frozenset[int | str]:
    """Return the rooms, by ID, and the locations, by name, that are open to several occasions at once.

    Of a location that has rooms, much goes on side by side outside of them.
    """
    rooms = [*models.Room.objects.order_by().values_list("pk", "location_id", "parallel")]
    places = models.Location.objects.filter(parallel=True).order_by().values_list("pk", flat=True)
    locations = {*places, *(location for _room, location, _parallel in rooms)}
    return frozenset(
        [*map(_name_location, locations), *(room for room, _location, parallel in rooms if parallel)]
    )


def _name_location(key: int) -> str:
    return f"location {key}"


def build_occasion(
    row: tuple[Any, ...],
    events: Mapping[int, EditorEvent],
    shared: SharedValues,
    parallel: Collection[int | str],
) -> EditorOccasion:
    key, event, *instants, cancelled, location, room, booking_url = row[:_OWN]
    start, end = (each.astimezone(dt.UTC) for each in instants)
    place = room or (_name_location(location) if location else "")
    is_taken = place not in parallel and not cancelled and end > start
    return EditorOccasion(
        key,
        events[event],
        start,
        end,
        shared.site.time.day_of(start),
        cancelled,
        shared.place(location, room),
        place if is_taken else "",
        booking_url,
        row[_OWN:],
    )
