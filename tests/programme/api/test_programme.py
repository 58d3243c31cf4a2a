"""`/api/programme` over HTTP: parameters, validators, codings, what was modified, and its place beside the others."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client

from feeds.vocabulary import LANGUAGES
from programme import models
from programme.models import Status
from tests import programmes
from tests.conftest import NOW
from tests.feeds.derived_events import derive_events
from tests.problems import assert_problem, problem

pytestmark = pytest.mark.usefixtures("db", "at", "sample")

PATH = "/api/programme"
SINCE = "2026-07-21T00:00:00Z"


def fetch(client: Client, query: str = "") -> dict[str, Any]:
    response = client.get(f"{PATH}?{query}")
    assert response.status_code == HTTPStatus.OK
    document: dict[str, Any] = response.json()
    return document


# --- Which document ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", [PATH, f"{PATH}/", f"{PATH}.json", f"{PATH}.json/", f"{PATH}?format=json"])
def test_it_is_json_however_it_is_named(client: Client, path: str) -> None:
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (HTTPStatus.OK, "application/json")
    assert response.content == client.get(PATH).content


@pytest.mark.parametrize("language", LANGUAGES)
def test_events_in_each_language_follow_from_the_one_document(client: Client, language: str) -> None:
    document = fetch(client)
    events = client.get(f"/api/events.json?language={language}").content
    assert derive_events(document, NOW, language) == events
    assert client.get(f"{PATH}?language={language}").json() == document


@pytest.mark.parametrize(
    "query",
    [
        *("date=2026-07-29", "date=now", "date=upcoming&area=%C3%A5ngtorget", "area=Tomten", "subarea=none"),
        *("subarea=Scenen", "room=Sal%202", "organizer=3001", "highlighted", "type=konsert", "spoken=en"),
        *(
            "signinterpreted=true",
            "q=jazz",
            "occation=8001.8005",
            "date=2026-07-29&date=2026-07-30/2026-08-01",
        ),
    ],
)
def test_filters_are_those_of_events(client: Client, query: str) -> None:
    elements = client.get(f"/api/events.json?{query}").json()
    document = fetch(client, query)
    assert [each["id"] for each in document["occasions"]] == [each["occation"]["id"] for each in elements]
    assert {each["id"] for each in document["areas"]} == {each["area"]["id"] for each in elements}
    assert {each["id"] for each in document["organizers"]} == {
        each["organizer"]["id"] for each in elements if each["organizer"]
    }


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


# --- Parameters that cannot be understood -----------------------------------------------------


@pytest.mark.parametrize(
    ("query", "errors"),
    [
        ("texts=none", {"texts": ["'none' is not available. Use intro."]}),
        ("texts=intro&texts=all", {"texts": ["Only one value is allowed."]}),
        (
            f"modified_since={SINCE}&date=today",
            {
                "modified_since": [
                    "Cannot be combined with today, tomorrow, now or upcoming: occasions leave those with time,"
                    " without a modification. Name days instead, or select by time yourself."
                ]
            },
        ),
    ],
)
def test_what_cannot_be_understood_is_refused_by_name(
    client: Client, query: str, errors: dict[str, Any]
) -> None:
    expected = problem(HTTPStatus.BAD_REQUEST, "Invalid query parameters.", errors=errors)
    assert_problem(client.get(f"{PATH}?{query}"), expected)


def test_pages_are_not_offered(client: Client) -> None:
    assert client.get(f"{PATH}?limit=1&offset=1").content == client.get(PATH).content


# --- What was modified ------------------------------------------------------------------------


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
@pytest.mark.usefixtures("edited")
def test_a_copy_that_follows_is_the_whole(client: Client) -> None:
    """Without the day's entered hours and areas without events, which no occasion tells of."""
    copy = fetch(client)
    held = {kind: {each["id"]: each for each in copy[kind]} for kind in ("events", "occasions", "organizers")}
    until = client.get(f"{PATH}?modified_since={SINCE}")["Modified-Until"]
    models.Occasion.objects.get(id=8002).delete()
    models.Organizer.objects.filter(id=programmes.FORENINGEN).update(name="Den nya föreningen")
    models.Event.objects.filter(id=programmes.CLOCKS).update(status=Status.DRAFT)
    models.Event.objects.filter(id=programmes.ABROAD).update(status=Status.PUBLISHED)
    document = fetch(client, f"modified_since={until}")
    assert {each["id"] for each in document["removed"]} >= {8002, 8007}
    for kind, elements in held.items():
        elements |= {each["id"]: each for each in document[kind]}
    for each in document["removed"]:
        held["occasions"].pop(each["id"], None)
    whole = fetch(client)
    assert held["occasions"] == {each["id"]: each for each in whole["occasions"]}
    for kind in ("events", "organizers"):
        found = {each["id"]: each for each in whole[kind]}
        assert {key: held[kind][key] for key in found} == found


# --- How it is sent ---------------------------------------------------------------------------


def test_each_document_has_its_own_tag(client: Client) -> None:
    queries = (
        "",
        "?texts=intro",
        "?area=Ångtorget",
        "?area=Ångtorget&texts=intro",
        f"?modified_since={SINCE}",
    )
    assert len({client.get(f"{PATH}{query}")["ETag"] for query in queries}) == len(queries)
    assert client.get("/api/events.json")["ETag"] != client.get(PATH)["ETag"]


@pytest.mark.django_db(transaction=True)
def test_an_edit_changes_it_and_time_alone_does_not(client: Client, at: Any) -> None:
    first = client.get(PATH)
    at(NOW + timedelta(days=30))
    assert client.get(PATH).content == first.content
    assert client.get(PATH)["Cache-Control"] == "public, max-age=60, stale-if-error=86400"
    assert "stale-if-error=0" in client.get(f"{PATH}?date=today")["Cache-Control"]
    models.Organizer.objects.filter(id=programmes.FORENINGEN).update(name="Den nya föreningen")
    assert client.get(PATH)["ETag"] != first["ETag"]
