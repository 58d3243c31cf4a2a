"""Problems of what an event lacks, or has that does not belong to it."""

from collections.abc import Iterator

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from programme.backoffice.problems.facts import EventFacts, Facts
from programme.backoffice.problems.problem import Problem, ProblemLink, Text


def find_wrong_sub_areas(facts: Facts) -> Iterator[Problem]:
    for event in facts.events.values():
        if event.sub_area_in not in {None, event.area}:
            detail = format_lazy(
                _("{sub_area} is in {area}"), sub_area=event.sub_area, area=event.sub_area_in_name
            )
            yield _build_problem(facts, event, detail, "sub_area")


def find_missing_occasions(facts: Facts) -> Iterator[Problem]:
    for event in facts.events.values():
        if event.id not in facts.held and not event.cancelled:
            yield _build_problem(facts, event, _("Readers do not see it."), "occasions-0-day")


def find_missing_locations(facts: Facts) -> Iterator[Problem]:
    for event in facts.events.values():
        occasions = [each for each in facts.held.get(event.id, []) if not each.cancelled]
        homeless = [each for each in occasions if not each.placed]
        if homeless or (not event.placed and event.id not in facts.held and not event.cancelled):
            yield _build_problem(
                facts, event, _("Neither the event nor its occasion says where."), "location"
            )


def find_missing_captions(facts: Facts) -> Iterator[Problem]:
    for event in facts.events.values():
        if event.captionless:
            detail = _("Say what it shows, and who took it.")
            yield _build_problem(facts, event, detail, "image_caption")


def _build_problem(facts: Facts, event: EventFacts, detail: Text, field: str) -> Problem:
    return Problem(
        title=event.title,
        detail=detail,
        mendings=(ProblemLink(event.title, "event", event.id, field),),
        areas=frozenset({event.area}),
        draft=event.draft,
        until=facts.until(event.id),
    )
