"""The survey of all problems, cached until the programme is edited."""

from django.db import connection
from django.http import HttpRequest

from feeds.festival_time import FestivalTime
from programme.backoffice.problems.registry import Survey, build_survey
from programme.backoffice.rights import rights_of
from programme.models.festival_time import festival_time
from programme.publishing import loading

_Key = tuple[object, FestivalTime]


class _SurveyCache:
    """The last survey with its key: the programme is surveyed once for each revision."""

    def __init__(self) -> None:
        self._last: tuple[_Key, Survey] | None = None

    def survey(self) -> Survey:
        """Return the current survey, in one query as long as nothing is edited.

        Inside a transaction it is built each time: what may be rolled back is not cached.
        """
        if connection.in_atomic_block:
            return build_survey(festival_time())
        # Read before the programme: an edit in between is surveyed now, and once more next time.
        key = (loading.fetch_revision(), festival_time())
        last = self._last
        if last is None or last[0] != key:
            with loading.consistent_read():
                self._last = last = (key, build_survey(key[1]))
        return last[1]

    def forget(self) -> None:
        self._last = None


_cache = _SurveyCache()
get_survey, clear_cache = _cache.survey, _cache.forget


def may_view_survey(request: HttpRequest) -> bool:
    return any(request.user.has_perm(f"programme.{verb}_event") for verb in ("view", "change"))


def get_survey_for(request: HttpRequest) -> Survey:
    """Return the problems that concern the user: all, or those of the user's own areas."""
    areas = rights_of(request.user).areas
    return get_survey() if areas is None else get_survey().of_areas(areas)
