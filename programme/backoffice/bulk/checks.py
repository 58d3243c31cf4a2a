"""What to look at in a plan: clashes, opening hours, and what leaves its festival day."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _

from feeds.wording import isolate
from programme.backoffice.bulk.plan import Plan, PlannedRow
from programme.backoffice.dates import format_day, format_times
from programme.backoffice.forms.doubts import KnownDays
from programme.backoffice.problems import facts
from programme.backoffice.problems.accepted import load_accepted_clashes
from programme.backoffice.problems.clashes import find_clashes, find_overlapping
from programme.backoffice.problems.finders import describe_hours, is_outside
from programme.models import AreaDay, Event
from programme.models.festival_time import festival_time

# So many of what an occasion clashes with are named.
MAX_NAMED = 3


def add_warnings(plan: Plan, instant: datetime) -> None:
    """Give the rows that change their warnings, and count their clashes, in six queries at most."""
    touched = [row for row in plan.changing if row.is_held_otherwise]
    if not touched:
        return
    held = {each.id: each for each in facts.build_held_occasions([row.after for row in plan.rows])}
    clashes = _describe_clashes(plan, held)
    outside = _describe_hours(touched, held)
    known = KnownDays.load(instant, ~Q(pk__in=[row.occasion.pk for row in touched]))
    for row in touched:
        key = row.occasion.pk
        row.warnings = [*_describe_day(row, known), *clashes.get(key, []), *outside.get(key, [])]


def _describe_day(row: PlannedRow, known: KnownDays) -> Iterator[str]:
    festival = festival_time()
    before, after = festival.day_of(row.occasion.start), festival.day_of(row.after.start)
    if before != after:
        yield _("Another festival day: %(day)s") % {"day": format_day(after)}
        if question := known.question(row.after):
            yield question


def _describe_clashes(plan: Plan, held: dict[int, facts.HeldOccasion]) -> dict[int, list[str]]:
    """Return what each occasion would clash with, by the rules of the list of problems."""
    mine = [each for each in held.values() if each.takes_up_room]
    if not mine:
        return {}
    others = [each for each in facts.load_around(mine, Q()) if each.id not in held]
    accepted = load_accepted_clashes()
    titles = {row.occasion.event_id: row.occasion.event.title for row in plan.rows}
    unnamed = {each.event for each in others} - titles.keys()
    titles |= dict(Event.objects.filter(pk__in=unnamed).values_list("pk", "title"))
    found: dict[int, list[str]] = defaultdict(list)
    changing = {row.occasion.pk for row in plan.changing if row.is_held_otherwise}
    for clash in find_clashes([*mine, *others], accepted):
        touched = [each for each in clash if each.id in changing]
        plan.clashes += bool(touched)
        for each in touched:
            for other in find_overlapping(each, clash)[:MAX_NAMED]:
                times = format_times(other.start, other.end)
                named = {"title": isolate(titles[other.event]), "times": times}
                found[each.id].append(_("Clashes with %(title)s, %(times)s") % named)
    return found


def _describe_hours(rows: list[PlannedRow], held: dict[int, facts.HeldOccasion]) -> dict[int, list[str]]:
    festival = festival_time()
    days = {row.occasion.pk: festival.day_of(row.after.start) for row in rows}
    areas = {row.occasion.event.area_id for row in rows}
    hours = facts.load_opening_hours(AreaDay.objects.filter(area__in=areas, day__date__in=set(days.values())))
    found = {}
    for row in rows:
        key = row.occasion.pk
        open_then = hours.get((row.occasion.event.area_id, days[key]))
        if open_then and is_outside(held[key], festival, days[key], open_then):
            found[key] = [str(describe_hours(open_then))]
    return found
