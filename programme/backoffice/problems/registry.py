"""The kinds of problems, worst first, and the survey of all of them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext_lazy as _

from feeds.festival_time import FestivalTime
from programme.backoffice.problems import gaps, texts, times
from programme.backoffice.problems.facts import Facts, load_facts
from programme.backoffice.problems.problem import ProgrammeProblem, Severity, StrOrPromise
from programme.backoffice.problems.texts import TranslatableRow


@dataclass(frozen=True)
class ProblemKind:
    """A kind of problem: what it is called, why it matters, and what finds those there are."""

    key: str
    severity: Severity
    label: StrOrPromise
    why: StrOrPromise
    find: Callable[[Facts, list[TranslatableRow]], Iterator[ProgrammeProblem]]


KINDS = [
    ProblemKind(
        "double-booked",
        Severity.WRONG,
        _("Double-booked rooms"),
        _("Move one, or mark the room as open to several at once."),
        lambda known, _rows: times.find_double_bookings(known),
    ),
    ProblemKind(
        "sub-area",
        Severity.WRONG,
        _("Sub area under another area"),
        _("Readers of one area would miss it, or find it where it is not."),
        lambda known, _rows: gaps.find_wrong_sub_areas(known),
    ),
    ProblemKind(
        "end-before-start",
        Severity.CHECK,
        _("End before start?"),
        _("An end at or before the start counts as the next day."),
        lambda known, _rows: times.find_reversed_times(known),
    ),
    ProblemKind(
        "outside-hours",
        Severity.CHECK,
        _("Outside opening hours"),
        _("Change the occasion, or the hours of the area that day."),
        lambda known, _rows: times.find_outside_hours(known),
    ),
    ProblemKind(
        "no-occasion",
        Severity.CHECK,
        _("No occasion"),
        _("Readers do not see an event before it has an occasion."),
        lambda known, _rows: gaps.find_missing_occasions(known),
    ),
    ProblemKind(
        "no-location",
        Severity.CHECK,
        _("No location"),
        _("Readers cannot tell where to go."),
        lambda known, _rows: gaps.find_missing_locations(known),
    ),
    ProblemKind(
        "no-swedish",
        Severity.INCOMPLETE,
        _("Missing in Swedish"),
        _("Swedish readers get the English text."),
        lambda known, rows: texts.find_missing_texts(known, rows, "sv"),
    ),
    ProblemKind(
        "no-english",
        Severity.INCOMPLETE,
        _("Missing in English"),
        _("English readers get the Swedish text."),
        lambda known, rows: texts.find_missing_texts(known, rows, "en"),
    ),
    ProblemKind(
        "no-caption",
        Severity.INCOMPLETE,
        _("Image without a caption"),
        _("Those who do not see the image get to know nothing about it."),
        lambda known, _rows: gaps.find_missing_captions(known),
    ),
    ProblemKind(
        "no-town",
        Severity.INCOMPLETE,
        _("No town or country"),
        _("Search engines want both in the address of every occasion, or they show none."),
        lambda known, _rows: gaps.find_missing_towns(known),
    ),
]


@dataclass(frozen=True)
class FoundProblems:
    """The problems of one kind, in order."""

    kind: ProblemKind
    problems: list[ProgrammeProblem]


@dataclass(frozen=True)
class Survey:
    """All problems by kind, worst first, with the facts they were found in."""

    found: list[FoundProblems]
    facts: Facts
    texts: list[TranslatableRow]

    def only(self, choose: Callable[[ProgrammeProblem], object]) -> "Survey":
        chosen = [
            FoundProblems(each.kind, [one for one in each.problems if choose(one)]) for each in self.found
        ]
        return replace(self, found=chosen)

    def of_areas(self, areas: Iterable[int]) -> "Survey":
        mine = frozenset(areas)
        texts = [row for row in self.texts if row.area in mine]
        return replace(self.only(lambda problem: problem.areas & mine), texts=texts)

    @property
    def count(self) -> int:
        return sum(len(each.problems) for each in self.found)


def build_survey(festival: FestivalTime) -> Survey:
    """Survey the programme in 14 queries: five for facts, nine for texts."""
    known, rows = load_facts(festival), texts.load_translatable_rows()
    found = [
        FoundProblems(kind, sorted(kind.find(known, rows), key=lambda each: each.order)) for kind in KINDS
    ]
    return Survey(found, known, rows)
