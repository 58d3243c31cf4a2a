"""What finds the problems of each kind in the facts."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import ONE_DAY, FestivalTime
from feeds.wording import EN_DASH, format_clock
from programme.backoffice.problems.clashes import Clash, find_clashes, order_occasion
from programme.backoffice.problems.facts import EventFacts, Facts, HeldOccasion, OpeningHours
from programme.backoffice.problems.problem import (
    ProblemLink,
    ProgrammeProblem,
    StrOrPromise,
    TimeRange,
    name_row_field,
)
from programme.backoffice.problems.texts import TranslatableRow
from programme.exchange.readers.sheet.dates import find_usual_days, is_on
from programme.models import Event

# The form takes an end at or before the start for one in the night after: 14:00-13:00 are 23 hours.
LONGEST_NIGHT = dt.timedelta(hours=12)

Found = Iterator[ProgrammeProblem]


# --- Times ----------------------------------------------------------------------------------------


def find_double_bookings(facts: Facts) -> Found:
    for clash in find_clashes(facts.occasions.values()):
        yield build_double_booking(facts, clash)


def build_double_booking(facts: Facts, clash: Clash) -> ProgrammeProblem:
    span = TimeRange(clash[0].start, max(each.end for each in clash))
    days, day = [], facts.festival.day_of(span.start)
    while facts.festival.day_begins(day) < span.end:
        days.append(day)
        day += ONE_DAY
    return ProgrammeProblem(
        title=str(facts.rooms.get(clash[0].room or 0) or facts.locations[clash[0].location or 0].name),
        detail=format_lazy(_("{count} occasions at the same time"), count=len(clash)),
        links=tuple(
            _build_time_link(facts, each, "start_time", each.start, each.end, each.place) for each in clash
        ),
        areas=frozenset(facts.events[each.event].area for each in clash),
        days=tuple(days),
        span=span,
        draft=all(facts.events[each.event].draft for each in clash),
        until=span.end,
    )


def find_outside_hours(facts: Facts) -> Found:
    for each in facts.occasions.values():
        day = facts.festival.day_of(each.start)
        hours = facts.hours.get((facts.events[each.event].area, day))
        if hours and is_outside(each, facts.festival, day, hours):
            what = (each.start, each.end, *hours)
            yield _build_time_problem(facts, each, describe_hours(hours), "start_time", *what)


def is_outside(each: HeldOccasion, festival: FestivalTime, day: dt.date, hours: OpeningHours) -> bool:
    """Return whether it is held while its area is closed; what is online or goes on for days has no hours."""
    if each.online or each.cancelled or festival.is_long(each.start, each.end):
        return False
    begins = dt.time(festival.first_hour)
    opens, closes = festival.occasion_span(day, hours.opens or begins, hours.closes or begins)
    return bool((hours.opens and each.start < opens) or (hours.closes and each.end > closes))


def describe_hours(hours: OpeningHours) -> StrOrPromise:
    span = EN_DASH.join(format_clock(time) if time else "?" for time in hours)
    return format_lazy(_("The area is open {hours}"), hours=span)


def find_outside_editions(facts: Facts) -> Found:
    for each in facts.occasions.values():
        if facts.outside and facts.outside.holds(each.start) and not facts.events[each.event].draft:
            detail = _("No edition has this day.")
            # Readers miss what is over, too.
            yield replace(_build_time_problem(facts, each, detail, "day", each.start), until=None)


def find_outside_festival(facts: Facts) -> Found:
    """Yield what is far from nearly all other occasions, unless there are editions."""
    if facts.outside:
        return
    starts = (facts.festival.day_of(each.start) for each in facts.occasions.values())
    days = find_usual_days(starts)
    for each in facts.occasions.values():
        if not is_on(each, days, facts.festival):
            yield _build_time_problem(facts, each, _("Is the date right?"), "day", each.start)


def find_reversed_times(facts: Facts) -> Found:
    for each in facts.occasions.values():
        hours = count_reversed_hours(each.start, each.end, facts.festival)
        if hours and not each.cancelled:
            what = (each.start, each.end)
            detail = format_lazy(_("{hours} hours, into the next day. Is the end right?"), hours=hours)
            yield _build_time_problem(facts, each, detail, "end_time", *what)


def count_reversed_hours(start: dt.datetime, end: dt.datetime, festival: FestivalTime) -> int | None:
    """Return how many hours long it is, if it looks as if its end had been typed before its start."""
    first, last = festival.local(start), festival.local(end)
    next_day = last.date() - first.date() == dt.timedelta(days=1)
    turned = next_day and last.time() <= first.time() and end - start > LONGEST_NIGHT
    return round((end - start) / dt.timedelta(hours=1)) if turned else None


def _build_time_link(facts: Facts, each: HeldOccasion, field: str, *what: Any) -> ProblemLink:
    span = TimeRange(each.start, each.end)
    return ProblemLink(facts.events[each.event].title, "occasion", each.id, field, span, what)


def _build_time_problem(
    facts: Facts, each: HeldOccasion, detail: StrOrPromise, field: str, *what: Any
) -> ProgrammeProblem:
    event = facts.events[each.event]
    return ProgrammeProblem(
        title=event.title,
        detail=detail,
        links=(_build_time_link(facts, each, field, *what),),
        areas=frozenset({event.area}),
        days=(facts.festival.day_of(each.start),),
        span=TimeRange(each.start, each.end),
        draft=event.draft,
        until=each.end,
    )


# --- What is lacking, or does not belong ----------------------------------------------------------


def find_wrong_sub_areas(facts: Facts) -> Found:
    for event in facts.events.values():
        if event.sub_area_in not in {None, event.area}:
            detail = format_lazy(
                _("{sub_area} is in {area}"), sub_area=event.sub_area, area=event.sub_area_in_name
            )
            what = (event.area, event.sub_area_in, event.sub_area)
            yield build_event_problem(facts, event, detail, "sub_area", *what)


def find_missing_occasions(facts: Facts) -> Found:
    for event in facts.events.values():
        if event.id not in facts.occasions_by_event:
            detail = _("Readers do not see it.")
            yield build_event_problem(facts, event, detail, name_row_field(0, "day"), event.status)


def find_missing_locations(facts: Facts) -> Found:
    for event in facts.events.values():
        occasions = facts.occasions_by_event.get(event.id, [])
        if unplaced := [each for each in occasions if each.location is None and not each.cancelled]:
            yield build_rows_problem(facts, unplaced, _count(unplaced, occasions), "location")


def _count(found: list[HeldOccasion], of: list[HeldOccasion]) -> StrOrPromise:
    """Return which share of an event's occasions it is, '' if that is its only one."""
    words = {"count": len(found), "total": len(of)}
    return format_lazy(_("{count} of {total} occasions"), **words) if len(of) > 1 else ""


def build_rows_problem(
    facts: Facts, found: list[HeldOccasion], detail: StrOrPromise, field: str, *what: Any
) -> ProgrammeProblem:
    """Return one problem of several occasions of an event, with a link to the first in the event's form."""
    event = facts.events[found[0].event]
    rows = sorted(facts.occasions_by_event[event.id], key=order_occasion)
    first = min(found, key=order_occasion)
    name = name_row_field(rows.index(first), field)
    problem = build_event_problem(facts, event, detail, name, *sorted(each.id for each in found), *what)
    return replace(
        problem,
        days=tuple(sorted({facts.festival.day_of(each.start) for each in found})),
        span=TimeRange(first.start, first.end),
        until=max(each.end for each in found),
    )


def build_event_problem(
    facts: Facts, event: EventFacts, detail: StrOrPromise, field: str, *what: Any
) -> ProgrammeProblem:
    return ProgrammeProblem(
        title=event.title,
        detail=detail,
        links=(ProblemLink(event.title, "event", event.id, field, facts=what),),
        areas=frozenset({event.area}),
        draft=event.draft,
        until=facts.end_of(event.id),
    )


# --- Texts ----------------------------------------------------------------------------------------


def find_missing_texts(facts: Facts, language: str) -> Found:
    for row in facts.texts:
        if absent := [f"{text}_{language}" for text in row.missing(language)]:
            yield _build_text_problem(facts, row, absent)


def _build_text_problem(facts: Facts, row: TranslatableRow, fields: list[str]) -> ProgrammeProblem:
    meta = row.model._meta
    labels = {field.name: field.verbose_name for field in meta.local_fields}
    event = facts.events.get(row.pk) if row.model is Event else None
    kind = "" if event else format_lazy("{} · ", meta.verbose_name)
    return ProgrammeProblem(
        title=row.title,
        detail=format_lazy("{}{}", kind, _join_labels([labels[field] for field in fields])),
        links=(ProblemLink(row.title, meta.model_name or "", row.pk, fields[0], facts=(*fields,)),),
        areas=frozenset() if row.area is None else frozenset({row.area}),
        draft=bool(event and event.draft),
        until=facts.end_of(event.id) if event else None,
    )


def _join(labels: list[StrOrPromise]) -> str:
    return ", ".join(map(str, labels))


_join_labels = lazy(_join, str)
