"""Requests to visitors' lists of `make endurance` in short: each is answered as lists are, and stars stay where they are."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.endurance.hostile import HostileRequest
from benchmarks.endurance.lists import (
    HEADER,
    PATH,
    KnownList,
    find_list_faults,
    generate_list_request,
    remember,
)
from benchmarks.endurance.verdicts import Answer
from pages.starred import limits
from tests.endurance.asking import ask

pytestmark = pytest.mark.usefixtures("at", "sample", "undisturbed")

GOOD = Answer(
    404,
    {
        "content-type": "application/problem+json",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
    },
    b"{}",
)
READ = HostileRequest("GET", f"{PATH}/{'0' * 32}.ics", (("Host", "localhost"),))


@settings(max_examples=300, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(source=st.randoms(use_true_random=False))
def test_no_request_to_a_list_is_answered_wrongly(source: Any) -> None:
    for limit in limits.ALL_LIMITS:
        limit.clear()
    known: list[KnownList] = []
    for _ in range(5):
        request = generate_list_request(source, known)
        answer = ask(request)
        assert list(find_list_faults(request, answer)) == [], request
        remember(request, answer, known)


def test_lists_are_created_and_read() -> None:
    create = HostileRequest(
        "POST", PATH, ((HEADER, "new"), ("Content-Type", "application/json")), b'{"occasions": [8001]}'
    )
    known: list[KnownList] = []
    answer = ask(create)
    assert (answer.status, list(find_list_faults(create, answer))) == (201, [])
    remember(create, answer, known)
    assert known == [KnownList(**json.loads(answer.body))]
    read = ask(READ._replace(target=f"{PATH}/{known[0].address}.ics"))
    assert (read.status, read.body.count(b"BEGIN:VEVENT")) == (200, 1)
    delete = HostileRequest("DELETE", PATH, ((HEADER, known[0].secret),))
    remember(delete, ask(delete), known)
    assert known == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"access-control-allow-origin": "*"}, "pages of other origins may read it"),
        ({"set-cookie": "a=b"}, "a cookie is set"),
        ({"referrer-policy": "origin"}, "its address is sent on in Referer"),
        ({"cache-control": "public"}, "Cache-Control is 'public'"),
        ({"content-type": "text/html"}, "an error is text/html"),
    ],
)
def test_what_is_wrong_is_found(change: dict[str, str], fault: str) -> None:
    assert list(find_list_faults(READ, GOOD)) == []
    assert list(find_list_faults(READ, GOOD._replace(headers={**GOOD.headers, **change}))) == [fault]


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (GOOD._replace(status=500), "status 500"),
        (GOOD._replace(status=429), "429 does not say when to try again"),
        (GOOD._replace(body=b'{"secret": "' + b"1" * 32 + b'"}'), "the secret is sent back"),
        (
            Answer(200, {**GOOD.headers, "cache-control": "private, no-cache"}, b"BEGIN"),
            "the calendar is not whole",
        ),
    ],
)
def test_a_wrong_answer_is_found(answer: Answer, fault: str) -> None:
    request = READ._replace(headers=(*READ.headers, (HEADER, "1" * 32)))
    assert list(find_list_faults(request, answer)) == [fault]
