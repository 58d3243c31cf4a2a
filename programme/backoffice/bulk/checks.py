"""What to look at in a plan: clashes, opening hours, and what leaves its festival day."""

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import Q
from django.utils.translation import gettext as _

from programme.backoffice.bulk.plan import Plan, PlannedRow
from programme.backoffice.dates import format_day, format_times
from programme.backoffice.problems.accepted import load_accepted_clashes
from programme.backoffice.problems.bookings import (
    HeldOccasion,
    build_bookings,
    build_held_occasion,
    load_held_occasions,
)
from programme.backoffice.problems.clashes import find_clashes, find_overlapping
from programme.backoffice.problems.facts import load_opening_hours
from programme.backoffice.problems.times import describe_hours, is_outside
from programme.models import AreaDay, Event
from programme.models.festival_time import festival_time

# So many of what an occasion clashes with are named.
MAX_NAMED = 3


def add_warnings(plan: Plan) -> None:
    """Give the rows that change their warnings, and count their clashes, in four queries at most."""
    touched = [row for row in plan.changing if row.is_held_otherwise]
    if not touched:
        return
    held = {row.occasion.pk: build_held_occasion(row.after, row.after.event) for row in plan.rows}
    clashes = _describe_clashes(plan, held)
    outside = _describe_hours(touched, held)
    for row in touched:
        key = row.occasion.pk
        row.warnings = [*_describe_day(row), *clashes.get(key, []), *outside.get(key, [])]


def _describe_day(row: PlannedRow) -> Iterator[str]:
    festival = festival_time()
    before, after = festival.day_of(row.occasion.start), festival.day_of(row.after.start)
    if before != after:
        yield _("Another festival day: %(day)s") % {"day": format_day(after)}


def _describe_clashes(plan: Plan, held: dict[int, HeldOccasion]) -> dict[int, list[str]]:
    """Return what each occasion would clash with, by the rules of the list of problems."""
    mine = list(build_bookings(held.values()))
    if not mine:
        return {}
    around = Q(start__lt=max(booking.end for booking in mine), end__gt=min(booking.start for booking in mine))
    rooms = {booking.room for booking in mine}
    loaded = load_held_occasions(around & Q(venue_room__in=rooms))
    others = {each.id: each for each in loaded if each.id not in held}
    accepted = load_accepted_clashes()
    known = held | others
    titles = {row.occasion.event_id: row.occasion.event.title for row in plan.rows}
    unnamed = {each.event for each in others.values()} - titles.keys()
    titles |= dict(Event.objects.filter(pk__in=unnamed).values_list("pk", "title"))
    found: dict[int, list[str]] = defaultdict(list)
    changing = {row.occasion.pk for row in plan.changing if row.is_held_otherwise}
    for clash in find_clashes([*mine, *build_bookings(others.values())], accepted):
        plan.clashes += any(booking.occasion in changing for booking in clash)
        for booking in clash:
            if booking.occasion in changing:
                for other in find_overlapping(booking, clash, accepted)[:MAX_NAMED]:
                    each = known[other.occasion]
                    found[booking.occasion].append(
                        _("Clashes with %(title)s, %(times)s")
                        % {"title": titles[each.event], "times": format_times(each.start, each.end)}
                    )
    return found


def _describe_hours(rows: list[PlannedRow], held: dict[int, HeldOccasion]) -> dict[int, list[str]]:
    festival = festival_time()
    days = {row.occasion.pk: festival.day_of(row.after.start) for row in rows}
    areas = {row.occasion.event.area_id for row in rows}
    hours = load_opening_hours(AreaDay.objects.filter(area__in=areas, day__date__in=set(days.values())))
    found = {}
    for row in rows:
        key = row.occasion.pk
        open_then = hours.get((row.occasion.event.area_id, days[key]))
        if open_then and is_outside(held[key], festival, days[key], open_then):
            found[key] = [str(describe_hours(open_then))]
    return found
