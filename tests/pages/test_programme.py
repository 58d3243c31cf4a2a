"""The programme's page: which day it opens on, what its filters select, and where its links lead."""

from datetime import date, timedelta
from urllib.parse import urlsplit

import pytest
from django.http import QueryDict
from hypothesis import given
from msgspec.structs import replace

from feeds.day_layout import MAX_TABS
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from pages import programme as page_module
from pages.days import DayTabs
from pages.programme import ProgrammePage
from pages.query import parse_query
from programme import models
from programme.publishing.current import current
from tests.conftest import NOW
from tests.feeds.strategies import programmes
from tests.pages.reading import links, opened, text, texts
from tests.programmes import DRAFT, JAZZ, utc

pytestmark = pytest.mark.usefixtures("sample", "at")


def rows(page, path="//section[@aria-labelledby='day']"):
    return [int(each) for each in page.xpath(f"{path}//li/@data-o")]


def tab(page):
    return [text(each) for each in page.xpath("//nav[@class='days']//a[@aria-current]")]


@pytest.mark.parametrize(
    ("instant", "day"),
    [
        (utc(2026, 3, 1), "2026-03-29"),
        (utc(2026, 7, 28, 12), "2026-07-28"),
        (utc(2026, 7, 29, 23, 30), "2026-07-30"),
        (utc(2026, 8, 2), "2026-10-25"),
        (utc(2028, 1, 1), "2027-01-01"),
    ],
)
def test_it_opens_on_today_or_the_first_day_to_come_or_the_last(client, at, instant, day):
    at(instant)
    assert opened(client, "/").xpath("//nav[@class='days']//a[@aria-current]//@datetime") == [day]


def test_with_filters_it_opens_on_the_first_day_that_has_something(client):
    page = opened(client, "/en/?area=Ångtorget&organizer=3001&subarea=scenen&room=Källaren")
    assert (tab(page), rows(page)) == (["Thu 30 Jul"], [8002])


def test_occasions_still_on_from_earlier_days_are_listed_apart(client, at):
    at(utc(2026, 8, 1, 12))
    page = opened(client, "/")
    assert rows(page, "//section[@aria-labelledby='day']//ol[@class='slots']") == [8003]
    assert rows(page, "//details[contains(@class, 'long')]") == [8009]


def test_what_has_just_begun_stands_first_of_what_is_on(client, at):
    start = utc(2026, 7, 29, 11)
    for number in range(6):
        models.Occasion.objects.create(
            id=9000 + number, event_id=JAZZ, start=start.replace(minute=number), end=utc(2026, 7, 31, 11)
        )
    current.clear()
    page = opened(client, "/")
    assert rows(page, "//section[@aria-labelledby='now']") == [8005, 9005, 9004, 9003]
    assert links(page, "//section[@aria-labelledby='now']//p[@class='more']/a") == [
        ("Visa alla (7)", "/?date=now")
    ]


def test_on_another_day_it_shows_when_it_began(client, at):
    at(utc(2026, 8, 1, 12))
    page = opened(client, "/")
    shown = [text(each) for each in page.xpath("//li[@data-o='8009']//time")]
    assert shown == ["igår 22:00–imorgon 04:00"] * 2


def test_an_occasion_of_24_hours_shows_both_days(client):
    models.Occasion.objects.filter(id=8002).update(start=utc(2026, 7, 30, 10), end=utc(2026, 7, 31, 10))
    current.clear()
    row = opened(client, "/?during=2026-07-30").xpath("//ol//li[@data-o='8002']")[0]
    assert text(row.xpath(".//time")[0]) == "12:00–fre 31 jul 12:00"
    assert text(opened(client, "/tillfalle/8002").xpath("//p[@class='when']/time")[0]) == (
        "imorgon 12:00–fre 31 jul 12:00"
    )


def test_after_the_last_day_it_says_that_it_is_over(client, at):
    over = "//section[@class='notice over']"
    assert opened(client, "/").xpath(over) == []
    at(utc(2028, 1, 1))
    page = opened(client, "/")
    assert texts(page, f"{over}/h2|//section[@class='highlights']/h2|//ul[@class='band']//a") == [
        "Festivalen är över för den här gången",
        "Höjdpunkter",
        *models.Event.objects.filter(highlighted=True, occasions__cancelled=False)
        .exclude(id=DRAFT)
        .distinct()
        .values_list("title", flat=True),
    ]
    assert all("2026" in each for each in texts(page, "//ul[@class='band']//time"))
    [text] = texts(opened(client, "/?area=Tomten"), f"{over}/h2|//ul[@class='band']//a")
    assert text == "Festivalen är över för den här gången"


def test_of_pages_that_there_are_not_the_last_is_shown(client):
    assert rows(opened(client, "/?days=all&page=99")) == rows(opened(client, "/?days=all"))


@pytest.mark.parametrize("query", ["page=2", "page=x", "page=-1", "page=99999999999999", "view=x", "days=x"])
def test_unknown_parameters_are_ignored(client, query):
    assert client.get(f"/?{query}").status_code == 200


def size(page):
    return text(page.xpath("//div[@class='dayhead']/p[@class='size']")[0])


def turned(client, path):
    """Return the pages of a list from its first on, as their links to later ones lead."""
    pages = []
    while path:
        pages.append(opened(client, path))
        path = pages[-1].xpath("string(//nav[@class='turn']/a[@rel='next']/@href)")
    return pages


def test_several_days_have_pages_whose_headings_say_what_is_listed(client, monkeypatch):
    monkeypatch.setattr(page_module, "PAGE_SIZE", 6)
    pages = turned(client, "/?days=all")
    assert [size(each) for each in pages] == [
        "1–6 av 16 programpunkter",
        "7–12 av 16 programpunkter",
        "13–16 av 16 programpunkter",
    ]
    assert [len(rows(each)) for each in pages] == [6, 6, 4]
    assert len({row for each in pages for row in rows(each)}) == 16
    assert [each.xpath("//nav[@class='turn']/a/@rel") for each in pages] == [
        ["next", "nofollow"],
        ["prev", "next", "nofollow"],
        ["prev", "nofollow"],
    ]
    assert size(opened(client, "/en/?during=2026-07-29/2026-07-30&page=2")) == "7–10 of 10 events"


@pytest.mark.parametrize(
    ("path", "said", "listed"),
    [
        ("/", "8 programpunkter", [8001, 8004, 8005, 8006, 8013, 8014, 8015, 8016]),
        ("/?during=2026-07-29&q=jazz", "2 programpunkter · 4 till andra dagar", [8001, 8014]),
        # By whatever selection, if all that it finds is of one day.
        ("/?q=jazz&during=2026-07-28/2026-07-29", "2 programpunkter · 4 till andra dagar", [8001, 8014]),
        # Of an address from the time when a day had pages.
        ("/?page=2", "8 programpunkter", [8001, 8004, 8005, 8006, 8013, 8014, 8015, 8016]),
    ],
)
def test_a_day_is_one_page(client, monkeypatch, path, said, listed):
    monkeypatch.setattr(page_module, "PAGE_SIZE", 1)
    page = opened(client, path)
    assert (size(page), sorted(rows(page)), page.xpath("//nav[@class='turn']")) == (said, listed, [])
    assert page.xpath("//link[contains(@href, 'page=')]") == []


def test_a_day_beyond_measure_has_pages_too(client, at, monkeypatch):
    at(utc(2026, 7, 29, 12, 30))
    monkeypatch.setattr(page_module, "MAX_OF_DAY", 5)
    pages = turned(client, "/")
    assert [size(each) for each in pages] == ["1–5 av 8 programpunkter", "6–8 av 8 programpunkter"]
    # What is over today stands where it was, so that no page is longer.
    assert [len(rows(each)) for each in pages] == [5, 3]
    assert sorted(rows(pages[0]) + rows(pages[1])) == [8001, 8004, 8005, 8006, 8013, 8014, 8015, 8016]
    assert [len(each.xpath("//h2[@id='upcoming']")) for each in pages] == [1, 0]
    # A timetable is whole.
    assert size(opened(client, "/?view=grid")) == "8 programpunkter"


def test_what_is_to_come_of_a_selection_that_has_pages_is_offered_on_one(client, at, monkeypatch):
    at(utc(2026, 7, 29, 12, 30))
    monkeypatch.setattr(page_module, "PAGE_SIZE", 5)
    [path] = opened(client, "/?days=all").xpath("//nav[@class='turn']/a[not(@rel='next')]/@href")
    every = client.get("/api/programme").json()["occasions"]
    coming = [each["id"] for each in every if each["endsAt"] > "2026-07-29T14:30:00+02:00"]
    articles = opened(client, path).xpath("//article/@id")
    assert (path, [*map(int, articles)]) == ("/allt", coming)


def test_every_link_leads_somewhere(client):
    for path in ("/", "/en/"):
        hrefs = {href for _, href in links(opened(client, path)) if href.startswith("/")}
        answers = {href: client.get(href).status_code for href in hrefs}
        # The back office sends strangers to its login.
        assert answers == dict.fromkeys(hrefs, 200) | {"/admin/": 302}


def test_a_website_that_is_no_web_address_is_no_link(client):
    models.Festival.objects.update(website="javascript:alert(1)")
    assert "javascript:" not in client.get("/").content.decode()


@given(programmes())
def test_the_tabs_together_hold_the_whole_selection(programme):
    snapshot = Snapshot(programme, NOW)
    whole = ProgrammePage(snapshot, parse_query(QueryDict("days=all"), "sv"))
    days = {each["date"]: each["size"] for each in whole.tabs}
    by_day = {
        day: ProgrammePage(snapshot, parse_query(QueryDict(f"during={day}"), "sv")).occasions for day in days
    }
    today = snapshot.today.isoformat()
    assert all(size == len(by_day[day]) for day, size in days.items() if day != today)
    if len(days) <= MAX_TABS:
        assert {each for found in by_day.values() for each in found} == {*programme.occasions}
        assert {*whole.occasions} == {*programme.occasions}


def test_of_many_days_those_around_the_chosen_one_are_tabs(sample_programme):
    snapshot = Snapshot(sample_programme, NOW)
    days = DayTabs(snapshot, snapshot.find(Selection()))
    days.every = [date(2026, 1, 1) + timedelta(days=number) for number in range(200)]
    for chosen in (days.every[0], days.every[3], days.every[100], days.every[199]):
        shown = days.around(chosen)
        before, after = days.beyond(shown)
        assert (len(shown), chosen in shown) == (15, True)
        assert (before is None, after is None) == (shown[0] == days.every[0], shown[-1] == days.every[-1])


def test_a_canonical_selection_stays_in_its_address(sample_programme):
    index = sample_programme.index
    query = parse_query(QueryDict("area=stora ångtorget&type=concert&q=b&q=a&occation=8003.8001"), "en")
    canonical = replace(query, selection=index.canonical(query.selection))
    page = ProgrammePage(Snapshot(sample_programme, NOW), canonical)
    again = parse_query(QueryDict(urlsplit(page.path_in("en")).query), "en")
    assert index.canonical(again.selection) == canonical.selection


def test_a_link_leads_to_the_first_of_its_hour(client, monkeypatch):
    monkeypatch.setattr("pages.days.MIN_ROWS_FOR_LINKS", 1)
    page = opened(client, "/?days=all")
    found = [
        (label, page.xpath("//li[@id=$id]", id=href[1:]))
        for label, href in links(page, "//nav[@class='hours']//a")
    ]
    assert len(found) > 3
    for label, (slot,) in found:
        clock = text(slot.xpath("./span[@class='clock']")[0])
        before = slot.xpath("string(preceding-sibling::li[1]/span[@class='clock'])")
        assert (clock[:2], before[:2] != clock[:2]) == (label, True)
    (label,) = page.xpath("//nav[@class='hours']/@aria-label")
    assert label == "Hoppa till en timme, onsdag 29 juli 2026"


def test_an_hour_has_one_name_on_the_list_the_timetable_and_the_page_of_what_begins_then(client):
    day = "/?during=2026-07-29"
    for path in (day, f"{day}&view=grid"):
        assert len(opened(client, path).xpath("//li[@id='kl-16']")) == 1
    (anchor,) = opened(client, "/tillfalle/8001").xpath("//p[@class='onward']/a/@href")
    assert anchor.startswith(day)
    assert anchor.endswith("#kl-16")


def test_long_events_stand_beside_the_hours_of_a_day_on_which_much_goes_on(client, monkeypatch):
    beside, among = "//details[contains(@class, 'long')]", "//ol[@class='slots']"
    models.Occasion.objects.filter(id=8001).update(end=utc(2026, 7, 29, 20))
    current.clear()
    path = "/?during=2026-07-29"
    plain = opened(client, path)
    assert (rows(plain, beside), 8001 in rows(plain, among)) == ([], True)
    monkeypatch.setattr("pages.days.MIN_ROWS_FOR_LINKS", 1)
    current.clear()
    page = opened(client, path)
    assert rows(page, beside) == [8001]
    assert sorted(rows(page, beside) + rows(page, among)) == sorted(rows(plain, among))


def test_what_is_over_keeps_the_name_of_its_hour_as_long_as_the_list_has_none(client, at):
    at(utc(2026, 7, 29, 15))
    page = opened(client, "/")
    assert len(page.xpath("//details[contains(@class, 'earlier')]//li[@id='kl-13']")) == 1
    anchors = page.xpath("//@id")
    assert len(anchors) == len(set(anchors))
