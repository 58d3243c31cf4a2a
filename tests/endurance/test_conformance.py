"""What schemathesis makes of the interface, in short: every answer is one that the interface describes."""

import pytest

from benchmarks.endurance.conformance import explore
from festival.wsgi import application

pytestmark = pytest.mark.usefixtures("at", "sample", "undisturbed")


def test_answers_are_those_of_the_interface() -> None:
    statuses, wrong = set(), []

    def heard(case, response, _seconds, found) -> None:
        statuses.add(response.status_code)
        wrong.extend((case.as_curl_command(), each) for each in found)

    explore(60, heard, app=application)
    assert wrong == []
    assert statuses >= {200, 304, 400}
