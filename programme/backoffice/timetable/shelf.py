"""The shelf: events without an occasion and coming occasions without a place, to put into the timetable."""

import datetime as dt
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from feeds.day_layout import find_span
from feeds.festival_time import ONE_DAY
from programme.backoffice.dates import format_day, format_times
from programme.backoffice.rights import Rights
from programme.backoffice.timetable.columns import column_key
from programme.backoffice.timetable.occasions import load_occasions
from programme.models import Event, Occasion, Status
from programme.models.festival_time import festival_time
from programme.models.locations import EVENT_STATED, STATED, StatedVenue, resolve_venue

# Of each kind; more are found by area.
MAX_SHELVED = 60
# The length of an occasion until the editor chooses one.
DEFAULT_MINUTES = 60


class ShelvedEvent(NamedTuple):
    id: int
    title: str
    draft: bool
    # The column of its own place.
    column: str


class ShelvedOccasion(NamedTuple):
    id: int
    title: str
    draft: bool
    cancelled: bool
    seen: str
    day: dt.date
    when: str
    minute: int
    minutes: int


class Shelf(NamedTuple):
    events: list[ShelvedEvent]
    occasions: list[ShelvedOccasion]

    @property
    def size(self) -> int:
        return len(self.events) + len(self.occasions)

    @property
    def is_cut(self) -> bool:
        return MAX_SHELVED in {len(self.events), len(self.occasions)}


def load_shelf(rights: Rights, area: str, date: dt.date, now: dt.datetime) -> Shelf:
    """Return what the user may put into the timetable, of an area if one is chosen; two queries."""
    return Shelf(_load_events(rights, area), _load_occasions(rights, area, date, now))


def _load_events(rights: Rights, area: str) -> list[ShelvedEvent]:
    if not rights.has_permission("add_occasion"):
        return []
    chosen = Q(area=area) if area else Q()
    every = rights.filter_events_for_occasions(Event.objects.filter(chosen, cancelled=False))
    free = every.filter(~Exists(Occasion.objects.filter(event=OuterRef("pk")))).order_by("title", "id")
    return [
        ShelvedEvent(key, title, status == Status.DRAFT, column_key(resolve_venue(StatedVenue(*stated))))
        for key, title, status, *stated in free.values_list("id", "title", "status", *STATED)[:MAX_SHELVED]
    ]


def _load_occasions(rights: Rights, area: str, date: dt.date, now: dt.datetime) -> list[ShelvedOccasion]:
    """Return those of other days: those of this one have a column."""
    festival = festival_time()
    begins, ends = festival.day_begins(date), festival.day_begins(date + ONE_DAY)
    nowhere = Q(**dict.fromkeys([*STATED[:2], *EVENT_STATED[:2]]))
    chosen = Q(event__area=area) if area else Q()
    coming: QuerySet[Any] = Occasion.objects.filter(nowhere, chosen, end__gt=now)
    found = rights.filter_allowed("change", coming.exclude(start__lt=ends, end__gt=begins))
    shelved = []
    for each in load_occasions(found, MAX_SHELVED):
        day = festival.day_of(each.start)
        span = find_span(each, day, festival)
        when = f"{format_day(day)} {format_times(each.start, each.end)}"
        shelved.append(
            ShelvedOccasion(
                *(each.id, each.title, each.draft, each.cancelled, each.seen),
                *(day, when, span.begins, span.ends - span.begins),
            )
        )
    return shelved
