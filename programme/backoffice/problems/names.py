"""Names that nearly match: two rows of which one is probably the other one, misspelt."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from functools import lru_cache

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from programme.backoffice.problems.facts import Facts
from programme.backoffice.problems.problem import ProblemLink, ProgrammeProblem
from programme.backoffice.problems.texts import TranslatableRow
from programme.exchange.text.spelling import SimilarNames
from programme.models import Area, Location, Organizer, Room, SubArea

NAMED = {Area, SubArea, Location, Room, Organizer}


def find_similar_names(facts: Facts, rows: list[TranslatableRow]) -> Iterator[ProgrammeProblem]:
    """Yield one problem for each two rows: a misspelling and what it is one of, either way round."""
    groups: dict[Hashable, list[TranslatableRow]] = defaultdict(list)
    for row in sorted((row for row in rows if row.model in NAMED), key=lambda row: row.pk):
        groups[row.model, _find_parent(facts, row)].append(row)
    for group in groups.values():
        for number, other in _find_pairs(tuple(row.title for row in group)):
            yield _build_problem(group[number], group[other])


def _find_parent(facts: Facts, row: TranslatableRow) -> int | None:
    """Return where a name has to be the only one of its kind: rooms in a location, sub areas in an area."""
    if row.model is Room:
        return facts.rooms[row.pk].location
    return row.area if row.model is SubArea else None


# After an edit nearly all groups have the names that they had; rooms are a group for each location.
@lru_cache(maxsize=1024)
def _find_pairs(names: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return the places of each two names, the later one first."""
    similar, pairs = SimilarNames(), []
    places: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        pairs += [(place, other) for found in similar.find(name) for other in places[found]]
        if name not in places:
            similar.add(name)
        places[name].append(place)
    return pairs


def _build_problem(row: TranslatableRow, other: TranslatableRow) -> ProgrammeProblem:
    model = row.model._meta.model_name or ""
    return ProgrammeProblem(
        title=row.title,
        detail=format_lazy("{} · {}", row.model._meta.verbose_name, _("nearly the same name")),
        links=tuple(
            ProblemLink(each.title, model, each.pk, "name", facts=(each.title,)) for each in (row, other)
        ),
        areas=frozenset(each.area for each in (row, other) if each.area is not None),
    )
