"""No request makes the service fail, or answer what is not so."""

from http import HTTPStatus
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.asking import EXAMPLES, ask
from tests.fuzz.hostile import HostileRequest, KnownValues, generate_request
from tests.fuzz.verdicts import find_faults

pytestmark = pytest.mark.usefixtures("at", "sample", "open_connection")

NAMES = (
    *("Ångtorget", "Stora Ångtorget", r"Parken; norr, söder & \mitt", "Scenen", "none", "Sal 2"),
    *("Övre, golvet", "Föreningen Jazz", "3001", "<Åsa> & co; ek., för."),
)
EVENTS = HostileRequest("GET", "/api/events.json", (("Host", "localhost"),))


@pytest.fixture
def known() -> KnownValues:
    paths = ("/api/events", "/api/events.ics", "/api/areas", "/api/events.atom")
    return KnownValues(NAMES, [ask(EVENTS._replace(target=path)).headers["etag"] for path in paths])


@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(source=st.randoms(use_true_random=False))
def test_no_request_is_answered_wrongly(known: KnownValues, source: Any) -> None:
    request = generate_request(source, known)
    answer = ask(request)
    assert find_faults(request, answer) == [], request
    assert ask(request) == answer, request
    if request.method == "GET":
        assert ask(request._replace(method="HEAD")) == answer._replace(body=b""), request


@pytest.mark.parametrize(
    ("target", "host", "expected"),
    [
        ("/api/events", "localhost:x", HTTPStatus.BAD_REQUEST),
        ("/api/events.ics", "[::1", HTTPStatus.BAD_REQUEST),
        ("/api/nothing", "a b", HTTPStatus.BAD_REQUEST),
        ("/api/events?" + "&" * 20_000, "localhost", HTTPStatus.BAD_REQUEST),
        ("/api/events?date=2026-07-29;area=x", "localhost", HTTPStatus.BAD_REQUEST),
        ("/api/events?date=toda%C4%B1", "localhost", HTTPStatus.BAD_REQUEST),
        ("/api/events?date=%00", "localhost", HTTPStatus.BAD_REQUEST),
        ("/api/events?area=%ed%a0%80&area=%00&area=%&area=+", "localhost", HTTPStatus.OK),
        ("/api/events?date=0001-01-01/9999-12-31", "localhost", HTTPStatus.OK),
        ("/api/events?%61rea=x&d%61te=today", "localhost", HTTPStatus.OK),
        ("/api/%65vents%2ejson", "localhost", HTTPStatus.OK),
        ("//api/events", "localhost", HTTPStatus.NOT_FOUND),
        ("/api/events.json.json", "localhost", HTTPStatus.NOT_FOUND),
        ("/api/events%20", "localhost", HTTPStatus.NOT_FOUND),
        ("/api/events.json%20", "localhost", HTTPStatus.NOT_FOUND),
        ("/api/events%00", "localhost", HTTPStatus.NOT_FOUND),
        ("/api/events.json%0a", "localhost", HTTPStatus.NOT_FOUND),
    ],
)
def test_odd_addresses_are_answered(target: str, host: str, expected: HTTPStatus) -> None:
    request = HostileRequest("GET", target, (("Host", host),), b"a body that nobody asked for")
    answer = ask(request)
    assert (answer.status, find_faults(request, answer)) == (expected, [])
