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
from programme.backoffice.problems.finders import DOUBLE_BOOKED, KINDS, OUTSIDE_HOURS
from programme.backoffice.problems.warnings import find_open
from programme.backoffice.programme import load_around
from programme.models.festival_time import festival_time

# So many of what an occasion clashes with are named.
MAX_NAMED = 3


def add_warnings(plan: Plan, instant: datetime) -> None:
    """Give the rows that change their warnings, and count their clashes, in six queries at most."""
    touched = [row for row in plan.changing if row.is_held_otherwise]
    if not touched:
        return
    problems = _describe_problems(plan, {row.occasion.pk for row in touched})
    known = KnownDays.load(instant, ~Q(pk__in=[row.occasion.pk for row in touched]))
    for row in touched:
        row.warnings = [*_describe_day(row, known), *problems[row.occasion.pk]]


def _describe_day(row: PlannedRow, known: KnownDays) -> Iterator[str]:
    festival = festival_time()
    before, after = festival.day_of(row.occasion.start), festival.day_of(row.after.start)
    if before != after:
        yield _("Another festival day: %(day)s") % {"day": format_day(after)}
        if question := known.question(row.after):
            yield question


def _describe_problems(plan: Plan, changing: set[int]) -> dict[int, list[str]]:
    """Return what each occasion would clash with and be outside of, by the rules of the list of problems."""
    programme = load_around([row.after for row in plan.rows])
    found: dict[int, list[str]] = defaultdict(list)
    for problem in find_open(programme, KINDS[DOUBLE_BOOKED], KINDS[OUTSIDE_HOURS]):
        touched = [link for link in problem.links if link.pk in changing]
        is_clash = len(problem.links) > 1
        plan.clashes += is_clash and bool(touched)
        for link in touched:
            for title, times in problem.find_overlapping(link.pk)[:MAX_NAMED]:
                named = {"title": isolate(title), "times": format_times(*times)}
                found[link.pk].append(_("Clashes with %(title)s, %(times)s") % named)
            if not is_clash:
                found[link.pk].append(str(problem.detail))
    return found
