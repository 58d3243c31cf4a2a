"""Pages of a selection: what they hold, the links between them, and what is refused."""

from http import HTTPStatus
from typing import Any

import feedparser
import pytest
from django.test import Client

from programme import models
from programme.publishing.current import current
from tests.conftest import NOW
from tests.problems import assert_problem, problem
from tests.programme.api.formats import SENT_AS

pytestmark = pytest.mark.usefixtures("sample", "at")

URL = "https://program.example/api/events"
EVERY = 16


def links(response: Any) -> dict[str, str]:
    found = (each.partition("; ") for each in response["Link"].split(", "))
    return {relation[5:-1]: url[1:-1] for url, _, relation in found}


@pytest.mark.parametrize("limit", [1, 3, 7, 16, 1000])
def test_pages_one_after_another_are_the_whole(client: Client, limit: int) -> None:
    whole = client.get("/api/events").json()
    response = client.get(f"/api/events.json?limit={limit}")
    pages = [response]
    while "next" in links(response):
        response = client.get(links(response)["next"])
        pages.append(response)
    assert [element for page in pages for element in page.json()] == whole
    assert {page["X-Total-Count"] for page in pages} == {str(len(whole))} == {str(EVERY)}
    assert [len(page.json()) <= limit for page in pages] == [True] * len(pages)
    back = [links(page).get("prev") for page in pages]
    assert back == [
        None,
        *(f"{URL}.json?limit={limit}" + f"&offset={n * limit}" * bool(n) for n in range(len(pages) - 1)),
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("limit=5", {"first": "limit=5", "next": "limit=5&offset=5", "last": "limit=5&offset=15"}),
        (
            "offset=4&limit=4",
            {"first": "limit=4", "prev": "limit=4", "next": "limit=4&offset=8", "last": "limit=4&offset=12"},
        ),
        ("limit=8&offset=8", {"first": "limit=8", "prev": "limit=8", "last": "limit=8&offset=8"}),
        (
            "limit=5&offset=3",
            {"first": "limit=5", "prev": "limit=5", "next": "limit=5&offset=8", "last": "limit=5&offset=15"},
        ),
        ("limit=5&offset=90", {"first": "limit=5", "prev": "limit=5&offset=15", "last": "limit=5&offset=15"}),
        (
            "area=tomten&limit=5&language=en&x=y",
            {"first": "area=Tomten&language=en&limit=5", "last": "area=Tomten&language=en&limit=5"},
        ),
    ],
)
def test_links_lead_to_the_other_pages(client: Client, query: str, expected: dict[str, str]) -> None:
    found = links(client.get(f"/api/events.ics?{query}"))
    assert found == {relation: f"{URL}.ics?{query}" for relation, query in expected.items()}


@pytest.mark.parametrize("extension", SENT_AS)
def test_every_format_has_pages(client: Client, extension: str) -> None:
    response = client.get(f"/api/events.{extension}?limit=3&offset=3")
    assert response["X-Total-Count"] == str(EVERY)
    assert links(response)["next"] == f"{URL}.{extension}?limit=3&offset=6"
    assert response["Access-Control-Expose-Headers"] == "ETag, Link, X-Total-Count"
    empty = client.get(f"/api/events.{extension}?area=Tomten")
    beyond = client.get(f"/api/events.{extension}?area=Tomten&limit=3&offset=9")
    assert (beyond.status_code, beyond["X-Total-Count"]) == (HTTPStatus.OK, "0")
    if extension in {"json", "ics", "ics-text", "bbcode", "qx1"}:
        assert beyond.content == empty.content


def test_a_feed_names_its_pages_inside(client: Client) -> None:
    feed = feedparser.parse(client.get("/api/events.atom?limit=5&offset=5").content).feed
    assert feed.id == f"{URL}.atom"
    named = {each.rel: each.href for each in feed.links if each.rel != "alternate"}
    assert named == {
        "self": f"{URL}.atom?limit=5&offset=5",
        "first": f"{URL}.atom?limit=5",
        "previous": f"{URL}.atom?limit=5",
        "next": f"{URL}.atom?limit=5&offset=10",
        "last": f"{URL}.atom?limit=5&offset=15",
    }


@pytest.mark.parametrize("extension", SENT_AS)
@pytest.mark.parametrize("query", ["limit=", "offset=&limit=&modified_since="])
def test_empty_values_are_the_same_as_none(client: Client, extension: str, query: str) -> None:
    whole, paginated = (client.get(f"/api/events.{extension}{each}") for each in ("", f"?{query}"))
    assert paginated.content == whole.content
    assert {**paginated.headers} == {**whole.headers}
    assert "Link" not in whole.headers


@pytest.mark.parametrize(
    ("query", "errors"),
    [
        ("limit=0", {"limit": ["'0' is not a whole number from 1 to 1000."]}),
        ("limit=1001", {"limit": ["'1001' is not a whole number from 1 to 1000."]}),
        ("limit=-1&offset=0", {"limit": ["'-1' is not a whole number from 1 to 1000."]}),
        ("limit=٣", {"limit": ["'٣' is not a whole number from 1 to 1000."]}),
        ("limit=1e2", {"limit": ["'1e2' is not a whole number from 1 to 1000."]}),
        (f"limit={'9' * 5000}", {"limit": [f"'{'9' * 100}' is not a whole number from 1 to 1000."]}),
        ("limit=5&offset=1000001", {"offset": ["'1000001' is not a whole number from 0 to 1000000."]}),
        ("limit=5&limit=6", {"limit": ["Only one value is allowed."]}),
        ("offset=5", {"offset": ["Requires limit."]}),
    ],
)
def test_nonsense_is_refused(client: Client, query: str, errors: dict[str, list[str]]) -> None:
    detail = "Invalid query parameters."
    expected = problem(HTTPStatus.BAD_REQUEST, detail, errors=errors)
    assert_problem(client.get(f"/api/events.atom?{query}"), expected)


@pytest.mark.django_db(transaction=True)
def test_a_page_has_another_tag_when_only_the_number_of_others_changes(client: Client) -> None:
    """Its links and its total are others then."""
    before = client.get("/api/events.bbcode?limit=1")
    models.Occasion.objects.get(id=8012).delete()
    after = client.get("/api/events.bbcode?limit=1")
    assert after.content == before.content
    assert after["ETag"] != before["ETag"]


def test_invented_pages_are_not_kept(client: Client) -> None:
    client.get("/api/events.json")
    kept = current.at(NOW).responses.size
    for query in ("limit=7", "limit=10&offset=3", "limit=10&offset=20", "limit=999&offset=999"):
        client.get(f"/api/events.json?{query}")
        client.get(f"/api/events.json?modified_since=2026-07-0{len(query) % 9}T00:00:00Z")
    assert current.at(NOW).responses.size == kept
    client.get("/api/events.json?limit=10&offset=10")
    assert current.at(NOW).responses.size > kept
