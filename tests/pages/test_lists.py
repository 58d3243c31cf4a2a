"""The page of a list that editors made, and the ways that lead to it."""

import json
from http import HTTPStatus

import pytest

from programme.models import ListItem, OccasionList
from tests.pages.reading import links, opened, text, texts

pytestmark = pytest.mark.usefixtures("sample", "at", "lists")


def test_it_says_what_it_is_for_and_lists_what_is_to_come(client):
    page = opened(client, "/lista/12")
    assert text(page.xpath("//h1")[0]) == "För familjer"
    assert texts(page, "//div[@class='intro']/p") == ["Lugnt & roligt.", "Hela dagen."]
    assert texts(page, "//h2") == ["onsdag 29 juli", "torsdag 30 juli", "lördag 1 augusti"]
    shown = [each.get("data-o") for each in page.xpath("//li[@data-o]")]
    # All of Jazz, of which one is cancelled, and one of what is on now.
    assert shown == ["8005", "8001", "8002", "8003"]
    assert "/prenumerera?list=12" in dict(links(page)).values()


def test_in_english_it_is_said_what_is_in_swedish_alone(client):
    page = opened(client, "/en/list/15/whatever-it-was-called")
    heading = page.xpath("//h1")[0]
    assert (text(heading), heading.get("lang")) == ("Bara <på> svenska", "sv")
    page = opened(client, "/en/list/12")
    assert texts(page, "//h1|//div[@class='intro']/p") == ["For families", "All day."]
    canonical = {each.get("hreflang"): each.get("href") for each in page.xpath("//link[@hreflang]")}
    assert canonical["en"].endswith("/en/list/12/for-families")
    assert canonical["sv"].endswith("/lista/12/f%C3%B6r-familjer")


def test_search_engines_read_what_is_to_come_on_it(client):
    (script,) = opened(client, "/en/list/12").xpath("//script[@type='application/ld+json']")
    host = "https://program.example/en/occasion"
    items = [
        {"@type": "ListItem", "position": place, "url": f"{host}/{key}"}
        for place, key in enumerate((8005, 8001, 8002, 8003), 1)
    ]
    assert json.loads(script.text) == {
        "@context": "https://schema.org",
        "@type": "ItemList",
        "name": "For families",
        "description": "All day.",
        "itemListElement": items,
    }


def test_one_that_is_not_published_is_not_there(client):
    for path in ("/lista/13", "/en/list/13/utkast", "/lista/99", "/lista/0"):
        assert client.get(path).status_code == HTTPStatus.NOT_FOUND


def test_the_programme_its_filters_and_occasions_lead_there(client):
    page = opened(client, "/")
    found = dict(links(page))
    assert found["För familjer"] == "/lista/12/f%C3%B6r-familjer"
    options = "//label[input[@name='list']]"
    assert texts(page, options) == ["För familjer"]
    detail = opened(client, "/tillfalle/8005").xpath("//dt[.='Listor']/following-sibling::dd//a")
    assert [each.get("href") for each in detail] == ["/lista/12/f%C3%B6r-familjer"]
    ListItem.objects.all().delete()
    assert texts(opened(client, "/"), options) == []
    OccasionList.objects.all().delete()
    assert "Listor" not in client.get("/").content.decode()
