"""What finds places that lack coordinates, all in one problem."""

from collections import defaultdict

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from programme.backoffice.problems.facts import Facts, HeldOccasion
from programme.backoffice.problems.finders import Found
from programme.backoffice.problems.problem import ProblemLink, ProgrammeProblem, StrOrPromise

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
