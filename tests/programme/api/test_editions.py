"""Editions in the API: what is of the current one, what is asked for, and what followers are told."""

from collections.abc import Iterable
from datetime import date, timedelta
from http import HTTPStatus
from time import sleep
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from msgspec.structs import replace

from feeds.formats import BY_EXTENSION
from feeds.listing import Listing
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from programme.models import Area, AreaDay, Day, Edition, Occasion, Revision
from programme.publishing import loading
from tests import programmes
from tests.conftest import NOW
from tests.problems import assert_problem, problem
from tests.programme.api.formats import SENT_AS

pytestmark = pytest.mark.usefixtures("db", "at")
# Where editors go on after readers have asked: PostgreSQL moves the revision once in a transaction.
in_transactions = pytest.mark.django_db(transaction=True)


@pytest.fixture
def editions(sample: None) -> dict[str, Edition]:
    rows = [
        Edition(slug=str(year), name_sv=f"Natten {year}", name_en=f"Night {year}", **_days(year))
        for year in (2025, 2026, 2027)
    ]
    rows[1].current_since = NOW - timedelta(days=100)
    for each in rows:
        each.save()
    return {each.slug: each for each in rows}


def _days(year: int) -> dict[str, date]:
    return {"first_day": date(year, 1, 1), "last_day": date(year, 12, 31)}


def ids(elements: Iterable[Any]) -> set[int]:
    return {each["occation"]["id"] for each in elements if "removed" not in each}


def fetch(client: Client, path: str = "/api/events", **query: str) -> Any:
    response = client.get(path, query)
    assert response.status_code == HTTPStatus.OK
    return response.json()


def test_without_an_edition_asked_for_it_is_the_current_one(
    client: Client, editions: dict[str, Edition]
) -> None:
    every = {each.id for each in Occasion.objects.filter(event__status="published")}
    of = {slug: ids(fetch(client, edition=slug)) for slug in editions}
    # Half past midnight on 1 January 2027 in Stockholm.
    assert of == {"2025": {8011}, "2026": every - {8011, 8012}, "2027": {8012}}
    assert ids(fetch(client)) == of["2026"]


def test_counts_and_repetitions_are_of_the_edition(client: Client, editions: dict[str, Edition]) -> None:
    (element,) = fetch(client, edition="2025")
    assert element["recurring"] is False
    assert [each["id"] for each in element["allOccations"]] == [8011]
    area = next(each for each in fetch(client, "/api/areas", edition="2025"))
    assert (area["occationCount"], area["eventCount"]) == (1, 1)
    assert len(fetch(client, "/api/areas", edition="2025")) == 1


def test_days_of_areas_are_of_the_edition(client: Client, editions: dict[str, Edition]) -> None:
    AreaDay.objects.create(area_id=programmes.TORGET, day=Day.on(date(2027, 7, 28)))
    of_area = {"2026": {"2026-07-29", "2026-07-31"}, "2027": {"2027-07-28"}}
    for slug, entered in of_area.items():
        [area] = [
            each for each in fetch(client, "/api/areas", edition=slug) if each["id"] == programmes.TORGET
        ]
        assert {each["date"] for each in area["days"] if each["occationCount"] == 0} <= entered
        assert {each["date"][:4] for each in area["days"]} == {slug}
        [described] = [
            each
            for each in fetch(client, "/api/programme", edition=slug)["areas"]
            if each["id"] == programmes.TORGET
        ]
        assert {each["date"] for each in described["days"]} == entered


@pytest.mark.parametrize("extension", SENT_AS)
def test_every_format_equals_that_of_a_service_with_nothing_else(
    client: Client, editions: dict[str, Edition], extension: str
) -> None:
    with_editions = client.get(f"/api/events.{extension}")
    every = loading.load()
    Edition.objects.all().delete()
    alone = replace(loading.load(), occasions=every.occasions, revision=every.revision)
    selection = alone.index.canonical(Selection())
    written = BY_EXTENSION[extension]().render(Listing(Snapshot(alone, NOW), selection))
    body = written if isinstance(written, bytes) else written.body
    assert with_editions.content == body


def test_an_unknown_edition_is_an_error_with_those_that_are(
    client: Client, editions: dict[str, Edition]
) -> None:
    for path in ("/api/events", "/api/areas", "/api/programme", "/api/news.json", "/api/lists"):
        response = client.get(path, {"edition": "2019"})
        assert response.status_code == HTTPStatus.BAD_REQUEST
        assert "'2019' is no edition. Available editions: 2025, 2026, 2027." in str(response.json())


def test_only_one_edition_at_a_time(client: Client, editions: dict[str, Edition]) -> None:
    response = client.get("/api/events?edition=2025&edition=2026")
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert "Only one edition at a time, not 2025 and 2026." in str(response.json())


@pytest.mark.parametrize("occasion_id", [8011, 8001, 8012])
def test_an_occasion_of_any_edition_has_its_address(
    client: Client, editions: dict[str, Edition], occasion_id: int
) -> None:
    (element,) = fetch(client, f"/api/occations/{occasion_id}")
    assert element["occation"]["id"] == occasion_id
    assert client.get(f"/tillfalle/{occasion_id}").status_code == HTTPStatus.OK


def test_an_occasion_of_no_edition_is_not_found(client: Client, editions: dict[str, Edition]) -> None:
    editions["2025"].delete()
    response = client.get("/api/occations/8011")
    assert_problem(response, problem(HTTPStatus.NOT_FOUND, "No occasion has the ID 8011."))
    assert ids(fetch(client)) == ids(fetch(client, edition="2026"))


@in_transactions
def test_followers_are_told_what_has_left_at_a_change_of_editions(
    client: Client, editions: dict[str, Edition]
) -> None:
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
def test_the_programme_document_names_the_editions(client: Client, editions: dict[str, Edition]) -> None:
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
def test_empty_areas_are_listed_while_they_are_current(client: Client, editions: dict[str, Edition]) -> None:
    assert len(fetch(client, "/api/areas")) == Area.objects.count()
    Area.objects.filter(pk=programmes.TOMTEN).update(current=False)
    assert len(fetch(client, "/api/areas")) == Area.objects.count() - 1


def test_the_description_offers_the_editions_that_there_are(
    client: Client, editions: dict[str, Edition]
) -> None:
    def offered(path: str) -> list[Any]:
        parameters = fetch(client, "/api/schema")["paths"][path]["parameters"]
        return [each["schema"]["enum"] for each in parameters if each["name"] == "edition"]

    for path in ("/api/events", "/api/areas", "/api/programme", "/api/news", "/api/occations/{id}"):
        assert offered(path) == [["2025", "2026", "2027"]]
    Edition.objects.all().delete()
    assert offered("/api/events") == []


# --- While the database is away ------------------------------------------------------------------


@pytest.fixture
def away(editions: dict[str, Edition], monkeypatch: pytest.MonkeyPatch) -> str:
    """Break the database down once the current edition is loaded; return what is up to date."""
    until: str = Client().get("/api/events?modified_since=1970-01-01T00:00:00Z")["Modified-Until"]

    def fail() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(loading, "fetch_revision", fail)
    return until


@pytest.mark.parametrize(
    "path",
    [
        *("/api/events?edition=2025", "/api/events.ics?edition=2025", "/api/areas?edition=2025"),
        *("/api/occations/8011", "/tillfalle/8011", "/api/changes?modified_since=1970-01-01T00:00:00Z"),
    ],
)
def test_what_is_not_in_memory_is_asked_for_again_later(client: Client, away: str, path: str) -> None:
    response = client.get(path)
    assert response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert int(response["Retry-After"]) > 0


def test_the_current_edition_is_answered_and_who_is_up_to_date_goes_on(client: Client, away: str) -> None:
    assert len(fetch(client)) == len(fetch(client, edition="2026")) > 0
    assert client.get("/api/occations/8001").status_code == HTTPStatus.OK
    response = client.get("/api/changes", {"modified_since": away})
    assert (response.status_code, response["Modified-Until"]) == (HTTPStatus.OK, away)


# --- How it is asked for -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "found"),
    [
        *(("edition=", "2026"), ("edition=%20&edition=", "2026"), ("edition=2025&edition=2025", "2025")),
        *(("edition=%202025%20", "2025"), ("edition=&edition=2025", "2025")),
    ],
)
def test_empty_and_repeated_values(
    client: Client, editions: dict[str, Edition], query: str, found: str
) -> None:
    document = client.get(f"/api/programme?{query}").json()
    assert document["edition"] == found


def test_a_name_in_capitals_is_the_same(client: Client, editions: dict[str, Edition]) -> None:
    Edition.objects.filter(slug="2025").update(slug="natten-25")
    assert ids(fetch(client, edition="NATTEN-25")) == {8011}


@pytest.mark.parametrize("asked", ["x" * 5000, "\x00", "☃", "2025'--", "../2025"])
def test_names_that_none_has(client: Client, editions: dict[str, Edition], asked: str) -> None:
    response = client.get("/api/events", {"edition": asked})
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert len(response.content) < 1000
    assert client.get("/", {"edition": asked}).status_code == HTTPStatus.BAD_REQUEST


def test_another_edition_has_validators_of_its_own(client: Client, editions: dict[str, Edition]) -> None:
    path = "/api/events.ics?edition=2025"
    whole, head = client.get(path), client.head(path)
    assert (head["ETag"], head["Content-Length"], head.content) == (
        whole["ETag"], str(len(whole.content)), b""
    )  # fmt: skip
    assert client.get(path, HTTP_IF_NONE_MATCH=whole["ETag"]).status_code == HTTPStatus.NOT_MODIFIED
    assert client.get("/api/events.ics")["ETag"] != whole["ETag"]


def test_followers_of_a_named_edition_are_told_nothing_of_others(
    client: Client, editions: dict[str, Edition]
) -> None:
    since = f"{Revision.objects.get().moved_at + timedelta(milliseconds=1):%Y-%m-%dT%H:%M:%S.%fZ}"
    sleep(0.01)
    editions["2027"].make_current(Revision.objects.get().moved_at + timedelta(seconds=1))
    assert fetch(client, edition="2025", modified_since=since) == []
    assert ids(fetch(client, modified_since=since)) == {8012}
    editions["2025"].save()
    assert ids(fetch(client, edition="2025", modified_since=since)) == {8011}


def test_an_occasion_is_of_its_own_edition_whichever_is_named(
    client: Client, editions: dict[str, Edition]
) -> None:
    for path in (
        "/api/occations/8011?edition=2026",
        "/tillfalle/8011?edition=2026",
        "/tillfalle/8011?edition=x",
    ):
        assert client.get(path).status_code == HTTPStatus.OK
    assert client.get("/api/occations/8011?edition=x").status_code == HTTPStatus.BAD_REQUEST
