"""What finds places that lack coordinates, and those that are far from all others."""

from collections import defaultdict

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from programme.backoffice.problems.accepted import ProblemKey, load_accepted
from programme.backoffice.problems.facts import Facts, HeldOccasion
from programme.backoffice.problems.finders import Found
from programme.backoffice.problems.problem import ProblemLink, ProgrammeProblem, StrOrPromise, name_row
from programme.models import Location
from programme.models.coordinates import Coordinates, find_distance
from programme.models.locations import list_coordinates

DISTANT = "far-away"
# Narrows the list of locations to those that `find_missing_coordinates` counts.
LACKING = ("coordinates", "lacking")


def find_missing_coordinates(facts: Facts) -> Found:
    used = find_used(facts)
    lacking = sorted(key for key in used if not facts.locations[key].coordinates)
    if lacking:
        count = {"count": len(lacking), "total": len(used)}
        title = format_lazy(_("{count} of {total} places without coordinates"), **count)
        link = ProblemLink(title, "location", 0, "latitude", facts=tuple(lacking), filter="=".join(LACKING))
        held = [each for key in lacking for each in used[key]]
        yield build_problem(facts, title, _("Paste the address of a map into each."), link, held)


def find_distant_places(facts: Facts) -> Found:
    used = find_used(facts)
    known = {key: at for key in used if (at := facts.locations[key].coordinates)}
    for key, at in known.items():
        others = [each for other, each in known.items() if other != key]
        if distance := find_distance(at, others):
            name = facts.locations[key].name
            yield build_problem(
                facts, name, _describe_distance(distance), _build_link(name, key, at), used[key]
            )


def _describe_distance(distance: int) -> StrOrPromise:
    return format_lazy(_("{distance} km from all other places"), distance=distance)


def warn_of_distance(location: Location) -> StrOrPromise:
    """Return how far a place is from all others, '' if some are near or that was accepted."""
    if location.latitude is None or location.longitude is None or location.online:
        return ""
    at = Coordinates(location.latitude, location.longitude)
    link = _build_link(location.name, location.pk, at)
    distance = find_distance(at, list_coordinates(location.pk))
    if not distance or ProblemKey(DISTANT, name_row(*link.row, *link.facts)) in load_accepted(DISTANT):
        return ""
    return _describe_distance(distance)


def _build_link(name: str, key: int, at: Coordinates) -> ProblemLink:
    return ProblemLink(name, "location", key, "latitude", facts=tuple(f"{degrees:.6f}" for degrees in at))


def find_used(facts: Facts) -> dict[int, list[HeldOccasion]]:
    """Return the locations where something is held, with what that is."""
    used: dict[int, list[HeldOccasion]] = defaultdict(list)
    for each in facts.occasions.values():
        if each.location and not (each.online or each.cancelled):
            used[each.location].append(each)
    return used


def build_problem(
    facts: Facts, title: StrOrPromise, detail: StrOrPromise, link: ProblemLink, held: list[HeldOccasion]
) -> ProgrammeProblem:
    return ProgrammeProblem(
        title=title,
        detail=detail,
        # Of no area: editors of areas cannot change places.
        links=(link,),
        draft=all(facts.events[each.event].draft for each in held),
        until=max(each.end for each in held),
    )
