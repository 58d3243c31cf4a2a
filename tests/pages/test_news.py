"""The page of news and that of one entry."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any
from uuid import UUID

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from programme.models import NewsKind
from tests import news
from tests.conftest import NOW
from tests.golden_files import assert_golden
from tests.pages.reading import parse

pytestmark = pytest.mark.usefixtures("sample", "at")


def read(answer: Any) -> Any:
    parse(answer)
    return BeautifulSoup(answer.content.decode(), "lxml")


@pytest.mark.parametrize(("name", "path"), [("news.html", "/nytt"), ("news.en.html", "/en/news")])
def test_the_page_has_all_entries_by_day(client: Client, request: Any, name: str, path: str) -> None:
    news.write_each_kind()
    answer = client.get(path)
    page = read(answer)
    assert_golden(request, f"news/{name}", answer.content)
    assert len(page.select(".cards > li")) == 11
    # They are the entries of the feed.
    feed = client.get(f"/api/news.json?language={'en' if 'en' in path else 'sv'}").json()
    assert [each.a["href"] for each in page.select(".cards > li")] == [each["url"] for each in feed]


@pytest.mark.parametrize("language", ["sv", "en"])
def test_the_page_of_a_batch_has_all_of_it(client: Client, request: Any, language: str) -> None:
    news.write_batch(12)
    (entry,) = client.get(f"/api/news.json?language={language}").json()
    answer = client.get(entry["url"].removeprefix("https://program.example"))
    page = read(answer)
    assert_golden(request, f"news/batch.{language}.html", answer.content)
    assert page.h1.text == {"sv": "12 programpunkter flyttade", "en": "12 events moved"}[language]
    assert len(page.select(".cards > li")) == 12
    twin = client.get(page.select_one("a.twin")["href"])
    assert twin.status_code == HTTPStatus.OK


@pytest.mark.parametrize(("second", "shown"), [("Åska väntas.", ["Åska väntas."]), ("Hagel.", [])])
def test_a_batch_has_the_note_that_all_of_it_has(client: Client, second: str, shown: list[str]) -> None:
    entry, held = UUID(int=7), news.build_state(NOW)
    for number, note in enumerate(("Åska väntas.", second), 1):
        news.write(number, NewsKind.CHANGED, held, held, 8000 + number, entry=entry, note_sv=note, edit_id=1)
    notes = read(client.get("/nytt")).select(".cards > li:only-child > p:not(.quiet)")
    assert [each.text.strip() for each in notes] == shown


def test_an_entry_has_its_page_until_it_is_shown_no_more(client: Client, at: Any) -> None:
    piece = news.write(1, NewsKind.WITHDRAWN, news.build_state(NOW), {}, news.GONE)
    assert client.get(f"/nytt/{piece.uuid}").status_code == HTTPStatus.OK
    at(NOW + timedelta(days=61))
    assert client.get(f"/nytt/{piece.uuid}").status_code == HTTPStatus.NOT_FOUND
    assert client.get("/nytt/1").status_code == HTTPStatus.NOT_FOUND


def test_a_page_without_news_says_so_and_leads_on(client: Client) -> None:
    page = read(client.get("/nytt?area=tomten&date=x"))
    assert page.select_one(".none h2").text == "Inget nytt"
    assert page.select_one(".none a")["href"] == "/"
    assert page.select_one(".intro bdi").text == "Tomten"
    assert client.get("/nytt?date=x").status_code == HTTPStatus.BAD_REQUEST


def test_older_news_is_on_further_pages(client: Client) -> None:
    held = news.build_state(NOW)
    for number in range(1, 61):
        news.write(number, NewsKind.NEW, {}, held, appears_at=NOW - timedelta(minutes=number))
    first = read(client.get("/nytt?area=ångtorget"))
    second = read(client.get(first.select_one("a[rel=next]")["href"]))
    assert [len(each.select(".cards > li")) for each in (first, second)] == [50, 10]
    assert second.select_one("a[rel=prev]")["href"] == first.select_one("link[rel=canonical]")[
        "href"
    ].removeprefix("https://program.example")
    assert not second.select("a[rel=next]")


def test_the_start_page_counts_what_was_changed_since_yesterday(client: Client) -> None:
    held = news.build_state(NOW)
    for number, (kind, hours) in enumerate([("changed", 1), ("new", 2), ("changed", 20), ("changed", 60)], 1):
        before = {} if kind == "new" else held
        news.write(
            number, NewsKind(kind), before, held, 8000 + number, appears_at=NOW - timedelta(hours=hours)
        )
    [link] = read(client.get("/en/")).select(".hero a")
    assert (link.text.strip(), link["href"]) == ("2 changes since yesterday", "/en/news")
    assert not read(client.get("/?area=ångtorget")).select(".hero")


def test_the_start_page_and_the_sitemap_name_it(client: Client) -> None:
    page = read(client.get("/?area=ångtorget"))
    assert page.select_one("link[type='application/atom+xml']")["href"].startswith("/api/news.atom?area=")
    assert client.get(page.select_one("nav a[href^='/nytt']")["href"]).status_code == HTTPStatus.OK
    assert b"<loc>https://program.example/en/news</loc>" in client.get("/sitemap.xml").content
