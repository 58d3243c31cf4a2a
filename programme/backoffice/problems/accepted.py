"""Problems that editors have accepted: which of a survey they are, and who may accept which."""

import datetime as dt
import hashlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from django.apps import apps
from django.db.models import QuerySet

from programme.backoffice.problems import clashes
from programme.backoffice.problems.bookings import build_bookings
from programme.backoffice.problems.clashes import AcceptedClashes, find_clashes
from programme.backoffice.problems.facts import Facts
from programme.backoffice.problems.problem import ProblemLink, ProgrammeProblem
from programme.backoffice.problems.times import build_double_booking
from programme.backoffice.rights import EventState, rights_of
from programme.models import AcceptedProblem, Event, Occasion


class ProblemKey(NamedTuple):
    """What a form sends of a problem: the key of its kind, and its rows."""

    kind: str
    rows: str

    def __str__(self) -> str:
        return f"{self.kind} {self.rows}"

    @classmethod
    def parse(cls, text: str) -> "ProblemKey":
        kind, _space, rows = text.partition(" ")
        return cls(kind, rows)

    @property
    def digest(self) -> str:
        return hashlib.sha256(str(self).encode()).hexdigest()

    def list_rows(self) -> list[tuple[str, int]]:
        """Return model and primary key of each row; raises `ValueError` for what no page has sent."""
        rows = [row.split(":") for row in self.rows.split()]
        return [(model, int(key)) for model, key, _digest in rows]


class Accepted:
    """All problems that were accepted, whether they are there or not."""

    def __init__(self, rows: Iterable[AcceptedProblem]) -> None:
        self._by_key = {ProblemKey(row.kind, row.rows): row for row in rows}
        self._clashes = [row for row in self._by_key.values() if row.kind == clashes.KIND]
        self.clashes = AcceptedClashes(row.rows for row in self._clashes)

    def __contains__(self, key: object) -> bool:
        return key in self._by_key

    def split(
        self, kind: str, problems: list[ProgrammeProblem], facts: Facts
    ) -> tuple[list[ProgrammeProblem], list[ProgrammeProblem]]:
        """Return the problems of a kind that were not accepted, and those that were."""
        if not any(key.kind == kind for key in self._by_key):
            return problems, []
        split = self._split_clash if kind == clashes.KIND else self._split_problem
        divided = [split(kind, problem, facts) for problem in problems]
        return [one for each, _ in divided for one in each], [one for _, each in divided for one in each]

    def _split_problem(
        self, kind: str, problem: ProgrammeProblem, _facts: Facts
    ) -> tuple[list[ProgrammeProblem], list[ProgrammeProblem]]:
        row = self._by_key.get(ProblemKey(kind, problem.rows))
        return ([], [replace(problem, accepted=row)]) if row else ([problem], [])

    def _split_clash(
        self, _kind: str, problem: ProgrammeProblem, facts: Facts
    ) -> tuple[list[ProgrammeProblem], list[ProgrammeProblem]]:
        """Divide a clash: more may be held in the room by now than what was accepted."""
        bookings = list(build_bookings(facts.occasions[link.pk] for link in problem.links))
        groups = {group for booking in bookings for group in self.clashes.find_groups(booking)}
        if not groups:
            return [problem], []
        left = [build_double_booking(facts, each) for each in find_clashes(bookings, self.clashes)]
        return left, [
            replace(build_double_booking(facts, each), accepted=self._clashes[group])
            for group in sorted(groups)
            for each in find_clashes(one for one in bookings if group in self.clashes.find_groups(one))
        ]


def load_accepted(kind: str = "") -> Accepted:
    """Return what was accepted, of all kinds or of one, in one query."""
    rows = AcceptedProblem.objects.order_by("pk")
    return Accepted(rows.filter(kind=kind) if kind else rows)


def load_accepted_clashes() -> AcceptedClashes:
    return load_accepted(clashes.KIND).clashes


def accept(keys: Iterable[ProblemKey], user: Any, reason: str, instant: dt.datetime) -> None:
    """Accept problems in one statement; one that was accepted before keeps its reason."""
    rows = [
        AcceptedProblem(
            kind=key.kind,
            rows=key.rows,
            key=key.digest,
            reason=reason,
            user=user,
            name=user.get_full_name() or user.get_username(),
            accepted_at=instant,
        )
        for key in dict.fromkeys(keys)
    ]
    AcceptedProblem.objects.bulk_create(rows, ignore_conflicts=True)


# --- Rights -----------------------------------------------------------------------------------


def may_accept(user: Any, problem: ProgrammeProblem, facts: Facts) -> bool:
    """Return whether the user may change every row of a problem, without a query."""
    return all(_may_change(user, link, facts) for link in problem.links)


def _may_change(user: Any, link: ProblemLink, facts: Facts) -> bool:
    if link.model not in {"event", "occasion"}:
        return bool(user.has_perm(f"programme.change_{link.model}"))
    event = facts.events[link.pk if link.model == "event" else facts.occasions[link.pk].event]
    model = Event if link.model == "event" else Occasion
    return rights_of(user).can_in_state("change", model, EventState(event.area, event.status))


def may_change_rows(user: Any, keys: Iterable[ProblemKey]) -> bool:
    """Return whether the user may change every row that the keys name, in two queries at most."""
    named: dict[str, set[int]] = {}
    for model, key in (row for each in keys for row in each.list_rows()):
        named.setdefault(model, set()).add(key)
    return all(_may_change_all(user, model, found) for model, found in named.items())


def _may_change_all(user: Any, model: str, keys: set[int]) -> bool:
    if model not in {"event", "occasion"}:
        return bool(user.has_perm(f"programme.change_{model}"))
    rows: QuerySet[Any] = apps.get_model("programme", model).objects.filter(pk__in=keys)
    return rights_of(user).filter_allowed("change", rows).count() == len(keys)
