"""The survey of all problems, cached until the programme is edited."""

from functools import lru_cache

from django.db import connection
from django.http import HttpRequest

from feeds.festival_time import FestivalTime
from feeds.vocabulary import Revision
from programme.backoffice.problems.registry import Survey, build_survey
from programme.backoffice.rights import rights_of
from programme.models.festival_time import festival_time
from programme.publishing import loading


def get_survey() -> Survey:
    """Return the current survey, in one query as long as nothing is edited.

    Inside a transaction it is built each time: what may be rolled back is not cached.
    """
    if connection.in_atomic_block:
        return build_survey(festival_time())
    # Read before the programme: an edit in between is surveyed now, and once more next time.
    return _survey_revision(loading.fetch_revision(), festival_time())


@lru_cache(maxsize=1)
def _survey_revision(_revision: Revision, festival: FestivalTime) -> Survey:
    with loading.consistent_read():
        return build_survey(festival)


clear_cache = _survey_revision.cache_clear


def may_view_survey(request: HttpRequest) -> bool:
    return any(request.user.has_perm(f"programme.{verb}_event") for verb in ("view", "change"))


def get_survey_for(request: HttpRequest) -> Survey:
    """Return the problems that concern the user: all, or those of the user's own areas."""
    areas = rights_of(request.user).areas
    return get_survey() if areas is None else get_survey().of_areas(areas)
