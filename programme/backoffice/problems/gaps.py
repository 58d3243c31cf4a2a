"""Problems of events that lack something, or have what does not belong to them."""

from collections.abc import Iterator
from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from programme.backoffice.problems.facts import EventFacts, Facts, FestivalFacts
from programme.backoffice.problems.problem import ProblemLink, ProgrammeProblem, StrOrPromise


def find_wrong_sub_areas(facts: Facts) -> Iterator[ProgrammeProblem]:
    for event in facts.events.values():
        if event.sub_area_in not in {None, event.area}:
            detail = format_lazy(
                _("{sub_area} is in {area}"), sub_area=event.sub_area, area=event.sub_area_in_name
            )
            what = (event.area, event.sub_area_in, event.sub_area)
            yield _build_problem(facts, event, detail, "sub_area", *what)


def find_missing_occasions(facts: Facts) -> Iterator[ProgrammeProblem]:
    for event in facts.events.values():
        if event.id not in facts.occasions_by_event and not event.cancelled:
            detail = _("Readers do not see it.")
            yield _build_problem(facts, event, detail, "occasions-0-day", event.status)


def find_missing_locations(facts: Facts) -> Iterator[ProgrammeProblem]:
    for event in facts.events.values():
        occasions = [each for each in facts.occasions_by_event.get(event.id, []) if not each.cancelled]
        unplaced = [each for each in occasions if not each.has_location]
        lacks_occasions = event.id not in facts.occasions_by_event and not event.cancelled
        if unplaced or (lacks_occasions and not event.has_location):
            detail = _("Neither the event nor its occasion says where.")
            what = sorted(each.id for each in unplaced)
            yield _build_problem(facts, event, detail, "location", *what)


def find_missing_captions(facts: Facts) -> Iterator[ProgrammeProblem]:
    for event in facts.events.values():
        if event.uncaptioned:
            detail = _("Say what it shows, and who took it.")
            yield _build_problem(facts, event, detail, "image_caption", event.uncaptioned)


def find_missing_towns(facts: Facts) -> Iterator[ProgrammeProblem]:
    for festival in facts.festivals:
        if not (festival.town and festival.country):
            field, what = _first_missing(festival), (festival.town, festival.country)
            yield ProgrammeProblem(
                title=festival.name,
                detail=_("Say in which town and country it is."),
                links=(ProblemLink(festival.name, "festival", festival.id, field, facts=what),),
            )


def _first_missing(festival: FestivalFacts) -> str:
    return "country" if festival.town else "town"


def _build_problem(
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
