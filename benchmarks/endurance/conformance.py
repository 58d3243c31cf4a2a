"""Valid and invalid requests that schemathesis derives from the API's schema, and checks of the answers."""

import time
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.core.failures import FailureGroup
from schemathesis.core.transport import Response

from benchmarks.endurance.interface import build_schema

# An interval of days; its end is not before its beginning.
_days = st.tuples(st.dates(), st.dates()).map(lambda pair: "/".join(map(str, sorted(pair))))
schemathesis.openapi.format("days", _days)

# Takes the case, the answer, the seconds, and the faults.
Record = Callable[[Case, Response, float, list[str]], None]


def explore(
    examples: int,
    record: Record,
    *,
    app: Any = None,
    base_url: str | None = None,
    occasions: Sequence[int] = (),
) -> None:
    """Send as many valid as invalid requests, the same each time, to an application or a server."""
    # schemathesis does not decode the answers of an application.
    headers = {"Accept-Encoding": "identity"} if app else None
    for mode in GenerationMode:
        schema = schemathesis.openapi.from_dict(build_schema(headers=mode.is_positive, occasions=occasions))
        schema.app = app

        @settings(
            max_examples=examples,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=schema.as_strategy(generation_mode=mode))
        def ask(case: Case) -> None:
            started_at = time.perf_counter()
            response = case.call(base_url=base_url, headers=headers)
            record(case, response, time.perf_counter() - started_at, _find_faults(case, response))

        ask()


def _find_faults(case: Case, response: Response) -> list[str]:
    # A list that is wrong by its type (`[null]`) can be right once it is written as text (`date=`), so a
    # request that was meant to be wrong may be accepted.
    excluded = [schemathesis.checks.negative_data_rejection]
    used = (case.query or {}).keys() & {"limit", "offset", "modified_since", "date"}
    alone = used > {"modified_since"} or (used >= {"offset"} and "limit" not in used)
    if response.status_code == HTTPStatus.GONE or alone:
        # The request is right: it is the occasion that is not there any more. Or each parameter is right, and
        # they do not go together, which the description cannot say.
        excluded.append(schemathesis.checks.positive_data_acceptance)
    try:
        case.validate_response(response, excluded_checks=excluded)
    except FailureGroup as failed:
        return [f"{type(each).__name__}: {each}" for each in failed.exceptions]
    return []
