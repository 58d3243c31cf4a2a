"""Problems that editors have accepted: which of those there are they are, and who may accept which."""

import datetime as dt
import hashlib
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from programme.backoffice.problems.problem import ProgrammeProblem
from programme.changes.rights import EventState, rights_of
from programme.models import AcceptedProblem, Event, Occasion


class Accepted:
    """All problems that were accepted, whether they are there or not."""

    def __init__(self, accepted: Iterable[AcceptedProblem]) -> None:
        self._by_row: dict[tuple[str, str], list[AcceptedProblem]] = defaultdict(list)
        for each in accepted:
            for name in each.rows.split():
                self._by_row[each.kind, name].append(each)

    def split(self, problems: Iterable[ProgrammeProblem]) -> tuple[list[ProgrammeProblem], ...]:
        """Return the problems that were not accepted, and those that were."""
        found = [(one, self._find(one)) for one in problems]
        done = [replace(one, accepted=row) for one, row in found if row]
        return [one for one, row in found if not row], done

    def _find(self, problem: ProgrammeProblem) -> AcceptedProblem | None:
        if not self._by_row:
            return None
        # Of what was accepted together less may be there by now.
        kind, first, *others = problem.key.split()
        rows = self._by_row.get((kind, first), ())
        return next((row for row in rows if {*others}.issubset(row.rows.split())), None)


def load_accepted() -> Accepted:
    """Return all that was accepted, in one query."""
    return Accepted(AcceptedProblem.objects.order_by("pk"))


def accept(problems: Iterable[ProgrammeProblem], user: Any, reason: str, instant: dt.datetime) -> None:
    """Accept problems in one statement; one that was accepted before keeps its reason."""
    rows = [
        AcceptedProblem(
            kind=each.kind.key,
            rows=each.rows,
            key=hashlib.sha256(each.key.encode()).hexdigest(),
            reason=reason,
            user=user,
            name=user.get_full_name() or user.get_username(),
            accepted_at=instant,
        )
        for each in problems
    ]
    AcceptedProblem.objects.bulk_create(rows, ignore_conflicts=True)


def may_accept(user: Any, problem: ProgrammeProblem) -> bool:
    """Return whether the user may change every row of a problem, without a query."""
    rights = rights_of(user)
    for link in problem.links:
        if link.event is None:
            may = user.has_perm(f"programme.change_{link.model}")
        else:
            state = EventState(link.event.area.id, link.event.status)
            may = rights.can_in_state("change", Event if link.model == "event" else Occasion, state)
        if not may:
            return False
    return True
