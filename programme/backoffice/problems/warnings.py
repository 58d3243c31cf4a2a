"""Warnings about an event in its form and after it is saved."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from django.db.models import Q
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from feeds.wording import isolate
from programme.backoffice.dates import format_times
from programme.backoffice.editions import build_outside
from programme.backoffice.problems import stated
from programme.backoffice.problems.accepted import ProblemKey, load_accepted
from programme.backoffice.problems.clashes import AcceptedClashes, find_overlapping
from programme.backoffice.problems.facts import HeldOccasion, build_facts, build_held_occasions, load_around
from programme.backoffice.problems.problem import ProgrammeProblem, StrOrPromise, TimeRange
from programme.backoffice.problems.survey import KINDS, OUTSIDE_EDITIONS, ProblemKind
from programme.models import Edition, Event, Occasion

# The kinds of problems that are told of one event, beside clashes.
TOLD = {"end-before-start", "outside-hours", "no-location", "no-swedish", "no-english"}
TOLD |= {stated.LINKLESS, stated.CONTRADICTED, OUTSIDE_EDITIONS}
# So many other occasions in the room are named.
MAX_CLASHES = 3


class EventWarning(NamedTuple):
    """Something to look at: the field's name, of a row where it is one's, what it is, and when that is."""

    row: int | None
    field: str
    text: StrOrPromise
    span: TimeRange | None = None
    # What it would be accepted as.
    key: ProblemKey | None = None

    def __str__(self) -> str:
        return f"{self.text}, {format_times(*self.span)}" if self.span else str(self.text)


def find_warnings(event: Event, occasions: list[Occasion]) -> list[EventWarning]:
    """Return the warnings about a stored event and occasions with their values in memory, in eight queries.

    `row` is the occasion's place in the list. What was accepted is none.
    """
    accepted = load_accepted()
    rows = list(build_held_occasions(occasions))
    every = (*_find_clashes(event, occasions, rows, accepted.clashes), *_find_problems(event, rows))
    found = [warned for warned in every if warned.key not in accepted]
    # Rows first: times and rooms are the most urgent.
    return sorted(found, key=lambda warned: (warned.row is None, warned.row or 0))


def _find_problems(event: Event, rows: list[HeldOccasion]) -> Iterator[EventWarning]:
    facts, places = build_facts(event, rows), {row.id: place for place, row in enumerate(rows)}
    if editions := [*Edition.objects.all()]:
        facts = replace(facts, outside=build_outside(editions))
    for kind in KINDS:
        if kind.key in TOLD:
            for problem in kind.find(facts):
                yield from _describe(kind, problem, places)


def _describe(kind: ProblemKind, problem: ProgrammeProblem, places: dict[int, int]) -> Iterator[EventWarning]:
    [link] = problem.links
    key = ProblemKey(kind.key, problem.rows)
    if link.model == "occasion":
        yield EventWarning(places[link.pk], link.field, problem.detail, key=key)
        return
    # Of missing texts each is told beside its field.
    for field in link.facts if link.field in link.facts else [link.field]:
        yield EventWarning(None, field, kind.label, key=key)


def _find_clashes(
    event: Event, occasions: list[Occasion], rows: list[HeldOccasion], accepted: AcceptedClashes
) -> Iterator[EventWarning]:
    mine = [row for row in rows if row.takes_up_room]
    if not mine:
        return
    others = load_around(mine, ~Q(event=event.pk))
    titles = dict(Event.objects.filter(pk__in={each.event for each in others}).values_list("pk", "title"))
    for number, (occasion, row) in enumerate(zip(occasions, rows, strict=True)):
        place = occasion.place_name
        for other in find_overlapping(row, [*others, *mine], accepted)[:MAX_CLASHES]:
            text = format_lazy(
                _("{place} is taken then: {event}"),
                place=place,
                event=isolate(titles.get(other.event, event.title)),
            )
            yield EventWarning(number, "start_time", text, TimeRange(other.start, other.end))
