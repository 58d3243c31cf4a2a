"""The page on which a selection is taken away: every way, of exactly what was chosen."""

import pytest

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


@pytest.mark.parametrize("path", ["/prenumerera?", "/en/subscribe?type=4001"])
def test_calendars_that_name_what_is_cancelled_are_offered(client, path):
    taken = fields(opened(client, path))
    joint = "&" if "?" in taken["ics"] else "?"
    assert taken["ics-shown"] == f"{taken['ics']}{joint}cancelled=show"
    assert taken["ics-marked"] == f"{taken['ics']}{joint}cancelled=mark"
    addresses = [taken[each].removeprefix(BASE) for each in ("ics", "ics-shown", "ics-marked")]
    calendars = [client.get(each).content.decode() for each in addresses]
    assert [
        ("STATUS:CANCELLED" in each, "SUMMARY:INSTÄLLT." in each or "SUMMARY:CANCELLED." in each)
        for each in calendars
    ] == [(True, False), (False, True), (True, True)]


@pytest.mark.parametrize(
    ("path", "least"), [("/prenumerera?area=ångtorget", 4), ("/utvecklare?area=ångtorget", 12)]
)
def test_every_address_answers(client, path, least):
    page = opened(client, path)
    hrefs = [href for _, href in links(page, "//main//a")] + page.xpath("//iframe/@src")
    paths = [href for href in hrefs if href.startswith("/")]
    assert len(paths) > least
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


def test_what_is_chosen_can_be_chosen_although_the_areas_have_none_of_it(client):
    page = opened(client, "/en/subscribe?area=parken; norr, söder %26 \\mitt&subarea=none&type=Vernissage")
    chosen = texts(page, "//div[@id='narrowed']//label[input/@checked]")
    assert chosen == ["in no sub area", "Vernissage"]


def test_what_is_over_is_shown_when_nothing_is_to_come(client, at):
    at(utc(2028, 1, 1))
    assert len(opened(client, "/prenumerera").xpath("//section[@id='selected']//li")) == 3


def test_the_list_and_the_post_are_the_formats_own(client):
    taken = fields(opened(client, "/utvecklare"))
    assert taken["list"].strip() == client.get("/api/events.qx1").content.decode().strip()
    assert taken["bbcode"].strip() == client.get("/api/events.bbcode").content.decode().strip()


def test_what_is_too_long_to_paste_is_a_link(client, monkeypatch):
    monkeypatch.setattr("pages.developers.MAX_PASTED", 3)
    page = opened(client, "/utvecklare")
    assert {"list", "bbcode"} & fields(page).keys() == set()
    assert links(section(page, "forum")) == [("BBCode", "/api/events.bbcode")]


def test_a_selection_of_nothing_says_so(client):
    notice = "//section[@id='selected']/*[@class='notice']"
    assert texts(opened(client, "/en/subscribe?q=xxyyzz"), notice) == ["Nothing has “xxyyzz”."]
    [text] = texts(opened(client, "/en/subscribe?q=jazz&area=Parken"), notice)
    assert text == "Nothing in the programme matches this."


@pytest.mark.parametrize("path", ["/prenumerera", "/en/subscribe"])
def test_invalid_parameters_are_listed_and_left_out(client, path):
    page = opened(client, f"{path}?date=soon", 400)
    assert "soon" in text(page.xpath("//div[@role='alert']//li")[0])
    assert "date" not in fields(page)["ics"]


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
