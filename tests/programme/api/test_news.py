"""`GET /api/news`: whole documents, pages, negotiation, when it appears, and what it costs."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any
from uuid import UUID

import feedparser
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from lxml import etree

from programme.models import News, NewsKind
from programme.publishing.current import current
from tests import news
from tests.conftest import NOW
from tests.golden_files import assert_golden, list_golden

pytestmark = pytest.mark.usefixtures("sample", "at")

FORMATS = ("atom", "rss", "json")
NAMES = {f"news{dot}.{each}": each for dot in ("", ".en") for each in FORMATS}
MICROSECOND = timedelta(microseconds=1)
ATOM = "{http://www.w3.org/2005/Atom}"


def titles(client: Client, query: str = "") -> list[str]:
    return [each["title"] for each in client.get(f"/api/news.json{query}").json()]


def ids(client: Client, query: str = "") -> list[int]:
    """Return the numbers of the entries, of batches that of the first piece."""
    found = client.get(f"/api/news.json{query}").json()
    return [
        UUID(each["id"]).int if len(each["occasions"]) == 1 else -len(each["occasions"]) for each in found
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_document_is_its_golden_file(client: Client, request: Any, name: str) -> None:
    news.write_each_kind()
    language = "?language=en" if ".en." in name else ""
    answer = client.get(f"/api/news.{NAMES[name]}{language}")
    assert_golden(request, f"news/{name}", answer.content)
    assert answer.content == client.get(f"/api/news.{NAMES[name]}{language}").content


def test_there_is_a_golden_file_for_each_format_and_no_other() -> None:
    assert {each for each in list_golden("news") if not each.endswith("html")} == set(NAMES)


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("", "application/atom+xml"),
        ("*/*", "application/atom+xml"),
        ("application/rss+xml", "application/rss+xml"),
        ("application/json;q=0.9, text/html", "application/json"),
        ("text/calendar", "application/problem+json"),
    ],
)
def test_the_format_is_negotiated(client: Client, accept: str, media_type: str) -> None:
    headers = {"Accept": accept} if accept else {}
    answer = client.get("/api/news", headers=headers)
    assert answer["Content-Type"] == media_type
    assert answer["Vary"].startswith("Accept")


def test_other_formats_and_wrong_values_are_refused(client: Client) -> None:
    assert client.get("/api/news.ics").status_code == HTTPStatus.NOT_FOUND
    answer = client.get("/api/news.atom?date=igår&page=11")
    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["errors"].keys() == {"date", "page"}


def test_readers_ask_no_database(client: Client) -> None:
    news.write_each_kind()
    current.renew()
    with CaptureQueriesContext(connection) as queries:
        for each in FORMATS:
            assert client.get(f"/api/news.{each}?area=Ångtorget").status_code == HTTPStatus.OK
    assert len(queries) == 0


@pytest.mark.parametrize("extension", ["atom", "rss"])
def test_a_feed_reader_reads_each_entry(client: Client, extension: str) -> None:
    news.write_each_kind()
    body = client.get(f"/api/news.{extension}").content
    feed = feedparser.parse(body)
    assert not feed.bozo
    assert feed.feed.title == "Kulturnatten i Åsunda: Nytt och ändrat"
    assert feed.feed.link == "https://program.example/nytt"
    assert [each.id for each in feed.entries[:10]] == [UUID(int=number).urn for number in range(1, 11)]
    assert all(
        each.published_parsed[:5] == (NOW - (place + 1) * news.HOUR).timetuple()[:5]
        for place, each in enumerate(feed.entries)
    )
    assert feed.entries[0].link == "https://program.example/tillfalle/8001"
    assert feed.entries[6].title.startswith("Inställt: ")
    assert "regn" in feed.entries[0].content[0].value
    if extension == "atom":
        root = etree.fromstring(body)
        assert root.find(f"{ATOM}updated").text == root.find(f"{ATOM}entry/{ATOM}updated").text


def test_all_entries_are_reached_over_pages(client: Client) -> None:
    held = news.build_state(NOW + news.HOUR)
    for number in range(1, 121):
        news.write(number, NewsKind.NEW, {}, held, appears_at=NOW - timedelta(minutes=number))
    url, seen, pages = "https://program.example/api/news.atom", [], []
    while url:
        answer = client.get(url.removeprefix("https://program.example"))
        root = etree.fromstring(answer.content)
        links = {each.get("rel"): each.get("href") for each in root.findall(f"{ATOM}link")}
        assert f'<{links["first"]}>; rel="first"' in answer["Link"]
        assert links["last"] == "https://program.example/api/news.atom?page=3"
        assert links.get("previous") == (pages[-1] if pages else None)
        seen += [UUID(each.text).int for each in root.findall(f"{ATOM}entry/{ATOM}id")]
        pages.append(url)
        url = links.get("next")
    assert seen == [*range(1, 121)]
    assert client.get("/api/news.json?page=4").json() == []


def test_no_more_than_500_entries_are_shown(client: Client) -> None:
    held = news.build_state(NOW + news.HOUR)
    for number in range(1, 503):
        news.write(number, NewsKind.NEW, {}, held, appears_at=NOW - timedelta(minutes=number))
    answer = client.get("/api/news.json?page=10")
    assert UUID(answer.json()[-1]["id"]).int == 500
    assert answer["X-Total-Count"] == "500"


def test_it_appears_at_its_instant_and_leaves_after_sixty_days(client: Client, at: Any) -> None:
    held = news.build_state(NOW + news.HOUR)
    appears = NOW + timedelta(minutes=5)
    news.write(1, NewsKind.CANCELLED, held, held | {"cancelled": True}, appears_at=appears)
    current.renew()
    shown = []
    with CaptureQueriesContext(connection) as queries:
        for instant in (
            *(NOW, appears - MICROSECOND, appears),
            *(appears + timedelta(days=60) - MICROSECOND, appears + timedelta(days=60)),
        ):
            at(instant)
            shown.append(ids(client))
    assert shown == [[], [], [1], [1], []]
    assert len(queries) == 0


def test_what_was_written_as_one_entry_is_one(client: Client) -> None:
    news.write_batch(10)
    assert len(titles(client)) == 10
    current.clear()
    News.objects.all().delete()
    news.write_batch(12)
    (entry,) = client.get("/api/news.json").json()
    assert len(entry["occasions"]) == 12
    assert entry["title"].startswith("12 programpunkter flyttade: ")
    assert entry["url"] == f"https://program.example/nytt/{UUID(entry['id'])}"


def test_a_selection_of_a_batch_is_the_same_entry_and_counts_what_it_selects(client: Client) -> None:
    news.write_batch(16)
    (entry,) = client.get("/api/news.json").json()
    every = sorted({each["id"] for each in entry["occasions"]})
    (three,) = client.get(f"/api/news.json?occation={'.'.join(map(str, every[:3]))}").json()
    assert (three["id"], three["title"][:16]) == (entry["id"], "3 programpunkter")
    (one,) = client.get(f"/api/news.json?occation={every[4]}").json()
    assert (one["id"], one["title"].split(":")[0]) == (entry["id"], "Flyttad")
    assert one["url"] == f"https://program.example/tillfalle/{every[4]}"


def test_what_is_gone_is_found_by_what_it_was(client: Client) -> None:
    held = news.build_state(NOW + news.HOUR)
    news.write(1, NewsKind.WITHDRAWN, held, {}, news.GONE)
    news.write(2, NewsKind.NEW, {}, held, 8007)
    for query in (
        *("area=Ångtorget", "subarea=none&area=Ångtorget", "organizer=3999", "type=4999", "q=borttagen"),
        *(f"occation={news.GONE}", "q=stora scenen", "date=today&organizer=3999"),
    ):
        assert ids(client, f"?{query}") == [1], query
    assert ids(client, "?area=Tomten&organizer=3999") == []
