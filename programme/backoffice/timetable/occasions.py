"""Occasions as the timetable shows them, which of them clash, and the shelf of what has no time or place."""

import datetime as dt
import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from feeds.day_layout import find_span
from feeds.festival_time import ONE_DAY
from feeds.wording import WORDS, format_clock, format_relative_day, isolate
from programme.api.instant import get_instant
from programme.backoffice.editions import get_scope
from programme.backoffice.forms.facts import CHOSEN
from programme.backoffice.problems.finders import DOUBLE_BOOKED, KINDS
from programme.backoffice.problems.problem import ProgrammeProblem, TitledTime
from programme.backoffice.problems.warnings import MAX_CLASHES, find_open
from programme.backoffice.programme import OCCASION, load_programme
from programme.backoffice.schedule import describe
from programme.changes.difference import format_span
from programme.changes.rights import Rights, rights_of
from programme.models import Event, Occasion, Status
from programme.models.dates import editor_language
from programme.models.festival_time import festival_time
from programme.models.locations import Venue

# Of each kind on the shelf; more are found by area.
MAX_SHELVED = 60
WEEK = dt.timedelta(days=7)
# Where what has no place is held; and how much of an occasion clashes are found by.
NOWHERE = (None, None)
_SEEN_OF_OCCASION = 7


class TimetableOccasion(NamedTuple):
    """One occasion: what of it and of its event is on the screen."""

    id: int
    event: int
    title: str
    area: int
    status: str
    cancelled: bool
    start: dt.datetime
    end: dt.datetime
    place: Venue | None
    # What is planned for its event, in words.
    plan: str = ""
    # What it states of the facts that are chosen from.
    stated: tuple[str, ...] = ()

    @property
    def draft(self) -> bool:
        return self.status == Status.DRAFT

    @property
    def seen(self) -> str:
        """A fingerprint of the occasion's state: a move is refused if it has changed since."""
        instants = [instant.astimezone(dt.UTC).isoformat() for instant in (self.start, self.end)]
        state = repr([*self[:6], *instants, self.place and tuple(self.place)])
        return hashlib.sha256(state.encode()).hexdigest()[:16]


_FIELDS = [
    *("id", "event_id", "event__title", "event__area_id", "event__status", "cancelled", "start", "end"),
    *("location_id", "room_id"),
    *("event__plan__due", "event__plan__status", "event__plan__missed"),
    *CHOSEN,
]


def load_occasions(occasions: QuerySet[Any], most: int | None = None) -> Iterator[TimetableOccasion]:
    """Yield occasions in the order of time, in one query."""
    for row in occasions.order_by("start", "end", "id").values_list(*_FIELDS)[:most]:
        values = (*row[:8], Venue.of(*row[8:10]), describe(*row[10:13]), row[13:])
        yield TimetableOccasion(*values)


def select_of_day(day: dt.date) -> Q:
    """Return the condition for what is held on a festival day."""
    festival = festival_time()
    return Q(start__lt=festival.day_begins(day + ONE_DAY), end__gt=festival.day_begins(day))


def format_occasion_times(occasion: TimetableOccasion, date: dt.date) -> tuple[str, str]:
    """Return `22:00` and `04:00`, with days where it begins before the day or lasts longer than one."""
    span = festival_time().span(occasion.start, occasion.end)
    first = f"{_format_relative_day(date, span.day)} " if span.day != date else ""
    last = f"{_format_relative_day(date, span.end.date())} " if span.is_long else ""
    return f"{first}{format_clock(span.start)}", f"{last}{format_clock(span.end)}"


def _format_relative_day(date: dt.date, day: dt.date) -> str:
    """Return `ons`; with the date where another day of that name is nearer, and the year if it is another."""
    if abs(day - date) < WEEK:
        return WORDS[editor_language()].days_short[day.weekday()]
    return format_relative_day(day, date, editor_language())


def describe_occasions(others: list[TitledTime]) -> str:
    """Name the first of the occasions: `Jazz (19:00–20:00), Blues (19:30–21:00)`."""
    named = []
    for title, times in others[:MAX_CLASHES]:
        span = festival_time().span(*times)
        named.append(f"{isolate(title)} ({format_clock(span.start)}–{format_clock(span.end)})")
    more = len(others) - len(named)
    return ", ".join([*named, *([_("%(count)d more") % {"count": more}] if more else [])])


# --- Clashes --------------------------------------------------------------------------------------


class DayClashes(NamedTuple):
    """The clashes of a day, and for each occasion in one those it clashes with, in the order of time."""

    clashes: list[ProgrammeProblem]
    others: dict[int, list[TitledTime]]

    def count(self, shown: Iterable[int]) -> int:
        """Return in how many clashes any of the occasions is."""
        ids = frozenset(shown)
        return sum(any(link.pk in ids for link in clash.links) for clash in self.clashes)


def find_day_clashes(date: dt.date, day: list[TimetableOccasion]) -> DayClashes:
    """Return the clashes of what is held on a day, in six queries at most.

    What they clash with may be of other days: what goes on over the end of a day may still be in the way.
    """
    if not day:
        return DayClashes([], {})
    begins, ends = min(each.start for each in day), max(each.end for each in day)
    # What is cancelled or has no place clashes with nothing.
    held_then = Q(start__lt=ends, end__gt=begins, cancelled=False, location__isnull=False)
    unstated = [""] * (len(OCCASION) - _SEEN_OF_OCCASION)
    rows = [
        (each.id, each.event, each.start, each.end, each.cancelled, *(each.place or NOWHERE), *unstated)
        for each in day
    ]
    programme = load_programme(held_then & ~select_of_day(date), rows)
    found = find_open(programme, KINDS[DOUBLE_BOOKED])
    held = {each.id for each in day}
    clashes = [clash for clash in found if any(link.pk in held for link in clash.links)]
    others = {link.pk: clash.find_overlapping(link.pk) for clash in clashes for link in clash.links}
    return DayClashes(clashes, others)


# --- The shelf ------------------------------------------------------------------------------------


def build_shelf_context(request: HttpRequest, area: str, date: dt.date) -> dict[str, Any]:
    """Return what the user may put into the timetable, of an area if one is chosen; two queries.

    Events without an occasion, and coming occasions without a place.
    """
    rights = rights_of(request.user)
    events = _load_shelved_events(rights, area)
    coming = Occasion.objects.filter(get_scope(request).occasions, end__gt=get_instant(request))
    occasions = _load_shelved_occasions(rights, area, date, coming)
    return {
        "events": events,
        "occasions": occasions,
        "size": len(events) + len(occasions),
        "is_cut": MAX_SHELVED in {len(events), len(occasions)},
    }


def _load_shelved_events(rights: Rights, area: str) -> list[dict[str, Any]]:
    if not rights.has_permission("add_occasion"):
        return []
    chosen = Q(area=area) if area else Q()
    every = rights.filter_events_for_occasions(Event.objects.filter(chosen))
    free = every.filter(~Exists(Occasion.objects.filter(event=OuterRef("pk")))).order_by(
        "title__in_order", "id"
    )
    return [
        {"id": key, "title": title, "draft": status == Status.DRAFT}
        for key, title, status in free.values_list("id", "title", "status")[:MAX_SHELVED]
    ]


def _load_shelved_occasions(
    rights: Rights, area: str, date: dt.date, coming: QuerySet[Any]
) -> list[dict[str, Any]]:
    """Return those of other days: those of this one have a column."""
    festival = festival_time()
    chosen = Q(event__area=area) if area else Q()
    found = rights.filter_allowed("change", coming.filter(chosen, location=None).exclude(select_of_day(date)))
    shelved = []
    for each in load_occasions(found, MAX_SHELVED):
        day = festival.day_of(each.start)
        span, when = find_span(each, day, festival), format_span(each.start, each.end)
        lasting = {"minute": span.begins, "minutes": span.ends - span.begins}
        shelved.append({"occasion": each, "day": day, "when": when} | lasting)
    return shelved
