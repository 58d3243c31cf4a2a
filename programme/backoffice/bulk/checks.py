"""What to look at in a plan: clashes, opening hours, and what leaves its festival day."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from feeds.wording import isolate
from programme.backoffice.bulk.plan import is_held_otherwise, list_changing
from programme.backoffice.dates import format_day, format_times
from programme.backoffice.forms.doubts import KnownDays
from programme.backoffice.problems import facts
from programme.backoffice.problems.accepted import load_accepted_clashes
from programme.backoffice.problems.clashes import find_clashes, find_overlapping
from programme.backoffice.problems.finders import describe_hours, is_outside
from programme.changes.change import Change, Plan
from programme.models import AreaDay, Event, Occasion
from programme.models.festival_time import festival_time

# So many of what an occasion clashes with are named.
MAX_NAMED = 3


def add_warnings(plan: Plan, instant: datetime) -> None:
    """Give the occasions that change their warnings, and count their clashes, in six queries at most."""
    touched = [each for each in list_changing(plan) if is_held_otherwise(each)]
    if not touched:
        return
    rows = [each.row for each in plan.changes if each.model is Occasion]
    held = {each.id: each for each in facts.build_held_occasions(rows)}
    clashes = _describe_clashes(plan, held, {each.key for each in touched})
    outside = _describe_hours(touched, held)
    known = KnownDays.load(instant, ~Q(pk__in=[each.key for each in touched]))
    for each in touched:
        found = (*_describe_day(each, known), *clashes.get(each.key, []), *outside.get(each.key, []))
        each.warnings += found


def _describe_day(change: Change, known: KnownDays) -> Iterator[str]:
    festival = festival_time()
    before, after = (festival.day_of((side or {})["start"]) for side in (change.before, change.after))
    if before != after:
        yield _("Another festival day: %(day)s") % {"day": format_day(after)}
        if question := known.question(change.row):
            yield question


def _describe_clashes(
    plan: Plan, held: dict[int, facts.HeldOccasion], changing: set[int | None]
) -> dict[int | None, list[str]]:
    """Return what each occasion would clash with, by the rules of the list of problems."""
    mine = [each for each in held.values() if each.takes_up_room]
    if not mine:
        return {}
    others = [each for each in facts.load_around(mine, Q()) if each.id not in held]
    accepted = load_accepted_clashes()
    rows = [each.row for each in plan.changes if each.model is Occasion]
    titles = {row.event_id: row.event.title for row in rows}
    unnamed = {each.event for each in others} - titles.keys()
    titles |= dict(Event.objects.filter(pk__in=unnamed).values_list("pk", "title"))
    found: dict[int | None, list[str]] = defaultdict(list)
    count = 0
    for clash in find_clashes([*mine, *others], accepted):
        touched = [each for each in clash if each.id in changing]
        count += bool(touched)
        for each in touched:
            for other in find_overlapping(each, clash)[:MAX_NAMED]:
                times = format_times(other.start, other.end)
                named = {"title": isolate(titles[other.event]), "times": times}
                found[each.id].append(_("Clashes with %(title)s, %(times)s") % named)
    if count:
        plan.warnings.append(ngettext("%(count)d clash", "%(count)d clashes", count) % {"count": count})
    return found


def _describe_hours(
    changes: list[Change], held: dict[int, facts.HeldOccasion]
) -> dict[int | None, list[str]]:
    festival = festival_time()
    days = {each.key: festival.day_of(each.row.start) for each in changes}
    areas = {each.row.event.area_id for each in changes}
    hours = facts.load_opening_hours(AreaDay.objects.filter(area__in=areas, day__date__in=set(days.values())))
    found = {}
    for each in changes:
        open_then = hours.get((each.row.event.area_id, days[each.key]))
        if open_then and is_outside(held[each.row.pk], festival, days[each.key], open_then):
            found[each.key] = [str(describe_hours(open_then))]
    return found
