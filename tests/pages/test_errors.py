"""The pages of errors: in the language of the address, and without the database where it may be missing."""

from http import HTTPStatus

import pytest
from django.test import Client, RequestFactory

from pages import errors
from tests.pages.reading import links, opened, parse, texts

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
    ("path", "heading"),
    [("/", "Förfrågan går inte att förstå"), ("/en/", "The request cannot be understood")],
)
def test_a_request_for_a_foreign_host_is_refused(client, path, heading):
    response = client.get(path, headers={"Host": "evil.example"})
    assert (response.status_code, response["Cache-Control"]) == (400, "no-store")
    assert texts(parse(response), "//h1") == [heading]


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
