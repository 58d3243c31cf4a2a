"""Editions in the API: what is of the current one, what is asked for, and what followers are told."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from http import HTTPStatus
from time import sleep
from typing import Any

import pytest
from django.test import Client

from programme.models import Edition, Occasion, Revision
from tests.editions import make_editions
from tests.problems import assert_problem, problem

pytestmark = pytest.mark.usefixtures("db", "at")
# Where editors go on after readers have asked: PostgreSQL moves the revision once in a transaction.
in_transactions = pytest.mark.django_db(transaction=True)


@pytest.fixture
def editions(sample: None) -> dict[str, Edition]:
    return make_editions()


def ids(elements: Iterable[Any]) -> set[int]:
    return {each["occation"]["id"] for each in elements if "removed" not in each}


def fetch(client: Client, path: str = "/api/events", **query: str) -> Any:
    response = client.get(path, query)
    assert response.status_code == HTTPStatus.OK
    return response.json()


def test_without_an_edition_asked_for_it_is_the_current_one(client, editions):
    every = {each.id for each in Occasion.objects.filter(event__status="published")}
    of = {slug: ids(fetch(client, edition=slug)) for slug in editions}
    # Half past midnight on 1 January 2027 in Stockholm.
    assert of == {"2025": {8011}, "2026": every - {8011, 8012}, "2027": {8012}}
    assert ids(fetch(client)) == of["2026"]


def test_an_unknown_edition_is_an_error_with_those_that_are(client, editions):
    for path in ("/api/events", "/api/areas", "/api/programme", "/api/news.json", "/api/lists"):
        response = client.get(path, {"edition": "2019"})
        assert response.status_code == HTTPStatus.BAD_REQUEST
        assert "'2019' is no edition. Available editions: 2025, 2026, 2027." in str(response.json())


def test_only_one_edition_at_a_time(client, editions):
    response = client.get("/api/events?edition=2025&edition=2026")
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert "Only one edition at a time, not 2025 and 2026." in str(response.json())


def test_an_occasion_of_any_edition_has_its_address_whichever_is_named(client, editions):
    for number in (8011, 8001, 8012):
        assert ids(fetch(client, f"/api/occations/{number}")) == {number}
        for query in ("", "?edition=2026", "?edition=x"):
            assert client.get(f"/tillfalle/{number}{query}").status_code == HTTPStatus.OK
    assert ids(fetch(client, "/api/occations/8011", edition="2026")) == {8011}
    assert client.get("/api/occations/8011?edition=x").status_code == HTTPStatus.BAD_REQUEST


def test_an_occasion_of_no_edition_is_not_found(client, editions):
    editions["2025"].delete()
    response = client.get("/api/occations/8011")
    assert_problem(response, problem(HTTPStatus.NOT_FOUND, "No occasion has the ID 8011."))
    assert ids(fetch(client)) == ids(fetch(client, edition="2026"))


@in_transactions
def test_followers_are_told_what_has_left_at_a_change_of_editions(client, editions):
    held = ids(fetch(client))
    until = client.get("/api/events?modified_since=1970-01-01T00:00:00Z")["Modified-Until"]
    editions["2027"].make_current(Revision.objects.get().moved_at)
    told = fetch(client, modified_since=until)
    assert ids(told) == {8012}
    left = {each["occation"]["id"]: each["removed"] for each in told if "removed" in each}
    assert held <= left.keys()
    assert set(left.values()) == {"unselected"}
    later = f"{Revision.objects.get().moved_at + timedelta(seconds=1):%Y-%m-%dT%H:%M:%SZ}"
    assert fetch(client, "/api/changes", modified_since=later) == []
    assert fetch(client, "/api/news.json") == []


@in_transactions
def test_the_programme_document_names_the_editions(client, editions):
    document = fetch(client, "/api/programme", edition="2025")
    assert document["edition"] == "2025"
    assert document["editions"][0] == {
        "slug": "2025",
        "name": {"en": "Night 2025", "sv": "Natten 2025"},
        "firstDay": "2025-01-01",
        "lastDay": "2025-12-31",
    }
    Edition.objects.all().delete()
    assert "edition" not in fetch(client, "/api/programme")


@in_transactions
def test_the_description_offers_the_editions_that_there_are(client, editions):
    def offered(path: str) -> list[Any]:
        parameters = fetch(client, "/api/schema")["paths"][path]["parameters"]
        return [each["schema"]["enum"] for each in parameters if each["name"] == "edition"]

    for path in ("/api/events", "/api/areas", "/api/programme", "/api/news", "/api/occations/{id}"):
        assert offered(path) == [["2025", "2026", "2027"]]
    Edition.objects.all().delete()
    assert offered("/api/events") == []


@pytest.fixture
def away(editions: dict[str, Edition], break_down: Callable[[], None]) -> str:
    """Break the database down once the current edition is loaded; return what is up to date."""
    until: str = Client().get("/api/events?modified_since=1970-01-01T00:00:00Z")["Modified-Until"]
    break_down()
    return until


@pytest.mark.parametrize(
    "path",
    [
        *("/api/events?edition=2025", "/api/events.ics?edition=2025", "/api/areas?edition=2025"),
        *("/api/occations/8011", "/tillfalle/8011", "/api/changes?modified_since=1970-01-01T00:00:00Z"),
    ],
)
def test_what_is_not_in_memory_is_asked_for_again_later(client, away, path):
    response = client.get(path)
    assert response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert int(response["Retry-After"]) > 0


def test_the_current_edition_is_answered_and_who_is_up_to_date_goes_on(client, away):
    assert len(fetch(client)) == len(fetch(client, edition="2026")) > 0
    assert client.get("/api/occations/8001").status_code == HTTPStatus.OK
    response = client.get("/api/changes", {"modified_since": away})
    assert (response.status_code, response["Modified-Until"]) == (HTTPStatus.OK, away)


def test_empty_and_repeated_values_and_capitals(client, editions):
    Edition.objects.filter(slug="2025").update(slug="natten-25")
    former = ("natten-25&edition=natten-25", "%20natten-25%20", "&edition=natten-25", "NATTEN-25")
    for values, found in [(("", "%20&edition="), "2026"), (former, "natten-25")]:
        for value in values:
            assert fetch(client, f"/api/programme?edition={value}")["edition"] == found


@pytest.mark.parametrize("asked", ["x" * 5000, "\x00", "☃", "2025'--", "../2025"])
def test_names_that_none_has(client, editions, asked):
    response = client.get("/api/events", {"edition": asked})
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert len(response.content) < 1000
    assert client.get("/", {"edition": asked}).status_code == HTTPStatus.BAD_REQUEST


def test_another_edition_has_validators_of_its_own(client, editions):
    path = "/api/events.ics?edition=2025"
    whole, head = client.get(path), client.head(path)
    assert (head["ETag"], head["Content-Length"], head.content) == (
        whole["ETag"], str(len(whole.content)), b""
    )  # fmt: skip
    assert client.get(path, HTTP_IF_NONE_MATCH=whole["ETag"]).status_code == HTTPStatus.NOT_MODIFIED
    assert client.get("/api/events.ics")["ETag"] != whole["ETag"]


@in_transactions
def test_followers_of_a_named_edition_are_told_nothing_of_others(client, editions):
    since = f"{Revision.objects.get().moved_at + timedelta(milliseconds=1):%Y-%m-%dT%H:%M:%S.%fZ}"
    sleep(0.01)
    editions["2027"].make_current(Revision.objects.get().moved_at + timedelta(seconds=1))
    assert fetch(client, edition="2025", modified_since=since) == []
    assert ids(fetch(client, modified_since=since)) == {8012}
    editions["2025"].save()
    assert ids(fetch(client, edition="2025", modified_since=since)) == {8011}
