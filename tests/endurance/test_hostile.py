"""The fuzzer of `make endurance` in short: no request makes the service fail, or answer what is not so."""

from http import HTTPStatus
from io import BytesIO, StringIO
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.endurance.hostile import HostileRequest, KnownValues, generate_request
from benchmarks.endurance.verdicts import Answer, find_faults
from festival.wsgi import application

pytestmark = pytest.mark.usefixtures("at", "sample", "undisturbed")

NAMES = (
    *(
        "Ångtorget",
        "Stora Ångtorget",
        r"Parken; norr, söder & \mitt",
        "Scenen",
        "none",
        "Sal 2",
        "Övre, golvet",
    ),
    *("Föreningen Jazz", "3001", "<Åsa> & co; ek., för."),
)
EVENTS = HostileRequest("GET", "/api/events.json", (("Host", "localhost"),))


def ask(request: HostileRequest) -> Answer:
    """Return the answer to a request, which is handed over and sent back as WSGI servers do."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": request.path,
        "QUERY_STRING": request.query,
        "CONTENT_LENGTH": str(len(request.body)) if request.body else "",
        "wsgi.input": BytesIO(request.body),
        "wsgi.errors": StringIO(),
    }
    for name, value in request.headers:
        key = name.upper().replace("-", "_")
        environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
    setup_testing_defaults(environ)
    started: list[Any] = []
    response = application(environ, lambda *head: started.extend(head))
    body = b"" if request.method == "HEAD" else b"".join(response)
    getattr(response, "close", lambda: None)()
    # Errors have one: an ID for each request.
    headers = {name.lower(): value for name, value in started[1] if name != "X-Request-ID"}
    return Answer(int(started[0][:3]), headers, body)


@pytest.fixture
def known() -> KnownValues:
    paths = ("/api/events", "/api/events.ics", "/api/areas", "/api/events.atom")
    return KnownValues(NAMES, [ask(EVENTS._replace(target=path)).headers["etag"] for path in paths])


@settings(max_examples=300, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
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
        ("/api/events", "evil.example", HTTPStatus.BAD_REQUEST),
        ("/api/events", "localhost:x", HTTPStatus.BAD_REQUEST),
        ("/api/events.ics", "[::1", HTTPStatus.BAD_REQUEST),
        ("/api/areas", "", HTTPStatus.BAD_REQUEST),
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
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_odd_addresses_are_answered(target: str, host: str, expected: HTTPStatus, method: str) -> None:
    request = HostileRequest(method, target, (("Host", host),), b"a body that nobody asked for")
    answer = ask(request)
    assert (answer.status, find_faults(request, answer)) == (expected, [])
