"""What to look at in a plan: clashes, opening hours, and what leaves its festival day."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from feeds.wording import isolate
from programme.backoffice.forms.doubts import KnownDays
from programme.backoffice.problems.finders import DOUBLE_BOOKED, KINDS, OUTSIDE_HOURS
from programme.backoffice.problems.warnings import MAX_CLASHES, find_open
from programme.backoffice.programme import load_around
from programme.changes.change import Change, Plan
from programme.changes.difference import format_times
from programme.models import Occasion
from programme.models.dates import format_day, format_instant
from programme.models.festival_time import festival_time


def add_warnings(plan: Plan, instant: datetime) -> None:
    """Give occasions that are held otherwise their warnings, and count their clashes, in six queries."""
    if not plan.written:
        return
    keys = {each.key for each in plan.written}
    problems = _describe_problems(plan, [each.row for each in plan.changes], keys)
    known = KnownDays.load(instant, ~Q(pk__in=keys))
    for each in plan.written:
        each.warnings += [*_describe_day(each, known), *problems[each.key]]


def _describe_day(change: Change, known: KnownDays) -> Iterator[str]:
    festival = festival_time()
    before, after = (festival.day_of((side or {})["start"]) for side in (change.before, change.after))
    if before != after:
        yield _("Another festival day: %(day)s") % {"day": format_day(after)}
        if question := known.question(change.row):
            yield question


def warn_of_occasions(plan: Plan, instant: datetime) -> None:
    """Give events that are to be published what is wrong with their occasions that are not over."""
    events = {each.key: each for each in plan.done}
    held = list(Occasion.objects.filter(event__in=events, end__gt=instant).order_by("start", "pk"))
    problems = _describe_problems(plan, held, {each.pk for each in held})
    for each in held:
        said = (f"{format_instant(each.start)}: {text}" for text in problems[each.pk])
        events[each.event_id].warnings.extend(said)


def _describe_problems(plan: Plan, rows: list[Occasion], changing: set[Any]) -> dict[Any, list[str]]:
    """Return what each occasion would clash with and be outside of, by the rules of the list of problems."""
    programme = load_around(rows)
    found: dict[Any, list[str]] = defaultdict(list)
    count = 0
    for problem in find_open(programme, KINDS[DOUBLE_BOOKED], KINDS[OUTSIDE_HOURS]):
        touched = [link for link in problem.links if link.pk in changing]
        is_clash = len(problem.links) > 1
        count += is_clash and bool(touched)
        for link in touched:
            for title, times in problem.find_overlapping(link.pk)[:MAX_CLASHES]:
                named = {"title": isolate(title), "times": format_times(*times)}
                found[link.pk].append(_("Clashes with %(title)s, %(times)s") % named)
            if not is_clash:
                found[link.pk].append(str(problem.detail))
    if count:
        plan.warnings.append(ngettext("%(count)d clash", "%(count)d clashes", count) % {"count": count})
    return found
