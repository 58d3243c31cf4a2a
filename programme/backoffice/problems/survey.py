"""The present survey of all problems: kept, and renewed when the programme is edited."""

from typing import NamedTuple

from django.db import connection
from django.http import HttpRequest

from feeds.vocabulary import Revision
from programme.backoffice.problems.accepted import load_accepted
from programme.backoffice.problems.registry import Survey, build_survey
from programme.backoffice.problems.renewal import renew_survey
from programme.backoffice.rights import rights_of
from programme.models.festival_time import festival_time
from programme.publishing import loading
from programme.publishing.change_reader import find_logged


class Surveyed(NamedTuple):
    revision: Revision
    survey: Survey


class SurveyCache:
    """The latest survey, of which each edit changes what it concerns."""

    def __init__(self) -> None:
        self._latest: Surveyed | None = None

    def clear(self) -> None:
        self._latest = None

    def get(self) -> Survey:
        """Return the current survey, in one query as long as nothing is edited."""
        before = self._latest
        if before and before.survey.facts.festival != festival_time():
            before = None
        if before and before.revision == loading.fetch_revision():
            return before.survey
        with loading.consistent_read():
            revision = loading.fetch_revision()
            survey = (before and _renew(before, revision)) or build_survey(festival_time())
        # What may be rolled back is not kept.
        if not connection.in_atomic_block:
            self._latest = Surveyed(revision, survey)
        return survey


def _renew(before: Surveyed, revision: Revision) -> Survey | None:
    logged = find_logged(before.revision, revision)
    return None if logged is None else renew_survey(before.survey, logged)


surveys = SurveyCache()
get_survey = surveys.get


def may_view_survey(request: HttpRequest) -> bool:
    return any(request.user.has_perm(f"programme.{verb}_event") for verb in ("view", "change"))


def get_surveys_for(request: HttpRequest) -> tuple[Survey, Survey]:
    """Return the problems that concern the user, all or those of the user's own areas, and the accepted ones.

    One query more than the survey: what is accepted moves no revision.
    """
    areas = rights_of(request.user).areas
    found = get_survey() if areas is None else get_survey().of_areas(areas)
    return found.split(load_accepted())


def get_survey_for(request: HttpRequest) -> Survey:
    """Return the problems that concern the user and were not accepted: those that are counted."""
    return get_surveys_for(request)[0]
