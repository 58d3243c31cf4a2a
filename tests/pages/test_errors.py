"""Errors and addresses that cannot be understood: in the language of the address, without the database if need be."""

from http import HTTPStatus
from typing import get_args
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.test import Client, RequestFactory

from feeds.facts import BY_NAME
from pages import errors
from pages.query import MESSAGES, PARAMETER_LABELS, parse_query
from programme.api.fields import ErrorKind
from programme.api.filters import PageFilterSet
from tests.pages.reading import links, opened, parse, text, texts

with_sample = pytest.mark.usefixtures("sample", "at")


@with_sample
@pytest.mark.parametrize(
    "path",
    [
        "/tillfalle/1",
        f"/tillfalle/{10**30}",
        f"/tillfalle/{'9' * 5000}",
        "/tillfalle/8017",
        "/tillfalle/åtta",
        "/tillfalle/-1",
        "/finns-inte",
        "/english",
    ],
)
def test_what_is_unknown_or_was_never_published_is_not_found(client, path):
    page = opened(client, path, HTTPStatus.NOT_FOUND)
    assert page.get("lang") == "sv"
    assert texts(page, "//head/title|//main/h1|//main/p") == [
        "Sidan finns inte – Kulturnatten i Åsunda",
        "404",
        "Sidan finns inte",
        "Adressen kan vara felskriven. Hela programmet nås från startsidan.",
    ]
    assert page.xpath("//main//form/@action") == ["/"]
    assert page.xpath("//meta[@name='robots']/@content") == ["noindex"]


@with_sample
@pytest.mark.parametrize("path", ["/en/occasion/1", "/en/finns-inte"])
def test_not_found_below_the_english_pages_is_in_english(client, path):
    page = opened(client, path, HTTPStatus.NOT_FOUND)
    assert page.get("lang") == "en"
    assert texts(page, "//main/h1|//main/p[@class='intro']") == [
        "There is no such page",
        "The address may be mistyped. The start page leads to the whole programme.",
    ]
    assert links(page, "//a[@class='twin']|//main//a") == [("Svenska", "/"), ("The whole programme", "/en/")]
    assert page.xpath("//main//form/@action") == ["/en/"]


@pytest.mark.parametrize(
    ("path", "heading"), [("/", "Något gick fel hos oss"), ("/en/occasion/1", "Something went wrong here")]
)
def test_a_server_error_needs_no_database(path, heading):
    """Without the fixture `db`, any use of the database fails: the view's does, the page's would."""
    response = Client(raise_request_exception=False).get(path)
    assert (response.status_code, response["Cache-Control"]) == (500, "no-store")
    assert texts(parse(response), "//h1") == [heading]


@pytest.mark.parametrize(("path", "label"), [("/?q=a&b=%22", "Försök igen"), ("/en/occasion/1", "Try again")])
def test_without_a_programme_the_page_links_to_itself(path, label):
    page = parse(errors.respond(RequestFactory().get(path), HTTPStatus.SERVICE_UNAVAILABLE))
    assert links(page, "//main//a") == [(label, path)]
    assert page.xpath("//main//form") == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "sayings"),
    [
        ("/", ["Festivalprogram", "Programmet är inte publicerat än"]),
        ("/en/", ["Festival programme", "The programme is not published yet"]),
    ],
)
def test_an_empty_database_has_a_page_that_says_when_to_come_back(client, path, sayings):
    page = opened(client, path)
    assert texts(page, "//h1|//h2[@id='empty']") == sayings
    assert "demo" not in text(page)


@with_sample
def test_what_cannot_be_understood_is_named_and_the_programme_shown(client):
    page = opened(client, "/?date=igårr&highlighted=perhaps&area=Ångtorget", 400)
    [text] = texts(page, "//div[@role='alert']/p")
    assert text == "Något i adressen går inte att förstå, så här är programmet utan det."
    assert texts(page, "//div[@role='alert']//li") == [
        "Datum: ”igårr” är inget datum.",
        "Höjdpunkter: ”perhaps” är varken ja eller nej.",
    ]
    assert len(page.xpath("//section[@aria-labelledby='day']//li/@data-o")) == 5


@with_sample
@pytest.mark.parametrize(
    ("query", "messages"),
    [
        ("date=2026-07-30/2026-07-29", ["Date: “2026-07-30/2026-07-29” ends before it begins."]),
        ("date=2026-02-30&date=x", ["Date: “2026-02-30” is not a date.", "Date: “x” is not a date."]),
        ("date=a&date=b&date=c&date=d", [f"Date: “{each}” is not a date." for each in "abc"]),
        ("signinterpreted=x", ["Sign language interpreted: “x” is neither yes nor no."]),
        ("booking=x", ["Booking: There is no “x” to choose, only: not needed, needed, full, waiting list."]),
        ("age=121", ["Age: There is no “121” to choose, only: 0–120."]),
        ("occation=8001.x", ["Events: “x” is not an event."]),
        (f"q={'a+' * 21}", ["Search: At most 20 words at once."]),
        ("language=fi", ["Language of the page: There is no “fi”, only Swedish and English."]),
        ("language=sv&language=en", ["Language of the page: “sv, en” are several: choose one."]),
        ("date=<b>%00%0a{}%25s</b>", ["Date: “<b> {}%s</b>” is not a date."]),
        (f"date={'x' * 100}", [f"Date: “{'x' * 59}…” is not a date."]),
    ],
)
def test_messages_are_in_the_words_of_visitors(client, query, messages):
    for path in ("/en/", "/en/subscribe"):
        assert texts(opened(client, f"{path}?{query}", 400), "//div[@role='alert']//li") == messages


def test_every_kind_of_error_and_every_parameter_has_a_message():
    # Pages ignore an hour that is none.
    assert set(MESSAGES) == set(get_args(ErrorKind)) - {"no_hour"}
    faulty = dict.fromkeys(PageFilterSet.base_filters, "?") | {"q": "a " * 21}
    wrong = parse_query(QueryDict(urlencode(faulty)), "sv").invalid
    # Which editions there are, only the programme knows.
    assert {each.name for each in wrong} | {"edition"} == {*PARAMETER_LABELS, *BY_NAME}
