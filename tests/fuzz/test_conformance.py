"""Requests that schemathesis derives from the API's own description: every response is one that it describes."""

from collections.abc import Sequence
from copy import deepcopy
from http import HTTPStatus
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.core.failures import FailureGroup
from schemathesis.core.transport import Response

from festival.wsgi import application
from programme import models
from programme.api.openapi.document import build_document
from programme.publishing.shared_values import NO_FESTIVAL
from tests.fuzz.asking import EXAMPLES

pytestmark = pytest.mark.usefixtures("at", "sample", "open_connection")

GONE, NEVER = 8016, 1
TEXT = {"type": "string"}
# An interval of days; its end is not before its beginning.
_days = st.tuples(st.dates(), st.dates()).map(lambda pair: "/".join(map(str, sorted(pair))))
schemathesis.openapi.format("days", _days)


def test_answers_are_those_of_the_description() -> None:
    models.Occasion.objects.get(id=GONE).delete()
    statuses = {status for mode in GenerationMode for status in explore(mode)}
    assert statuses >= {200, 304, 400, 404, 410}


def explore(mode: GenerationMode) -> set[int]:
    """Send requests to each path, valid or invalid ones, and return the statuses of the responses."""
    document = describe(headers=mode.is_positive, occasions=[8001, 8005, GONE, NEVER])
    schema = schemathesis.openapi.from_dict(document)
    schema.app = application
    statuses = set()

    @settings(
        max_examples=EXAMPLES // 100,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def ask(operation: APIOperation, data: st.DataObject) -> None:
        case = data.draw(operation.as_strategy(generation_mode=mode))
        # schemathesis does not decode the answers of an application.
        response = case.call(headers={"Accept-Encoding": "identity"})
        statuses.add(response.status_code)
        assert find_faults(case, response) == [], case.as_curl_command()

    for operation in (each.ok() for each in schema.get_all_operations()):
        # Where there is no parameter, nothing can be wrong.
        if mode.is_positive or document["paths"][operation.path]["parameters"]:
            ask(operation)
    return statuses


def describe(*, headers: bool, occasions: Sequence[int]) -> dict[str, Any]:
    """Return the document; without headers it says nothing of them, so that only parameters can be wrong.

    Of `occasions` the single ones are asked for: few numbers are some occasion's.
    """
    described = deepcopy(build_document(NO_FESTIVAL, "http://localhost:8000"))
    for path in described["paths"].values():
        for parameter in path["parameters"]:
            # Examples are for people; numbers of these are nobody's here.
            parameter.pop("examples", None)
            if parameter["name"] == "id":
                parameter["schema"] = {"enum": [*occasions]}
        if headers:
            accepted = {"enum": ["*/*", *path["get"]["responses"]["200"]["content"]]}
            values = {"Accept": accepted, "If-None-Match": TEXT, "If-Modified-Since": TEXT}
            path["parameters"] += [
                {"name": name, "in": "header", "schema": schema} for name, schema in values.items()
            ]
    return described


def find_faults(case: Case, response: Response) -> list[str]:
    # A list that is wrong by its type (`[null]`) can be right once it is written as text (`date=`), so a
    # request that was meant to be wrong may be accepted.
    excluded = [schemathesis.checks.negative_data_rejection]
    used = (case.query or {}).keys() & {"limit", "offset", "modified_since", "date", "during"}
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
