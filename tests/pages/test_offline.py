"""Offline once visited: a real browser with the network off."""

import re
from urllib.parse import urlencode

import pytest
from PIL import Image
from playwright.sync_api import expect

from programme import models
from programme.publishing.current import current
from tests.browser import barriers, in_a_browser
from tests.conftest import NOW
from tests.pages.offline import EVERYTHING, WAITED_FOR, listed, page, placed, stored, visited
from tests.programmes import JAZZ, utc

__all__ = ["page", "placed", "stored"]

pytestmark = in_a_browser

KEPT = "async () => (await (await caches.open('pages-2')).keys()).map(each => each.url)"


def test_what_was_not_kept_says_so_and_what_was(stored):
    for path, heading in (("/prenumerera", "Du är utan nät"), ("/en/subscribe", "You are offline")):
        stored.goto(path)
        assert stored.locator("h1").inner_text() == heading
        expect(stored.locator("#stored li a").first).to_be_visible()
        assert barriers(stored) == []
        stored.get_by_role("link", name=re.compile("^(Hela programmet|The whole programme)$")).first.click()
        expect(stored.locator("article").first).to_be_attached()


def test_my_programme_opens_without_the_network(page):
    visited(page, "/?days=all", "/utan-nat")
    page.locator("[data-o='8002'] > .star").first.click()
    page.locator("[data-o='8001'] > .star").first.click()
    visited(page, "/?days=all", "/mitt-program?occation=8001.8002", "/tillfalle/8001", "/tillfalle/8002")
    page.context.set_offline(True)
    page.goto("/mitt-program?occation=8001.8002")
    assert page.locator("main .cards [data-o]").count() == 2
    # Of my programme there is one: the former is not kept beside it.
    assert [url for url in page.evaluate(KEPT) if url.endswith("=8002")] == []
    # What is starred opens, too.
    page.goto("/tillfalle/8002")
    expect(page.locator(".notice.offline")).to_contain_text("Utan nät")


def test_what_is_starred_without_the_network_is_in_my_programme(stored):
    stored.goto("/")
    for number in (8004, 8001):
        stored.locator(f"[data-o='{number}'] > .star").first.click()
    stored.goto("/mitt-program")
    assert listed(stored) == [8001, 8004]
    expect(stored.locator("h1")).to_have_text("Mitt program")


def test_with_the_network_pages_are_as_they_are_now(page):
    visited(page, "/", "/?during=2026-07-29")
    models.Event.objects.filter(occasions__id=8001).update(title="Nytt namn")
    page.goto("/?during=2026-07-29")
    expect(page.locator("[data-o='8001'] a").first).to_have_text("Nytt namn")
    assert page.locator(".notice.offline").count() == 0
    # No place has coordinates, so nothing is near.
    assert page.locator("[data-near]").count() == 0


def test_nothing_is_kept_of_the_api_of_the_back_office_or_that_is_not_there(page):
    visited(page, "/", "/utan-nat")
    for path in ("/admin/login/", "/api/events.json", "/finns-inte", "/ns/programme"):
        page.goto(path)
    visited(page, "/prenumerera", "/prenumerera", EVERYTHING)
    kept = page.evaluate(KEPT)
    assert [url for url in kept if re.search("/admin/|/api/|finns-inte", url)] == []
    assert any(url.endswith("/ns/programme") for url in kept)
    page.context.set_offline(True)
    with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
        page.goto("/admin/login/")


@pytest.mark.thorough
def test_no_more_is_kept_than_a_phone_should_have(page):
    visited(page, "/", "/utan-nat")
    page.evaluate(
        "async () => { const worker = (await navigator.serviceWorker.ready).active;"
        "for (let i = 0; i < 6; i++) worker.postMessage({keep:"
        " [...Array(20).keys()].map(n => `/lista?occation=${1000 + 20 * i + n}`)}); }"
    )
    assert page.evaluate(WAITED_FOR, ["=1119"])
    kept = page.evaluate(KEPT)
    # Eighty, the two that say that one is offline, and the one that is being kept.
    assert len(kept) <= 83
    assert any(url.endswith("/utan-nat") for url in kept)


# What is written so, in whatever case and without marks; words that only the server's search knows.
WRITTEN = {
    "jazz": True, "JÁZZ": True, "angtorget": True, "ångtorget jazz": True, "biblioteket": True, "Sal 2": True,
    "konsertens": False, "bibloteket": False,
}  # fmt: skip


def test_a_search_offline_finds_words_as_they_are_written(stored):
    for text, is_found in WRITTEN.items():
        stored.goto(f"/?{urlencode({'q': text})}")
        assert bool(listed(stored)) is is_found, text
        expect(stored.locator("#stored h1")).to_have_text(text)
        expect(stored.locator("#stored")).to_contain_text(
            "Utan nät hittas ord bara så som de är skrivna, och filter gäller inte."
        )
    expect(stored.locator("#stored .intro")).to_contain_text("Inget innehåller ”bibloteket”. Utan nät")
    expect(stored.locator("#stored li a").first).to_be_visible()
    stored.goto("/?q=jazz")
    expect(stored).to_have_title(re.compile("^jazz – "))
    expect(stored.locator("#stored h2.day").first).to_have_text("onsdag 29 juli")
    assert barriers(stored) == []


def test_an_occasion_that_was_not_visited_is_its_article_in_both_languages(stored):
    title = models.Event.objects.get(occasions=8001).title
    for path, said, day in (
        ("/tillfalle/8001", "Utan nät: så här", "onsdag 29 juli 2026 16:00"),
        ("/en/occasion/8001", "Offline: this is", "Wednesday 29 July 2026 16:00"),
    ):
        stored.goto(path)
        assert listed(stored) == [8001]
        expect(stored.locator("h1")).to_have_text(title)
        expect(stored.locator("#stored time")).to_contain_text(day)
        expect(stored.locator(".offline")).to_contain_text(said)
        assert re.search(r"\d\d:\d\d", stored.locator(".offline").inner_text())
        expect(stored.locator("#stored .star").first).to_be_attached()
        assert barriers(stored) == []


def test_the_document_is_a_page_too_and_each_day_is_one_and_a_timetable(page):
    page.clock.set_fixed_time(NOW)
    visited(page, "/", EVERYTHING, "/?during=2026-07-31&view=grid")
    page.context.set_offline(True)
    for path, content in (
        ("/allt", "article#8009"), ("/?during=2026-07-31", ".slots"), ("/?during=2026-07-31&view=grid", ".timetable"),
    ):  # fmt: skip
        page.goto(path)
        expect(page.locator(content.replace("#8009", "[id='8009']"))).to_be_attached()
        expect(page.locator(".notice.offline")).to_contain_text("Utan nät: så här såg sidan ut")
        # When it was kept is said in words, in its style, and with its script.
        assert re.search(r"\d\d:\d\d", page.locator(".notice.offline").inner_text())
        assert page.evaluate("getComputedStyle(document.body).marginTop") == "0px"
        expect(page.locator(".star").first).to_be_attached()


def test_a_first_visit_keeps_what_was_visited_and_a_button_the_rest(page):
    page.add_init_script("if (!sessionStorage.visits) localStorage.visits = 0")
    visited(page, "/", "/utan-nat", "/")
    page.wait_for_timeout(500)
    assert not page.evaluate(f"caches.match('{EVERYTHING}')")
    page.get_by_role("button", name="Spara offline").click()
    expect(page.get_by_role("status")).to_have_text("Nu går programmet att läsa utan nät")
    assert page.evaluate(WAITED_FOR, [EVERYTHING, "view=grid"])


def test_who_asks_for_more_than_there_is_room_for_is_told_so(page):
    page.add_init_script("if (!sessionStorage.visits) localStorage.visits = 0")
    visited(page, "/", "/utan-nat", "/")
    too_large = {"body": " " * 1_000_001, "headers": {"Content-Security-Policy": "worker-src 'self'"}}
    page.context.route(f"**{EVERYTHING}", lambda route: route.fulfill(content_type="text/html", **too_large))
    page.get_by_role("button", name="Spara offline").click()
    expect(page.get_by_role("status")).to_have_text(
        "Allt får inte plats här: det som du öppnar och sparar finns kvar"
    )
    assert not page.evaluate(f"caches.match('{EVERYTHING}')")


# After midnight of a day that ends at 05:00, and in both nights in which the clock changes.
NIGHTS = [
    utc(2026, 7, 29, 23, 15),
    utc(2026, 10, 25, 1, 15),
    utc(2026, 3, 29, 1, 15),
]


@pytest.mark.parametrize("night", NIGHTS, ids=str)
def test_offline_a_night_has_the_occasions_and_the_words_of_the_site(page, at, settings, night):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    at(night)
    page.clock.set_fixed_time(night)
    rows = "all => all.map(each => [each.dataset.o, each.innerText])"
    # Of the days the last one, as a timetable, comes last.
    visited(page, "/", "/utan-nat", EVERYTHING, "/?during=2026-12-31&view=grid")
    days = page.evaluate(KEPT)
    paths = [EVERYTHING, *sorted(url.partition("?")[2] and f"/?{url.partition('?')[2]}" for url in days)]
    shown = {}
    for path in filter(None, paths):
        page.goto(path)
        shown[path] = page.locator("main [data-o]").evaluate_all(rows)
    assert len(shown) > 3
    page.context.set_offline(True)
    for path, expected in shown.items():
        page.goto(path)
        expect(page.locator(".notice.offline")).to_be_visible()
        assert page.locator("main [data-o]").evaluate_all(rows) == expected, path
    # Each is an article, too, with the times that its day has.
    for number, text in shown[EVERYTHING][:3]:
        page.goto(f"/tillfalle/{number}")
        assert listed(page) == [int(number)]
        assert text.split("\n")[-1] in page.locator("#stored").inner_text()


def test_text_of_the_programme_is_no_markup(page):
    models.Event.objects.filter(id=JAZZ).update(title='<img src=x onerror="document.title=1">&amp;')
    current.clear()
    visited(page, "/", "/utan-nat", EVERYTHING)
    page.context.set_offline(True)
    page.goto("/?q=onerror")
    expect(page.locator("#stored [data-o='8001'] a")).to_have_text(
        '<img src=x onerror="document.title=1">&amp;'
    )
    assert page.locator("#stored img").count() == 0


def test_who_saves_data_is_sent_what_was_asked_for(page):
    page.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: true}})")
    visited(page, "/", "/utan-nat")
    page.locator("[data-o='8001'] > .star").first.click()
    visited(page, "/prenumerera", "/tillfalle/8001", "/prenumerera")
    page.wait_for_timeout(500)
    assert not page.evaluate(f"caches.match('{EVERYTHING}')")


def test_starred_pages_and_the_practical_one_have_their_pictures(page, tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path
    (tmp_path / "events").mkdir()
    for name in ("jazz", "map"):
        Image.new("RGB", (40, 20), "red").save(tmp_path / "events" / f"{name}.png")
    models.Event.objects.filter(id=JAZZ).update(image="events/jazz.png")
    models.Festival.objects.update(map="events/map.png", map_alt_sv="Karta", practical_sv="Vatten")
    current.clear()
    visited(page, "/", "/utan-nat", "/praktiskt", "/media/events/map.png")
    page.locator("[data-o='8001'] > .star").first.click()
    visited(page, "/prenumerera", "/tillfalle/8001", "/media/events/jazz.png")
    page.context.set_offline(True)
    page.goto("/tillfalle/8001")
    expect(page.locator(".notice.offline")).to_be_visible()
    page.wait_for_function("document.querySelector('figure img').naturalWidth === 40")
    page.get_by_role("link", name="Praktiskt").click()
    page.wait_for_function("document.querySelector('#map img').naturalWidth === 40")
    # Unstarred, it is not kept any longer.
    page.context.set_offline(False)
    page.goto("/tillfalle/8001")
    page.locator("header .star").click()
    page.wait_for_function("async () => !(await (await caches.open('starred-1')).keys()).length")


def test_what_is_near_stands_first_and_nobody_is_told(placed):
    visited(placed, "/", "/utan-nat", EVERYTHING)
    asked = []
    placed.on("request", lambda each: asked.append(each.url))
    for path, is_offline in (("/", False), ("/?during=2026-07-29", True)):
        placed.context.set_offline(is_offline)
        placed.goto(path)
        placed.get_by_role("button", name="Nära mig nu").click()
        rows = placed.locator("#near .o b")
        expect(rows.first).to_have_text("120 m")
        assert {*rows.all_inner_texts()[1:]} <= {"120 m", "670 m", "1,8 km"}
        expect(placed.locator("#near .star").first).to_be_visible()
        assert barriers(placed) == []
    assert [url for url in asked if "58.5" in url] == []


def test_who_is_not_told_where_one_is_says_so_in_words(placed):
    placed.context.clear_permissions()
    placed.goto("/")
    placed.get_by_role("button", name="Nära mig nu").click()
    expect(placed.locator("#near")).to_contain_text("får inte veta var du är")
