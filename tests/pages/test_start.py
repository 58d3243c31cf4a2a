"""The start page: what is on, and the way to everything."""

import pytest

from feeds.formats import FORMATS
from programme import models
from tests.pages.reading import links, opened, said, text, texts
from tests.programmes import utc

with_sample = pytest.mark.usefixtures("sample", "at")


def section(page, name):
    return page.xpath(f"//section[@aria-labelledby='{name}']")[0]


def pairs(part):
    """Return the terms of a list of facts, each with its link."""
    return [(text(row[0]), row.xpath("string(.//a/@href)")) for row in part.xpath(".//dl/div")]


@with_sample
def test_it_says_what_the_festival_is_and_how_much_there_is(client):
    assert texts(opened(client, "/"), "//main/header/*") == [
        "Kulturnatten i Åsunda",
        "Hela stadens natt & dag",
        "Här publiceras programmet: för besökare, webbplatser, appar och kalendrar.",
        "6 evenemang, 16 tillfällen · Festivalens webbplats",
    ]
    english = opened(client, "/en/")
    assert texts(english, "//main/header/*") == [
        "Åsunda Culture Night",
        "The whole town's night & day",
        "This is where the programme is published: for visitors, websites, apps and calendars.",
        "6 events, 16 occasions · The festival's website",
    ]
    assert links(english, "//header//a") == [
        ("Svenska", "/"),
        ("The festival's website", "https://kulturnatten.example/"),
    ]


@with_sample
@pytest.mark.parametrize(("path", "own"), [("/", "sv"), ("/en/", "en")])
def test_it_names_its_twin_and_its_own_address(client, path, own):
    head = opened(client, path).find("head")
    addresses = {"sv": "https://program.example/", "en": "https://program.example/en/"}
    assert head.xpath("//link[@rel='canonical']/@href") == [addresses[own]]
    twins = head.xpath("//link[@rel='alternate' and @hreflang]")
    assert [(each.get("hreflang"), each.get("href")) for each in twins] == list(addresses.items())


@with_sample
def test_it_shows_what_is_on_now_and_what_comes_next(client):
    page = opened(client, "/")
    now, upcoming = section(page, "now"), section(page, "upcoming")
    start = "2026-07-29T16:00:00+02:00"
    assert [said(each) for each in now.xpath("ol/li")] == [
        (
            "idag 14:00–14:30 Only in English Nätet",
            {"href": ["/tillfalle/8005"], "datetime": ["2026-07-29T14:00:00+02:00"]},
        )
    ]
    assert [said(each)[1] for each in upcoming.xpath("ol/li")] == [
        {"href": [f"/tillfalle/{each}"], "datetime": [start]} for each in (8015, 8016, 8001, 8014, 8013)
    ]
    assert links(now, ".//p/a") == [("Visa alla", "/api/events.qx1?date=now")]
    assert links(upcoming, ".//p/a") == [("Visa alla", "/api/events.qx1?date=upcoming")]


@with_sample
def test_it_says_in_words_that_something_is_cancelled(client, at):
    at(utc(2026, 7, 31, 19))
    assert texts(section(opened(client, "/en/"), "upcoming"), "ol/li")[0] == (
        "today 22:00–Sun 2 Aug 04:00 Åtta ångbåtar, åtta ödesmättade ättlingar och två hela nätter på sjön"
        " utan sömn överhuvudtaget Cancelled Biblioteket"
    )


@with_sample
def test_it_says_when_nothing_is_on_and_nothing_comes(client, at):
    at(utc(2027, 8, 1))
    page = opened(client, "/")
    assert texts(section(page, "now"), "p") == ["Inget pågår just nu."]
    assert texts(section(page, "upcoming"), "p") == ["Inget mer är på gång."]


@with_sample
def test_it_lists_the_days_with_their_occasions(client):
    part = section(opened(client, "/"), "days")
    assert texts(part, ".//li") == [
        "tisdag 29 juli 2025 1 tillfälle",
        "söndag 29 mars 1 tillfälle",
        "tisdag 28 juli 1 tillfälle",
        "onsdag 29 juli 8 tillfällen, idag",
        "torsdag 30 juli 1 tillfälle",
        "fredag 31 juli 1 tillfälle",
        "lördag 1 augusti 1 tillfälle",
        "söndag 25 oktober 1 tillfälle",
        "fredag 1 januari 2027 1 tillfälle",
    ]
    assert texts(section(opened(client, "/en/"), "days"), ".//li[@class='today']") == [
        "Wednesday 29 July 8 occasions, today"
    ]


@with_sample
def test_a_day_leads_to_as_many_occasions_as_it_says(client):
    for line in section(opened(client, "/"), "days").xpath(".//li"):
        listed = client.get(line.xpath("string(a/@href)")).content.count(b"<p")
        assert text(line.find("span")).startswith(f"{listed} ")


# --- The way to everything -------------------------------------------------------------------------------


@with_sample
def test_it_leads_to_every_format_in_its_own_language(client):
    swedish, english = (section(opened(client, path), "formats") for path in ("/", "/en/"))
    assert pairs(swedish) == [
        ("JSON", "/api/events.json"),
        ("Atom", "/api/events.atom"),
        ("RSS", "/api/events.rss"),
        ("RSS för WordPress", "/api/events.rss-wp"),
        ("iCalendar", "/api/events.ics"),
        ("iCalendar som text", "/api/events.ics-text"),
        ("BBCode", "/api/events.bbcode"),
        ("HTML-lista", "/api/events.qx1"),
        ("JSON", "/api/areas.json"),
    ]
    assert pairs(english) == [
        ("JSON", "/api/events.json?language=en"),
        ("Atom", "/api/events.atom?language=en"),
        ("RSS", "/api/events.rss?language=en"),
        ("RSS for WordPress", "/api/events.rss-wp?language=en"),
        ("iCalendar", "/api/events.ics?language=en"),
        ("iCalendar as text", "/api/events.ics-text?language=en"),
        ("BBCode", "/api/events.bbcode?language=en"),
        ("HTML list", "/api/events.qx1?language=en"),
        ("JSON", "/api/areas.json"),
    ]
    assert [texts(row, ".//code") for row in swedish.xpath(".//dl/div")] == [
        *(list(each.media_types) for each in FORMATS),
        ["application/json", "text/json"],
    ]


@with_sample
def test_programs_that_look_for_feeds_find_them(client):
    feeds = opened(client, "/").xpath("//head/link[@rel='alternate' and @type]")
    assert [(each.get("type"), each.get("href"), each.get("title")) for each in feeds] == [
        (each.media_types[0], f"/api/events.{each.extension}", each.label.sv) for each in FORMATS
    ]


@with_sample
def test_it_shows_how_to_select(client):
    assert pairs(section(opened(client, "/"), "examples")) == [
        ("idag", "/api/events.json?date=today"),
        ("imorgon", "/api/events.json?date=tomorrow"),
        ("nu", "/api/events.json?date=now"),
        ("kommande", "/api/events.json?date=upcoming"),
        ("Ångtorget", "/api/events.json?area=%C3%85ngtorget"),
        ("idag, Ångtorget", "/api/events.json?date=today&area=%C3%85ngtorget"),
        ("framhävt", "/api/events.json?highlighted=true"),
        ("texterna på engelska", "/api/events.json?language=en"),
    ]
    assert pairs(section(opened(client, "/en/"), "examples"))[5:] == [
        ("today, Ångtorget", "/api/events.json?date=today&area=%C3%85ngtorget&language=en"),
        ("highlights", "/api/events.json?highlighted=true&language=en"),
        ("texts in Swedish", "/api/events.json"),
    ]


@with_sample
@pytest.mark.parametrize("path", ["/", "/en/"])
def test_every_link_leads_somewhere(client, path):
    hrefs = {href for _, href in links(opened(client, path)) if href.startswith("/")}
    assert {"/ns/programme", "/admin/", "/api/areas.json"} <= hrefs
    answers = {href: client.get(href).status_code for href in hrefs}
    # The back office sends strangers to its login.
    assert answers == dict.fromkeys(hrefs, 200) | {"/admin/": 302}


# --- Without a programme ----------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "sayings"),
    [
        ("/", ["Festivalprogram", "0 evenemang, 0 tillfällen", "Programmet är tomt"]),
        ("/en/", ["Festival programme", "0 events, 0 occasions", "The programme is empty"]),
    ],
)
def test_an_empty_database_has_a_start_page_that_says_how_to_begin(client, path, sayings):
    page = opened(client, path)
    hint = section(page, "empty")
    assert texts(page, "//h1|//p[@class='size']|//h2[@id='empty']") == sayings
    assert [href for _, href in links(hint)] == ["/admin/"]
    assert texts(hint, ".//code") == ["make demo"]
    assert [label for label, _ in pairs(section(page, "formats"))][:-1] == [
        each.label.within(page.get("lang")) for each in FORMATS
    ]
    assert len(pairs(section(page, "examples"))) == 6


@with_sample
def test_a_website_that_is_no_web_address_is_no_link(client):
    models.Festival.objects.update(website="javascript:alert(1)")
    assert links(opened(client, "/"), "//main/header//a") == []
