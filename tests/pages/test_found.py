"""A search of the programme's page: its order, what is marked, what there is elsewhere, and the nearest words."""

from urllib.parse import quote

import pytest

from feeds.search import split_words
from pages.found import cut_piece, mark
from programme.models import Event, Occasion
from tests.pages.reading import links, opened, text, texts
from tests.programmes import JAZZ, utc

pytestmark = pytest.mark.usefixtures("sample", "at")

FOUND = "//ul[@class='cards']/li"
HITS = "//section[@aria-labelledby='day']//mark"


def ids(page, path=FOUND):
    return [int(each) for each in page.xpath(f"{path}/@data-o")]


def test_names_come_first_then_texts_each_event_once_and_what_is_over_is_folded(client, at):
    page = opened(client, "/?q=jazz")
    # The organizer's name, then the intro.
    assert ids(page) == [8001, 8014, 8007]
    assert ids(page, "//details[@class='earlier'][summary='Har varit 1']/ul/li") == [8007]
    assert page.xpath("//h3[.='I texten']") == []
    # Of what is held several times the next one, and the others that are to come.
    times = links(page, f"{FOUND}[@data-o='8001']/ol//a")
    assert [path for _name, path in times] == ["/tillfalle/8002", "/tillfalle/8003"]
    assert text(page.xpath(f"{FOUND}[@data-o='8001']/ol/li")[1]).startswith("lör 1 aug 16:00–17:00 Inställt")
    Event.objects.filter(pk=JAZZ).update(organizer=None, title="Blå timmen", intro_sv="Jazz i natt.")
    page = opened(client, "/?q=jazz")
    assert ids(page) == [8014, 8001, 8007]
    assert text(page.xpath("//h3")[0]) == "I texten"
    assert texts(page, f"{FOUND}[@data-o='8001']/p") == [
        "idag 16:00–17:00 Biblioteket, Sal 2 Ångtorget Konsert Teckenspråk",
        "Jazz i natt.",
    ]
    # Where all is over, nothing is folded.
    at(utc(2028, 1, 1))
    page = opened(client, "/?q=jazz")
    assert (ids(page)[0], page.xpath("//details[@class='earlier']")) == (8007, [])


def test_a_fact_is_said_that_no_row_says(client):
    Occasion.objects.filter(id=8001).update(access="sign-language audio-description")
    page = opened(client, "/en/?q=signed audio description")
    assert texts(page, f"{FOUND}[@data-o='8001']/p")[1:] == ["Audio description"]


def test_hits_are_marked_in_names_and_texts_whatever_their_accents(client):
    page = opened(client, "/?q=attling")
    assert {text(each) for each in page.xpath(HITS)} == {"ättlingar"}
    # A day's list marks them, too, and no other page has the mark.
    page = opened(client, "/?q=attling&during=2026-07-31")
    assert texts(page, HITS) == ["ättlingar"]
    assert opened(client, "/?during=2026-07-31").xpath(HITS) == []


def test_marking_leaves_what_is_no_word_as_it_is():
    hits = frozenset(split_words("amp rock"))
    assert mark("Rock'n'roll & <Rock>: amp", hits) == (
        "Rock&#x27;n&#x27;roll &amp; &lt;<mark>Rock</mark>&gt;: <mark>amp</mark>"
    )


def test_a_piece_is_cut_between_words_around_the_first_hit():
    words = " ".join(f"ord{number}" for number in range(60))
    piece = cut_piece(f"{words}\n\nKonserten. {words}", frozenset({"konserten"}))
    assert piece.startswith("… ord5")
    assert piece.endswith(" …")
    assert "ord59 Konserten. ord0" in piece
    assert len(piece) < 160
    assert cut_piece("Konserten", frozenset({"konserten"})) == "Konserten"
    assert cut_piece(words, frozenset({"konserten"})) == ""


def test_a_day_an_area_and_other_filters_say_what_there_is_elsewhere(client):
    sizes = "//p[@class='size']"
    assert texts(opened(client, "/?q=jazz"), sizes) == ["2 programpunkter, 6 tider"]
    page = opened(client, "/?q=jazz&during=2026-07-30")
    assert texts(page, sizes) == ["1 programpunkt · 5 till andra dagar"]
    assert links(page, f"{sizes}/a") == [("5 till andra dagar", "/?q=jazz&days=all")]
    page = opened(client, "/en/?q=jazz&area=Ångtorget&during=2026-07-30")
    assert texts(page, sizes) == ["1 event · 2 more on other days · 3 more in other areas"]
    assert ids(opened(client, links(page, f"{sizes}/a")[1][1])) == [8001, 8014, 8007]
    page = opened(client, "/?q=jazz&highlighted&audience=children")
    assert texts(page, sizes) == ["0 programpunkter · 6 till utan filter"]


@pytest.mark.parametrize(
    ("typed", "suggested"),
    [
        ("Fjärreningen", ["Föreningen"]),
        ("jazz ångbåtar", ["ångbåtar", "jazz"]),
        ("xxxx ångbåtar", ["ångbåtar"]),
        # In a text alone.
        ("grynningem", ["gryningen"]),
        ("xxxx", []),
        ("+++", []),
    ],
)
def test_what_finds_nothing_links_to_the_nearest_words_that_find_something(client, typed, suggested):
    page = opened(client, f"/?q={quote(typed)}")
    assert texts(page, "//div[@class='notice']/p[1]")[0].startswith(f"Inget innehåller ”{typed}”.")
    found = links(page, "//div[@class='notice']//a")
    assert [name for name, _path in found] == suggested
    assert page.xpath("//section[@aria-labelledby='day']") == []
    for _name, path in found:
        assert opened(client, path).xpath(FOUND)
