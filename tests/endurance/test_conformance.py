"""What schemathesis makes of the described API, in short: every answer is one that the description has."""

import pytest

from benchmarks.endurance.conformance import explore
from festival.wsgi import application
from programme import models

pytestmark = pytest.mark.usefixtures("at", "sample", "undisturbed")

GONE, NEVER = 8016, 1


def test_answers_are_those_of_the_description() -> None:
    models.Occasion.objects.get(id=GONE).delete()
    statuses, paths, wrong = set(), set(), []

    def record(case, response, _seconds, found) -> None:
        statuses.add(response.status_code)
        paths.add(case.path)
        wrong.extend((case.as_curl_command(), each) for each in found)

    explore(100, record, app=application, occasions=[8001, 8005, GONE, NEVER])
    assert wrong == []
    assert statuses >= {200, 304, 400, 404, 410}
    assert paths == {
        f"/api/{name}{extension}"
        for name in ("areas", "events", "occations/{id}", "schema")
        for extension in ("", ".{extension}")
    }
