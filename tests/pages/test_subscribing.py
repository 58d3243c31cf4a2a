"""The page on which a selection is taken away: every way, of exactly what was chosen."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from feeds.formats import FORMATS
from pages.subscribing import render_qr
from programme import models
from tests.pages.reading import links, opened, text, texts
from tests.programmes import utc

pytestmark = pytest.mark.usefixtures("sample", "at")

BASE = "https://program.example"


def section(page, name):
    return page.xpath(f"//section[@aria-labelledby='{name}']")[0]


def fields(page):
    """Return what can be copied, by the name of its field."""
    inputs = {each.get("id"): each.get("value") for each in page.xpath("//input[@readonly]")}
    return inputs | {each.get("id"): each.text for each in page.xpath("//textarea[@readonly]")}


def sent(form):
    """Return what a form sends as it stands, without empty fields."""
    pairs = [(each.get("name"), each.get("value")) for each in form.xpath(".//input[@type='hidden']")]
    ticked = form.xpath(".//input[@type='checkbox'][@checked]")
    pairs += [(each.get("name"), each.get("value")) for each in ticked]
    chosen = form.xpath(".//select[option[@selected]]")
    pairs += [(each.get("name"), each.xpath("string(option[@selected]/@value)")) for each in chosen]
    pairs += [(each.get("name"), each.get("value")) for each in form.xpath(".//input[@type='search']")]
    return sorted(pair for pair in pairs if pair[1])


@pytest.mark.parametrize(
    ("path", "query", "language"),
    [
        ("/prenumerera", "area=%C3%85ngtorget", "sv"),
        ("/en/subscribe", "area=%C3%85ngtorget&language=en", "en"),
    ],
)
def test_every_link_has_the_selection_and_the_language_of_the_page(client, path, query, language):
    page = opened(client, f"{path}?area=ångtorget")
    assert page.get("lang") == language
    assert links(section(page, "calendar"))[0][1] == f"webcal://program.example/api/events.ics?{query}"
    taken = fields(page)
    assert taken["ics"] == f"{BASE}/api/events.ics?{query}"
    assert taken["curl"] == f"curl --compressed '{BASE}/api/events.json?{query}'"
    assert [href for _, href in links(section(page, "feeds"))] == [
        f"/api/events.{each.extension}?{query}" for each in FORMATS
    ]
    frame = {"sv": "/lista", "en": "/en/list"}[language]
    assert page.xpath("//iframe/@src") == [f"{frame}?area=%C3%85ngtorget"]
    assert f'src="{BASE}{frame}?area=%C3%85ngtorget"' in taken["frame"]
    assert dict(page.xpath("//festival-programme")[0].attrib) == {
        "area": "Ångtorget",
        "language": language,
        "level": "4",
    }


def test_other_calendars_get_the_same_address(client):
    page = opened(client, "/prenumerera?type=1&highlighted=true")
    (_, webcal), (outlook, url), google, shown = links(section(page, "calendar"))
    assert (outlook, google[0]) == ("Outlook.com", "Google Kalender")
    # Google documents a form for an address, and none that is filled in.
    assert google[1] == "https://calendar.google.com/calendar/r/settings/addbyurl"
    assert shown[1] == f"{webcal}&cancelled=show"
    query = parse_qs(urlsplit(url).query)
    assert query["url"] == [webcal.replace("webcal:", "https:")] == [fields(page)["ics"]]
    assert query["name"] == [text(page.xpath("//p[@class='total']/bdi")[0])]


@pytest.mark.parametrize(
    "path", ["/prenumerera?", "/en/subscribe?type=4001", "/mitt-program?occation=8001.8003"]
)
def test_a_calendar_that_shows_what_is_cancelled_is_offered(client, path):
    taken = fields(opened(client, path))
    joint = "&" if "?" in taken["ics"] else "?"
    assert taken["ics-shown"] == f"{taken['ics']}{joint}cancelled=show"
    calendars = [client.get(taken[each].removeprefix(BASE)).content for each in ("ics", "ics-shown")]
    assert [each.count(b"STATUS:CANCELLED") > 0 for each in calendars] == [True, False]


def test_every_address_answers(client):
    page = opened(client, "/prenumerera?area=ångtorget")
    hrefs = [href for _, href in links(page, "//main//a")] + page.xpath("//iframe/@src")
    paths = [href for href in hrefs if href.startswith("/")]
    assert len(paths) > 15
    assert {path: client.get(path).status_code for path in paths} == dict.fromkeys(paths, 200)


def test_the_form_sends_the_whole_query_again(client):
    pairs = [
        ("area", "Ångtorget"),
        ("date", "2026-07-29"),
        ("date", "2026-07-30"),
        ("highlighted", "true"),
        ("occation", "8001.8002"),
        ("q", "jazz"),
    ]
    query = "&".join("=".join(pair) for pair in pairs)
    page = opened(client, f"/prenumerera?{query}")
    assert sent(page.xpath("//main//form")[0]) == pairs


def test_it_offers_relative_dates_and_the_days(client):
    options = texts(opened(client, "/prenumerera"), "//select[@name='date']/option")
    assert options[:4] == ["Alla dagar", "idag", "imorgon", "kommande"]
    assert {"onsdag 29 juli", "tisdag 29 juli 2025"} <= set(options)


def test_what_is_chosen_has_a_chip_and_the_day_too(client):
    page = opened(client, "/prenumerera?date=today&date=2026-07-30/2026-07-31&area=ångtorget")
    assert links(page, "//p[@class='chips']/a") == [
        ("idag × (Ta bort)", "/prenumerera?date=2026-07-30/2026-07-31&area=%C3%85ngtorget"),
        (
            "30 juli 2026 – 31 juli 2026 × (Ta bort)",
            "/prenumerera?date=today&area=%C3%85ngtorget",
        ),
        ("Ångtorget × (Ta bort)", "/prenumerera?date=today&date=2026-07-30/2026-07-31"),
        ("Rensa alla", "/prenumerera"),
    ]
    assert opened(client, "/?date=2026-07-30").xpath("//p[@class='chips']") == []


def test_what_is_chosen_can_be_chosen_although_the_areas_have_none_of_it(client):
    page = opened(client, "/en/subscribe?area=parken; norr, söder %26 \\mitt&subarea=none&type=Vernissage")
    chosen = texts(page, "//option[@selected]")
    assert chosen == ["in no sub area", "Vernissage"]


def test_an_interval_of_days_stays_chosen(client):
    page = opened(client, "/prenumerera?date=2026-07-29/2026-07-31")
    chosen = page.xpath("//select[@name='date']/option[@selected]/@value")
    assert chosen == ["2026-07-29/2026-07-31"]


def test_it_shows_how_much_is_selected_and_what_comes_next(client):
    page = opened(client, "/prenumerera?area=ångtorget")
    count = client.get("/api/events.ics?area=ångtorget").content.count(b"BEGIN:VEVENT")
    assert text(page.xpath("//p[@class='total']/strong")[0]) == f"{count} tillfällen"
    shown = page.xpath("//section[@id='selected']//li/@data-o")
    assert 0 < len(shown) <= 5


def test_what_is_over_is_shown_when_nothing_is_to_come(client, at):
    at(utc(2028, 1, 1))
    assert len(opened(client, "/prenumerera").xpath("//section[@id='selected']//li")) == 5


def test_the_list_and_the_post_are_the_formats_own(client):
    taken = fields(opened(client, "/prenumerera"))
    assert taken["list"].strip() == client.get("/api/events.qx1").content.decode().strip()
    assert taken["bbcode"].strip() == client.get("/api/events.bbcode").content.decode().strip()


def test_what_is_too_long_to_paste_is_a_link(client, monkeypatch):
    monkeypatch.setattr("pages.subscribing.MAX_PASTED", 3)
    page = opened(client, "/prenumerera")
    assert {"list", "bbcode"} & fields(page).keys() == set()
    assert links(section(page, "forum")) == [("BBCode", "/api/events.bbcode")]


def test_a_selection_of_nothing_says_so(client):
    page = opened(client, "/en/subscribe?q=nosuchword")
    assert texts(page, "//section[@id='selected']/p[@class='notice']") == [
        "Nothing in the programme matches this."
    ]


@pytest.mark.parametrize("path", ["/prenumerera", "/en/subscribe"])
def test_invalid_parameters_are_listed_and_left_out(client, path):
    page = opened(client, f"{path}?date=soon", 400)
    assert "soon" in text(page.xpath("//div[@role='alert']//li")[0])
    assert "date" not in fields(page)["ics"]


def test_a_percent_sign_does_not_end_the_line_of_crontab(client):
    line = fields(opened(client, "/prenumerera?area=ångtorget"))["fetch"]
    assert re.search(r"(?<!\\)%", line) is None
    assert "area=\\%C3\\%85ngtorget" in line


def test_a_picture_is_made_of_what_is_short_enough():
    assert render_qr("å" * 350).startswith('<svg viewBox="0 0 ')
    assert render_qr("å" * 350 + "a") == ""
    assert render_qr("https://program.example/a") != render_qr("https://program.example/b")


def test_no_picture_is_made_of_an_address_too_long_to_be_read(client):
    assert opened(client, "/prenumerera").xpath("//figure[@class='qr']//*[local-name()='svg']")
    long = ".".join(map(str, range(10**8, 10**8 + 90)))
    assert opened(client, f"/prenumerera?occation={long}").xpath("//figure[@class='qr']") == []


@pytest.mark.parametrize("path", ["/prenumerera", "/en/subscribe", "/mitt-program", "/lista"])
def test_a_page_of_an_empty_programme_opens(client, path):
    models.Event.objects.all().delete()
    assert opened(client, path).xpath("//h1")
