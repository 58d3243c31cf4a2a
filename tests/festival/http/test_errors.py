"""Errors below /api/ are problem details for every client, whatever went wrong; the page for a back office that is away."""

import re
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client

from tests.problems import assert_problem, problem

pytestmark = pytest.mark.usefixtures("db", "at")


@pytest.mark.parametrize(
    "path", ["/api/", "/api/nothing", "/api/events.", "/api/events//", "/api/events/7001", "/api/Events"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_what_lies_below_the_api_and_is_no_endpoint_is_not_found(path, method):
    response = Client(enforce_csrf_checks=True).generic(method, path)
    assert_problem(response, problem(HTTPStatus.NOT_FOUND, f"No resource at {path}."))


@pytest.mark.parametrize("path", ["/api/events.ics", "/api/areas"])
def test_without_any_programme_the_service_is_unavailable_for_now(client, break_down, path):
    break_down()
    response = client.get(path)
    detail = "The programme is temporarily unavailable."
    assert_problem(response, problem(HTTPStatus.SERVICE_UNAVAILABLE, detail))
    assert (response["Retry-After"], response["Cache-Control"]) == ("5", "no-store")


@pytest.mark.parametrize(("path", "words"), [("/", "inte visas just nu"), ("/en/", "cannot be shown right")])
def test_without_any_programme_pages_ask_for_patience(client, break_down, path, words):
    break_down()
    response = client.get(path)
    assert (response.status_code, response["Retry-After"]) == (HTTPStatus.SERVICE_UNAVAILABLE, "5")
    assert words in response.content.decode()
    assert "refused" not in response.content.decode()


def test_texts_are_english_whatever_the_browser_and_the_thread_speak(client):
    client.get("/admin/login/", headers={"Accept-Language": "en"})
    for language in ("sv", "en"):
        response: Any = client.post("/api/areas", headers={"Accept-Language": language})
        assert_problem(response, problem(HTTPStatus.METHOD_NOT_ALLOWED, "Method POST is not allowed."))


def test_a_back_office_that_is_away_has_a_page_in_both_languages(client):
    response = client.get("/back-office-away")
    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    assert response["Cache-Control"] == "no-store"
    page = response.content.decode()
    assert re.findall(r"<h1>(.*?)</h1>", page) == [
        "Redaktionen svarar inte just nu",
        "The back office does not answer right now",
    ]
    nonce = re.search(r'<style nonce="([^"]+)">', page)[1]
    assert f"style-src 'self' 'nonce-{nonce}'" in response["Content-Security-Policy"]
