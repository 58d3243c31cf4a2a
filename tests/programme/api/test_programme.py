"""`/api/programme` over HTTP: parameters, validators, codings, what was modified, and its place beside the others."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client

from programme import models
from tests import programmes
from tests.conftest import NOW
from tests.problems import assert_problem, problem

pytestmark = pytest.mark.usefixtures("db", "at", "sample")

PATH = "/api/programme"
SINCE = "2026-07-21T00:00:00Z"


def fetch(client: Client, query: str = "") -> dict[str, Any]:
    response = client.get(f"{PATH}?{query}")
    assert response.status_code == HTTPStatus.OK
    document: dict[str, Any] = response.json()
    return document


def test_areas_without_events_are_in_the_whole_alone(client: Client) -> None:
    areas = [each["id"] for each in client.get("/api/areas").json()]
    assert programmes.TOMTEN in areas
    for query in ("", "area=", "texts=intro", "language=en", "utm_source=letter"):
        assert [each["id"] for each in fetch(client, query)["areas"]] == areas, query
    for query in ("date=2026-07-29", f"modified_since={SINCE}"):
        assert programmes.TOMTEN not in [each["id"] for each in fetch(client, query)["areas"]]


def test_intros_are_without_descriptions(client: Client) -> None:
    whole, brief = fetch(client, "area=Ångtorget"), fetch(client, "area=Ångtorget&texts=Intro")
    for kind, name in {
        "events": "description",
        "areas": "info",
        "subAreas": "info",
        "organizers": "info",
    }.items():
        for element in whole[kind]:
            element[name] = None
    assert brief == whole
    assert fetch(client, "texts=") == fetch(client)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("texts=none", "'none' is not available. Use intro."),
        ("texts=intro&texts=all", "Only one value is allowed."),
    ],
)
def test_texts_are_all_or_intro(client: Client, query: str, message: str) -> None:
    expected = problem(HTTPStatus.BAD_REQUEST, "Invalid query parameters.", errors={"texts": [message]})
    assert_problem(client.get(f"{PATH}?{query}"), expected)


def test_pages_are_not_offered(client: Client) -> None:
    assert client.get(f"{PATH}?limit=1&offset=1").content == client.get(PATH).content


@pytest.mark.usefixtures("edited")
@pytest.mark.parametrize("query", ["", "date=2026-07-30", "area=Tomten", "area=Ångtorget&texts=intro"])
def test_it_has_what_was_modified_as_events_have_it(client: Client, query: str) -> None:
    document = fetch(client, f"modified_since={SINCE}&{query}")
    elements = client.get(f"/api/events?modified_since={SINCE}&{query}").json()
    modified = [each for each in elements if "removed" not in each]
    assert [each["id"] for each in document["occasions"]] == [each["occation"]["id"] for each in modified]
    assert document["removed"] == [
        {
            "id": each["occation"]["id"],
            "eventID": each["id"],
            "removed": each["removed"],
            "lastModified": each["lastModified"],
        }
        for each in elements[len(modified) :]
    ]


@pytest.mark.usefixtures("edited")
def test_it_says_what_to_ask_with_next(client: Client) -> None:
    for query in ("", "area=Tomten&texts=intro"):
        response = client.get(f"{PATH}?modified_since={SINCE}&{query}")
        events = client.get(f"/api/events.json?modified_since={SINCE}&{query}")
        assert response["Modified-Until"] == events["Modified-Until"]
        assert response["Access-Control-Expose-Headers"] == "ETag, Modified-Until"
        again = fetch(client, f"modified_since={response['Modified-Until']}&{query}")
        assert {each["id"] for each in again["occasions"]} <= {
            each["id"] for each in response.json()["occasions"]
        }
    assert "Modified-Until" not in client.get(PATH)


@pytest.mark.django_db(transaction=True)
def test_an_edit_changes_it_and_time_alone_does_not(client: Client, at: Any) -> None:
    first = client.get(PATH)
    at(NOW + timedelta(days=30))
    assert client.get(PATH).content == first.content
    assert client.get(PATH)["Cache-Control"] == "public, max-age=60, stale-if-error=86400"
    assert "stale-if-error=0" in client.get(f"{PATH}?date=today")["Cache-Control"]
    models.Organizer.objects.filter(id=programmes.FORENINGEN).update(name="Den nya föreningen")
    assert client.get(PATH)["ETag"] != first["ETag"]
