"""Problems of times: double-booked rooms, occasions outside opening hours, ends before starts."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import ONE_DAY, FestivalTime
from feeds.wording import EN_DASH, format_clock
from programme.backoffice.problems.bookings import HeldOccasion, build_bookings
from programme.backoffice.problems.clashes import Clash, find_clashes
from programme.backoffice.problems.facts import Facts, OpeningHours
from programme.backoffice.problems.problem import ProblemLink, ProgrammeProblem, StrOrPromise, TimeRange

# The form takes an end at or before the start for one in the night after: 14:00-13:00 are 23 hours.
LONGEST_NIGHT = dt.timedelta(hours=12)


def find_double_bookings(facts: Facts) -> Iterator[ProgrammeProblem]:
    for clash in find_clashes(build_bookings(facts.occasions.values())):
        yield build_double_booking(facts, clash)


def build_double_booking(facts: Facts, clash: Clash) -> ProgrammeProblem:
    occasions = [facts.occasions[booking.occasion] for booking in clash]
    span = TimeRange(clash[0].start, max(booking.end for booking in clash))
    return ProgrammeProblem(
        title=str(facts.rooms[clash[0].room]),
        detail=format_lazy(_("{count} occasions at the same time"), count=len(clash)),
        links=tuple(
            _build_link(facts, each, "start_time", booking.start, booking.end, booking.room)
            for each, booking in zip(occasions, clash, strict=True)
        ),
        areas=frozenset(facts.events[each.event].area for each in occasions),
        days=tuple(_list_days(facts.festival, span)),
        span=span,
        draft=all(facts.events[each.event].draft for each in occasions),
        until=span.end,
    )


def _list_days(festival: FestivalTime, span: TimeRange) -> Iterator[dt.date]:
    """Yield the festival days on which it goes on."""
    day = festival.day_of(span.start)
    while festival.day_begins(day) < span.end:
        yield day
        day += ONE_DAY


def find_outside_hours(facts: Facts) -> Iterator[ProgrammeProblem]:
    """Yield what is held in the area itself while it is closed; what goes on for days has no hours."""
    for each in _list_taking_place(facts):
        day = facts.festival.day_of(each.start)
        hours = facts.hours.get((facts.events[each.event].area, day))
        if hours and is_outside(each, facts.festival, day, hours):
            what = (each.start, each.end, *hours)
            yield _build_problem(facts, each, describe_hours(hours), "start_time", *what)


def is_outside(each: HeldOccasion, festival: FestivalTime, day: dt.date, hours: OpeningHours) -> bool:
    """Return whether it is held while the area is closed on its day."""
    if each.online or each.cancelled or festival.is_long(each.start, each.end):
        return False
    opens, closes = find_opening_instants(day, hours, festival)
    return bool((opens and each.start < opens) or (closes and each.end > closes))


def describe_hours(hours: OpeningHours) -> StrOrPromise:
    span = _format_time(hours.opens) + EN_DASH + _format_time(hours.closes)
    return format_lazy(_("The area is open {hours}"), hours=span)


def find_opening_instants(
    day: dt.date, hours: OpeningHours, festival: FestivalTime
) -> tuple[dt.datetime | None, dt.datetime | None]:
    begins = dt.time(festival.first_hour)
    opens, closes = festival.occasion_span(day, hours.opens or begins, hours.closes or begins)
    return opens if hours.opens else None, closes if hours.closes else None


def find_reversed_times(facts: Facts) -> Iterator[ProgrammeProblem]:
    for each in _list_taking_place(facts):
        hours = count_reversed_hours(each.start, each.end, facts.festival)
        if hours:
            what = (each.start, each.end)
            yield _build_problem(facts, each, describe_reversed_times(hours), "end_time", *what)


def describe_reversed_times(hours: int) -> StrOrPromise:
    return format_lazy(_("{hours} hours, into the next day. Is the end right?"), hours=hours)


def count_reversed_hours(start: dt.datetime, end: dt.datetime, festival: FestivalTime) -> int | None:
    """Return how many hours long it is, if it looks as if its end had been typed before its start."""
    first, last = festival.local(start), festival.local(end)
    next_day = last.date() - first.date() == dt.timedelta(days=1)
    turned = next_day and last.time() <= first.time() and end - start > LONGEST_NIGHT
    return round((end - start) / dt.timedelta(hours=1)) if turned else None


def _list_taking_place(facts: Facts) -> Iterator[HeldOccasion]:
    return (each for each in facts.occasions.values() if not each.cancelled)


def _build_link(facts: Facts, each: HeldOccasion, field: str, *what: Any) -> ProblemLink:
    span = TimeRange(each.start, each.end)
    return ProblemLink(facts.events[each.event].title, "occasion", each.id, field, span, what)


def _build_problem(
    facts: Facts, each: HeldOccasion, detail: StrOrPromise, field: str, *what: Any
) -> ProgrammeProblem:
    event = facts.events[each.event]
    return ProgrammeProblem(
        title=event.title,
        detail=detail,
        links=(_build_link(facts, each, field, *what),),
        areas=frozenset({event.area}),
        days=(facts.festival.day_of(each.start),),
        span=TimeRange(each.start, each.end),
        draft=event.draft,
        until=each.end,
    )


def _format_time(time: dt.time | None) -> str:
    return format_clock(time) if time else "?"
