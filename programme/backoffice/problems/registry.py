"""The kinds of problems, worst first, and the survey of all of them."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from feeds.festival_time import FestivalTime
from programme.backoffice.problems import clashes, gaps, names, revised_texts, texts, times
from programme.backoffice.problems.accepted import Accepted
from programme.backoffice.problems.facts import Facts, load_facts
from programme.backoffice.problems.problem import ProgrammeProblem, RowName, Severity, StrOrPromise
from programme.backoffice.problems.texts import TranslatableRow


class Scope(Enum):
    """What a problem of a kind follows from, and is to be looked for in when anything of it changes."""

    # An event with its occasions, or another row that has texts.
    ROW = auto()
    ROOM = auto()
    PROGRAMME = auto()


@dataclass(frozen=True)
class ProblemKind:
    """A kind of problem: what it is called, why it matters, and what finds those there are."""

    key: str
    severity: Severity
    label: StrOrPromise
    why: StrOrPromise
    find: Callable[[Facts, list[TranslatableRow]], Iterator[ProgrammeProblem]]
    scope: Scope = Scope.ROW
    # The reason why one of them is none, where it is always the same.
    answer: StrOrPromise = ""


KINDS = [
    ProblemKind(
        clashes.KIND,
        Severity.WRONG,
        _("Double-booked rooms"),
        _("Move one, or mark the room as open to several at once."),
        lambda known, _rows: times.find_double_bookings(known),
        Scope.ROOM,
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
        "similar-names",
        Severity.CHECK,
        _("Names that nearly match"),
        _("Readers who choose one of them miss what the other one has."),
        names.find_similar_names,
        Scope.PROGRAMME,
    ),
    ProblemKind(
        "one-language",
        Severity.CHECK,
        _("Changed in one language only"),
        _("The other language was changed later. Is this one still right?"),
        revised_texts.find_outdated_texts,
        answer=_("Still right"),
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
        Scope.PROGRAMME,
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
    # The latest version of each model that has texts.
    versions: Mapping[Any, int | None]

    def only(self, choose: Callable[[ProgrammeProblem], object]) -> "Survey":
        chosen = [
            FoundProblems(each.kind, [one for one in each.problems if choose(one)]) for each in self.found
        ]
        return replace(self, found=chosen)

    def split(self, accepted: Accepted) -> tuple["Survey", "Survey"]:
        """Return what was not accepted and what was, each a survey."""
        divided = [(each, accepted.split(each.kind.key, each.problems, self.facts)) for each in self.found]
        left, done = ([FoundProblems(each.kind, split[part]) for each, split in divided] for part in (0, 1))
        return replace(self, found=left), replace(self, found=done)

    def of_areas(self, areas: Iterable[int]) -> "Survey":
        mine = frozenset(areas)
        texts = [row for row in self.texts if row.area in mine]
        return replace(self.only(lambda problem: problem.areas & mine), texts=texts)

    @property
    def count(self) -> int:
        return sum(len(each.problems) for each in self.found)


class Part(NamedTuple):
    """What a kind of problem is looked for in, and the rows whose problems of before go; None for all."""

    facts: Facts
    texts: list[TranslatableRow]
    replaced: Container[RowName] | None = None


def build_survey(festival: FestivalTime) -> Survey:
    """Survey the programme in 16 queries: five for facts, nine for texts, two for their history."""
    versions, rows = revised_texts.load_versions(), revised_texts.load_text_rows(dict.fromkeys(texts.TITLES))
    facts = load_facts(festival)
    found = [find_problems(FoundProblems(kind, []), Part(facts, rows)) for kind in KINDS]
    return Survey(found, facts, rows, versions)


def find_problems(before: FoundProblems, part: Part) -> FoundProblems:
    """Return what is found of a kind, and what of before is not replaced."""
    gone, kind = part.replaced, before.kind
    kept = [] if gone is None else [each for each in before.problems if each.links[0].row not in gone]
    found = kind.find(part.facts, part.texts)
    return FoundProblems(kind, sorted([*kept, *found], key=lambda each: each.order))
