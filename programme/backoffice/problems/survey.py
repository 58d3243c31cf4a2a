"""The survey of all problems, worst first: made once, and kept until the programme is edited."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import groupby

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from programme.backoffice.editions import EVERYTHING, Scope, get_scope
from programme.backoffice.problems.accepted import load_accepted
from programme.backoffice.problems.finders import KINDS, OUTSIDE_EDITIONS
from programme.backoffice.problems.problem import ProblemKind, ProgrammeProblem
from programme.backoffice.programme import EditorProgramme, load_programme
from programme.changes.rights import rights_of
from programme.publishing.revision_cache import RevisionCache


@dataclass(frozen=True)
class Survey:
    """All problems by kind, worst first, with the programme they were found in."""

    problems: list[ProgrammeProblem]
    programme: EditorProgramme
    scope: Scope = EVERYTHING

    @cached_property
    def seen(self) -> EditorProgramme:
        """The programme that the user works with; problems may be about more."""
        return self.programme.within(self.scope)

    @property
    def by_kind(self) -> list[tuple[ProblemKind, list[ProgrammeProblem]]]:
        return [(kind, [*found]) for kind, found in groupby(self.problems, lambda one: one.kind)]

    def only(self, choose: Callable[[ProgrammeProblem], object]) -> "Survey":
        return replace(self, problems=[*filter(choose, self.problems)])

    def at(self, instant: datetime) -> "Survey":
        return replace(self, problems=[one.coming(instant) for one in self.problems])

    def of_areas(self, areas: Iterable[int]) -> "Survey":
        mine = frozenset(areas)
        return self.only(lambda problem: problem.areas & mine)

    def within(self, scope: Scope) -> "Survey":
        """Return the problems of what a user works with, and of all that is outside all editions."""
        survey, outside = replace(self, scope=scope), KINDS[OUTSIDE_EDITIONS]
        rows: dict[str, Collection[int]] = {"event": survey.seen.events, "occasion": survey.seen.occasions}
        return survey.only(
            lambda one: (
                one.kind is outside or any(each.pk in rows.get(each.model, {each.pk}) for each in one.links)
            )
        )


def build_survey() -> Survey:
    programme = load_programme()
    return Survey([one for kind in KINDS.values() for one in kind.examine(programme)], programme)


surveys = RevisionCache(build_survey)
get_survey = surveys.get


def may_view_survey(request: HttpRequest) -> bool:
    return any(request.user.has_perm(f"programme.{verb}_event") for verb in ("view", "change"))


def require_survey(request: HttpRequest) -> None:
    if not may_view_survey(request):
        raise PermissionDenied


def get_surveys_for(request: HttpRequest) -> tuple[Survey, Survey]:
    """Return the problems that concern the user, all or those of the user's own areas, and the accepted ones.

    One query more than the survey: what is accepted moves no revision.
    """
    areas, found = rights_of(request.user).areas, get_survey()
    if found.programme.editions:
        found = found.within(get_scope(request))
    if areas is not None:
        found = found.of_areas(areas)
    left, done = (replace(found, problems=each) for each in load_accepted().split(found.problems))
    return left, done
