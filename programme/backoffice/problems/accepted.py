"""Problems that editors have accepted: which of a survey they are, and who may accept which."""

import datetime as dt
import hashlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from programme.backoffice.problems import clashes
from programme.backoffice.problems.clashes import AcceptedClashes
from programme.backoffice.problems.facts import Facts
from programme.backoffice.problems.problem import ProgrammeProblem, RowName
from programme.changes.rights import EventState, rights_of
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

    def list_rows(self) -> list[RowName]:
        """Return model and primary key of each row; raises `ValueError` for what no page has sent."""
        rows = [row.split(":") for row in self.rows.split()]
        return [(model, int(key)) for model, key, _digest in rows]


class Accepted:
    """All problems that were accepted, whether they are there or not."""

    def __init__(self, rows: Iterable[AcceptedProblem]) -> None:
        self._by_key = {ProblemKey(row.kind, row.rows): row for row in rows}
        self._clashes = {
            frozenset(rows.split()): row for (kind, rows), row in self._by_key.items() if kind == clashes.KIND
        }

    def __contains__(self, key: object) -> bool:
        return key in self._by_key

    @property
    def clashes(self) -> AcceptedClashes:
        return self._clashes.keys()

    def split(
        self, kind: str, problems: list[ProgrammeProblem]
    ) -> tuple[list[ProgrammeProblem], list[ProgrammeProblem]]:
        """Return the problems of a kind that were not accepted, and those that were."""
        left, done = [], []
        for problem in problems:
            if row := self._find(kind, problem):
                done.append(replace(problem, accepted=row))
            else:
                left.append(problem)
        return left, done

    def _find(self, kind: str, problem: ProgrammeProblem) -> AcceptedProblem | None:
        if kind != clashes.KIND:
            return self._by_key.get(ProblemKey(kind, problem.rows))
        # Of what was accepted together less may be held by now.
        held = set(problem.rows.split())
        return next((row for names, row in self._clashes.items() if held <= names), None)


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
            key=hashlib.sha256(str(key).encode()).hexdigest(),
            reason=reason,
            user=user,
            name=user.get_full_name() or user.get_username(),
            accepted_at=instant,
        )
        for key in dict.fromkeys(keys)
    ]
    AcceptedProblem.objects.bulk_create(rows, ignore_conflicts=True)


def may_change_rows(user: Any, rows: Iterable[RowName], facts: Facts) -> bool:
    """Return whether the user may change every row of a problem, without a query."""
    return all(_may_change(user, model, key, facts) for model, key in rows)


def _may_change(user: Any, model: str, key: int, facts: Facts) -> bool:
    if model not in {"event", "occasion"}:
        return bool(user.has_perm(f"programme.change_{model}"))
    occasion = facts.occasions.get(key) if model == "occasion" else None
    event = facts.events.get(occasion.event if occasion else key)
    if event is None or (model == "occasion" and occasion is None):
        return False
    rows = Event if model == "event" else Occasion
    return rights_of(user).can_in_state("change", rows, EventState(event.area, event.status))
