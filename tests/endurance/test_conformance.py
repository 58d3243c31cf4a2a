"""What schemathesis makes of the described API, in short: every answer is one that the description has."""

import pytest

from benchmarks.endurance.conformance import explore
from festival.wsgi import application
from programme import models
from programme.api.openapi import build_document
from programme.publishing.shared_values import NO_FESTIVAL

pytestmark = pytest.mark.usefixtures("at", "sample", "undisturbed")

GONE, NEVER = 8016, 1


def test_answers_are_those_of_the_description() -> None:
    models.Occasion.objects.get(id=GONE).delete()
    statuses, paths, wrong = set(), set(), []

    def record(case, response, _seconds, found) -> None:
        statuses.add(response.status_code)
        paths.add(case.path)
        wrong.extend((case.as_curl_command(), each) for each in found)

    explore(120, record, app=application, occasions=[8001, 8005, GONE, NEVER])
    assert wrong == []
    assert statuses >= {200, 304, 400, 404, 410}
    described = build_document(NO_FESTIVAL, "")["paths"]
    assert paths >= {path for path, item in described.items() if item["parameters"]}
