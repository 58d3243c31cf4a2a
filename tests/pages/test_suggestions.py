"""Names that may have been meant, and the filter in which one is typed where there are too many to list."""

import pytest

from pages.filters import MAX_SUGGESTIONS, suggest_names

# It takes its bound from the filters, before a test changes it there.
from pages.subscribing import MAX_OPTIONS
from programme import models
from tests.pages.reading import links, opened, texts

NAMES = ["Kulturskolan", "Åsunda kulturförening", "Kulturhuset", "Föreningen Jazz", "Jazzklubben i Åsunda"]
with_many = pytest.mark.usefixtures("sample", "at", "many")


@pytest.fixture
def many(monkeypatch):
    """More organizers than are listed: of the sample's two, one."""
    monkeypatch.setattr("pages.filters.MAX_OPTIONS", 1)


@pytest.mark.parametrize(
    ("typed", "suggested"),
    [
        ("kultur", ["Kulturhuset", "Kulturskolan", "Åsunda kulturförening"]),
        ("JAZZ förening", ["Föreningen Jazz"]),
        ("åsunda jazz", ["Jazzklubben i Åsunda"]),
        ("Kulturskollan", ["Kulturskolan"]),
        ("Forening jazz", ["Föreningen Jazz"]),
        ("Operan", []),
        ("kulturskolan" * 10, []),
    ],
)
def test_names_with_the_words_are_suggested_or_else_similar_names(typed, suggested):
    assert suggest_names(typed, NAMES) == suggested


def test_of_very_many_a_few_are_suggested():
    assert (
        len(suggest_names("scen", [f"Scen {number}" for number in range(MAX_OPTIONS + 1)])) == MAX_SUGGESTIONS
    )


def field(page):
    return page.xpath("//input[@name='organizer'][@type='search']")[0]


@with_many
@pytest.mark.parametrize("path", ["/", "/en/", "/prenumerera", "/en/subscribe"])
@pytest.mark.parametrize("typed", ["Föreningen Jazz", "fÖRENINGEN jazz", "3001"])
def test_a_name_is_typed_where_there_are_too_many_to_list(client, path, typed):
    page = opened(client, f"{path}?organizer={typed}")
    assert field(page).get("value") == "Föreningen Jazz"
    assert (page.xpath("//select[@name='organizer']"), page.xpath("//div[@class='notice']")) == ([], [])
    assert field(opened(client, path)).get("value") == ""


@with_many
def test_an_unknown_name_links_to_suggestions(client):
    page = opened(client, "/?organizer=jazz&area=Ångtorget&date=2026-07-29")
    assert texts(page, "//div[@class='notice']/p[1]") == [
        "Inget i programmet heter ”jazz”. Menade du något av det här?"
    ]
    (suggestion,) = links(page, "//div[@class='notice']//a")
    assert suggestion[0] == "Föreningen Jazz"
    found = opened(client, suggestion[1])
    assert field(found).get("value") == "Föreningen Jazz"
    assert found.xpath("//li[@data-o='8001']")
    assert texts(opened(client, "/en/?organizer=x"), "//div[@class='notice']/p") == [
        "Nothing in the programme is called “x”."
    ]


@with_many
def test_what_else_was_chosen_is_sent_along(client):
    page = opened(client, "/?organizer=Föreningen Jazz&organizer=<Åsa> %26 co; ek., för.")
    hidden = page.xpath("//form//input[@type='hidden'][@name='organizer']/@value")
    assert sorted([field(page).get("value"), *hidden]) == ["<Åsa> & co; ek., för.", "Föreningen Jazz"]


@with_many
def test_no_list_of_names_is_sent_with_the_field(client):
    models.Organizer.objects.filter(id=3001).update(name="Zzyzx")
    assert "Zzyzx" not in client.get("/").content.decode()
