"""Errors below /api/ are problem details for every client, whatever went wrong."""

from http import HTTPStatus
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from programme import loading
from tests.problems import assert_problem, problem

pytestmark = pytest.mark.usefixtures("db", "at")


@pytest.mark.parametrize(
    "path", ["/api/", "/api/nothing", "/api/events.", "/api/events//", "/api/events/7001", "/api/Events"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_what_lies_below_the_api_and_is_no_endpoint_is_not_found(path: str, method: str) -> None:
    response = Client(enforce_csrf_checks=True).generic(method, path)
    assert_problem(response, problem(HTTPStatus.NOT_FOUND, f"There is nothing at {path}."))


def test_a_host_that_is_not_ours_is_a_bad_request(client: Client) -> None:
    response = client.get("/api/events", headers={"Host": "elsewhere.example"})
    assert_problem(response, problem(HTTPStatus.BAD_REQUEST, "The request cannot be understood.", errors={}))


def test_a_database_that_was_never_there_is_an_error_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OperationalError("no such host: secret.example")

    monkeypatch.setattr(loading, "revision", refuse)
    response = Client(raise_request_exception=False).get("/api/events.ics")
    assert_problem(response, problem(HTTPStatus.INTERNAL_SERVER_ERROR, "Something went wrong here."))


def test_texts_are_english_whatever_the_browser_and_the_thread_speak(client: Client) -> None:
    client.get("/admin/login/", headers={"Accept-Language": "en"})
    for language in ("sv", "en"):
        response: Any = client.post("/api/areas", headers={"Accept-Language": language})
        assert_problem(response, problem(HTTPStatus.METHOD_NOT_ALLOWED, "POST is not allowed here."))
