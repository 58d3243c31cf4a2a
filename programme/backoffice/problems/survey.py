"""The survey of all problems, worst first: made once, and kept until the programme is edited."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import HttpRequest
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import FestivalTime
from feeds.vocabulary import Revision
from programme.backoffice.editions import EVERYTHING, Scope, get_scope, list_scopes
from programme.backoffice.problems import clashes, finders, places, stated
from programme.backoffice.problems.accepted import Accepted, load_accepted
from programme.backoffice.problems.facts import Facts, load_facts
from programme.backoffice.problems.problem import ProgrammeProblem, Severity, StrOrPromise
from programme.changes.rights import rights_of
from programme.models.facts import localize_later
from programme.models.festival_time import festival_time
from programme.publishing import loading

# What needs a request to be found.
OUTSIDE_EDITIONS, OUTSIDE_FESTIVAL = "no-edition", "no-festival"


@dataclass(frozen=True)
class ProblemKind:
    """A kind of problem: what it is called, why it matters, and what finds those there are."""

    severity: Severity
    key: str
    label: StrOrPromise
    why: StrOrPromise
    find: Callable[[Facts], Iterator[ProgrammeProblem]]

    def examine(self, facts: Facts) -> "FoundProblems":
        return FoundProblems(self, sorted(self.find(facts), key=lambda each: each.order))


_wrong, _check, _incomplete = (partial(ProblemKind, severity) for severity in Severity)
KINDS = [
    _wrong(
        clashes.KIND,
        _("Double-booked places"),
        _("Move one, or mark the place as open to several at once."),
        finders.find_double_bookings,
    ),
    _wrong(
        "sub-area",
        _("Sub area under another area"),
        _("Readers of one area would miss it, or find it where it is not."),
        finders.find_wrong_sub_areas,
    ),
    _wrong(
        OUTSIDE_EDITIONS,
        _("Outside all editions"),
        _("Readers do not see it: it is published, but on a day of no edition."),
        finders.find_outside_editions,
    ),
    _check(
        OUTSIDE_FESTIVAL,
        _("Outside the festival’s days"),
        _("Nearly everything else is on other days, and readers see this one among them."),
        finders.find_outside_festival,
    ),
    _check(
        "end-before-start",
        _("End before start?"),
        _("An end at or before the start counts as the next day."),
        finders.find_reversed_times,
    ),
    _check(
        "outside-hours",
        _("Outside opening hours"),
        _("Change the occasion, or the hours of the area that day."),
        finders.find_outside_hours,
    ),
    _check(
        "no-occasion",
        _("No occasion"),
        _("Readers do not see an event before it has an occasion."),
        finders.find_missing_occasions,
    ),
    _check(
        "no-location",
        _("No location"),
        _("Readers cannot tell where to go."),
        finders.find_missing_locations,
    ),
    _check(
        stated.LINKLESS,
        _("No booking link"),
        _("Readers cannot book what they are told to book."),
        stated.find_missing_links,
    ),
    _check(
        stated.CONTRADICTED,
        _("Price and free admission contradict"),
        _("Readers look for what is free, and find something else."),
        stated.find_contradicted_prices,
    ),
    _incomplete(
        "no-swedish",
        _("Missing in Swedish"),
        _("Swedish readers get the English text."),
        partial(finders.find_missing_texts, language="sv"),
    ),
    _incomplete(
        "no-english",
        _("Missing in English"),
        _("English readers get the Swedish text."),
        partial(finders.find_missing_texts, language="en"),
    ),
    _incomplete(
        "no-coordinates",
        _("Places without coordinates"),
        _("Readers get no link to a map, and no way there in their calendars."),
        places.find_missing_coordinates,
    ),
    *(
        _incomplete(
            f"no-{fact.name}",
            format_lazy(_("Places without: {fact}"), fact=localize_later(fact.title)),
            _("Readers who need it cannot tell whether they can come."),
            partial(stated.find_unknown, fact=fact),
        )
        for fact in stated.OF_PLACES
    ),
]


class FoundProblems(NamedTuple):
    kind: ProblemKind
    problems: list[ProgrammeProblem]


@dataclass(frozen=True)
class Survey:
    """All problems by kind, worst first, with the facts they were found in."""

    found: list[FoundProblems]
    facts: Facts
    scope: Scope = EVERYTHING

    @cached_property
    def seen(self) -> Facts:
        """The facts that the user works with; problems may be about others, too."""
        return self.facts.within(self.scope)

    def only(self, choose: Callable[[ProgrammeProblem], object]) -> "Survey":
        chosen = [FoundProblems(kind, [one for one in found if choose(one)]) for kind, found in self.found]
        return replace(self, found=chosen)

    def split(self, accepted: Accepted) -> tuple["Survey", "Survey"]:
        """Return what was not accepted and what was, each a survey."""
        divided = [(kind, accepted.split(kind.key, found)) for kind, found in self.found]
        left, done = ([FoundProblems(kind, split[part]) for kind, split in divided] for part in (0, 1))
        return replace(self, found=left), replace(self, found=done)

    def of_areas(self, areas: Iterable[int]) -> "Survey":
        mine = frozenset(areas)
        return self.only(lambda problem: problem.areas & mine)

    def within(self, scope: Scope, outside: Scope) -> "Survey":
        """Return the problems of what a user works with, and of all that is outside all editions."""
        survey = replace(self, scope=scope, facts=replace(self.facts, outside=outside))
        rows: dict[str, Collection[int]] = {"event": survey.seen.events, "occasion": survey.seen.occasions}
        left = survey.only(lambda one: any(each.pk in rows.get(each.model, {each.pk}) for each in one.links))
        found = [
            each.kind.examine(left.facts) if each.kind.key in {OUTSIDE_EDITIONS, OUTSIDE_FESTIVAL} else each
            for each in left.found
        ]
        return replace(left, found=found)

    @property
    def count(self) -> int:
        return sum(len(each.problems) for each in self.found)


def build_survey(festival: FestivalTime) -> Survey:
    facts = load_facts(festival)
    return Survey([kind.examine(facts) for kind in KINDS], facts)


class SurveyCache:
    def __init__(self) -> None:
        self._latest: tuple[Revision, Survey] | None = None

    def clear(self) -> None:
        self._latest = None

    def get(self) -> Survey:
        """Return the current survey, in one query as long as nothing is edited."""
        festival, kept = festival_time(), self._latest
        if kept and kept[1].facts.festival == festival and kept[0] == loading.fetch_revision():
            return kept[1]
        with loading.consistent_read():
            revision, survey = loading.fetch_revision(), build_survey(festival)
        # What may be rolled back is not kept.
        if not connection.in_atomic_block:
            self._latest = revision, survey
        return survey


surveys = SurveyCache()
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
    *scopes, last = list_scopes(request)
    if scopes:
        found = found.within(get_scope(request), last)
    if areas is not None:
        found = found.of_areas(areas)
    return found.split(load_accepted())
