"""The ID of a request: who may choose it, and which responses return it."""

import logging

import pytest
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.test import Client

from festival.configuration.logs import RedactionFilter, current_request_id
from festival.http.request_id import RequestIdMiddleware

SENT = "7b1c-4f0e.9_A"


@pytest.mark.parametrize(
    ("address", "sent", "is_taken"),
    [
        ("127.0.0.1", SENT, True),
        ("::1", SENT, True),
        ("", SENT, False),
        ("192.0.2.7", SENT, False),
        ("127.0.0.1", "short", False),
        ("127.0.0.1", "x" * 65, False),
        ("127.0.0.1", 'abcdefgh"', False),
        ("127.0.0.1", "abcdefgh\n", False),
        ("127.0.0.1", "-abcdefgh", False),
        ("127.0.0.1", "abcdefghå", False),
        ("127.0.0.1", "", False),
    ],
)
def test_a_trusted_proxy_may_choose_it(rf, address, sent, is_taken):
    request = rf.get("/admin/", REMOTE_ADDR=address, HTTP_X_REQUEST_ID=sent)
    request_id = RequestIdMiddleware(lambda _request: HttpResponse())(request)["X-Request-ID"]
    assert (request_id == sent) is is_taken
    assert len(request_id) == (len(sent) if is_taken else 32)


@pytest.mark.parametrize(
    ("path", "status", "is_returned"),
    [
        ("/api/events.json", 200, False),
        ("/", 200, False),
        ("/admin/", 200, True),
        ("/admin/nothing/", 404, True),
        ("/api/events?date=x", 400, True),
        ("/api/nothing", 404, True),
        ("/nothing", 404, True),
    ],
)
def test_it_is_returned_where_no_cache_keeps_it(sample, at, path, status, is_returned):
    client = Client(headers={"x-request-id": SENT})
    client.force_login(User.objects.create_superuser("anna"))
    response = client.get(path)
    assert (response.status_code, response.get("X-Request-ID")) == (status, SENT if is_returned else None)


def test_messages_end_with_it(rf):
    made = logging.LogRecord("x", logging.INFO, "", 0, "x", (), None)

    def respond(_request: HttpRequest) -> HttpResponse:
        RedactionFilter().filter(made)
        return HttpResponse()

    RequestIdMiddleware(respond)(rf.get("/", headers={"x-request-id": SENT}))
    assert (made.end, current_request_id.get()) == (f" [request {SENT}]", "")  # type: ignore[attr-defined]
    RedactionFilter().filter(made)
    assert made.end == ""  # type: ignore[attr-defined]
