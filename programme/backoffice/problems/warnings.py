"""The problems of a part of the programme: warnings about an event in its form and after it is saved."""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from feeds.wording import isolate
from programme.backoffice.problems.accepted import load_accepted
from programme.backoffice.problems.finders import KINDS
from programme.backoffice.problems.problem import ProblemKind, ProgrammeProblem, StrOrPromise, TimeRange
from programme.backoffice.programme import EditorProgramme, load_around
from programme.changes.difference import format_times
from programme.models import Event, Occasion

# So many other occasions in the room are named.
MAX_CLASHES = 3


class EventWarning(NamedTuple):
    """Something to look at: the field's name, of a row where it is one's, what it is, and when that is."""

    row: int | None
    field: str
    text: StrOrPromise
    span: TimeRange | None = None

    def __str__(self) -> str:
        return f"{self.text}, {format_times(*self.span)}" if self.span else str(self.text)


def find_open(programme: EditorProgramme, *kinds: ProblemKind) -> list[ProgrammeProblem]:
    """Return the problems of some kinds that were not accepted, in one query."""
    return load_accepted().split(one for kind in kinds for one in kind.examine(programme))[0]


def find_warnings(event: Event, occasions: list[Occasion]) -> list[EventWarning]:
    """Return the warnings about a stored event and its occasions with their values in memory, in six queries.

    `row` is the occasion's place in the list. What was accepted is none.
    """
    programme = load_around(occasions, event.pk)
    places: dict[tuple[str, int], int | None] = {("event", event.pk): None}
    places |= {("occasion", each.pk): number for number, each in enumerate(occasions)}
    told = (kind for kind in KINDS.values() if kind.told)
    found = [warned for one in find_open(programme, *told) for warned in _describe(one, places)]
    # Rows first: times and rooms are the most urgent.
    return sorted(found, key=lambda warned: (warned.row is None, warned.row or 0))


def _describe(problem: ProgrammeProblem, places: dict[tuple[str, int], int | None]) -> Iterator[EventWarning]:
    for link in problem.links:
        place = places.get((link.model, link.pk), -1)
        if place is None:
            # Of missing texts each is told beside its field.
            for field in link.facts if link.field in link.facts else [link.field]:
                yield EventWarning(None, field, problem.kind.label)
        elif place >= 0 and len(problem.links) == 1:
            yield EventWarning(place, link.field, problem.detail)
        elif place >= 0:
            for title, times in problem.find_overlapping(link.pk)[:MAX_CLASHES]:
                names = {"place": problem.title, "event": isolate(title)}
                text = format_lazy(_("{place} is taken then: {event}"), **names)
                yield EventWarning(place, link.field, text, times)
