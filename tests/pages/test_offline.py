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
from tests.pages.offline import PROGRAMME, WAITED_FOR, listed, page, placed, stored, visited
from tests.programmes import JAZZ, utc

__all__ = ["page", "placed", "stored"]

pytestmark = in_a_browser

KEPT = "async () => (await (await caches.open('pages-1')).keys()).map(each => each.url)"


def test_the_days_open_without_the_network(page):
    visited(page, "/", "/?during=2026-07-31", "/utan-nat")
    page.context.set_offline(True)
    page.goto("/?during=2026-07-31")
    assert page.locator("main [data-o='8009']").count() >= 1
    expect(page.locator(".notice.offline")).to_contain_text("Utan nät")
    # When it was kept is said in words.
    assert re.search(r"\d\d:\d\d", page.locator(".notice.offline").inner_text())
    # In its style, with its script.
    assert page.evaluate("getComputedStyle(document.body).marginTop") == "0px"
    expect(page.locator(".star").first).to_be_attached()


def test_what_was_not_kept_says_so_in_style(page):
    visited(page, "/", "/utan-nat", "/en/offline", PROGRAMME)
    page.context.set_offline(True)
    for path, heading in (("/prenumerera", "Du är utan nät"), ("/en/news", "You are offline")):
        page.goto(path)
        assert page.locator("h1").inner_text() == heading
        page.get_by_role("link", name=re.compile("^Program|^Programme")).first.click()
        expect(page.locator("nav.days")).to_have_count(1)


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


def test_with_the_network_pages_are_as_they_are_now(page):
    visited(page, "/", "/?during=2026-07-29")
    models.Event.objects.filter(occasions__id=8001).update(title="Nytt namn")
    page.goto("/?during=2026-07-29")
    expect(page.locator("[data-o='8001'] a").first).to_have_text("Nytt namn")
    assert page.locator(".notice.offline").count() == 0


def test_of_the_api_the_programme_alone_is_kept_and_nothing_of_the_back_office_or_that_is_not_there(page):
    visited(page, "/", "/utan-nat")
    for path in ("/admin/login/", "/api/events.json", "/finns-inte", "/ns/programme"):
        page.goto(path)
    visited(page, "/prenumerera", "/prenumerera", PROGRAMME)
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


def asked(page, query):
    """Return the IDs of the occasions that the API finds, in its order."""
    found = page.request.get(f"/api/events.json?{query}").json()
    return [each["occation"]["id"] for each in found]


# What is written so, in either language, in whatever case and without marks; words that only the server's search knows.
WRITTEN = (
    *("jazz", "JÁZZ", "ångtorget", "angtorget", "kväll jazz", "biblioteket", "children", "Sal 2"),
    "finnsinte",
)
INFLECTED = ("konsertens", "bibloteket")


def test_a_search_without_the_network_finds_words_as_they_are_written(page):
    visited(page, "/", "/utan-nat", PROGRAMME)
    expected = {text: sorted(asked(page, urlencode({"q": text}))) for text in (*WRITTEN, *INFLECTED)}
    assert len({tuple(each) for each in expected.values()}) > 4
    page.context.set_offline(True)
    found = {}
    for text in expected:
        page.goto(f"/?{urlencode({'q': text})}")
        found[text] = sorted(listed(page))
        expect(page.locator("#stored")).to_contain_text("Utan nät hittas ord bara så som de är skrivna.")
    assert {text: found[text] for text in WRITTEN} == {text: expected[text] for text in WRITTEN}
    assert all(expected[text] and not found[text] for text in INFLECTED)


def test_what_is_found_stands_by_day_and_what_is_to_come_first_without_the_network(page):
    models.Event.objects.filter(id=JAZZ).update(title="Jazz i parken")
    current.clear()
    page.clock.set_fixed_time(NOW)
    visited(page, "/", "/utan-nat", "/en/offline", PROGRAMME)
    page.context.set_offline(True)
    page.goto("/?q=PARK")
    listed(page)
    expect(page).to_have_title(re.compile("^Alla dagar, ”PARK” – "))
    expect(page.locator("#stored h1")).to_have_text("Alla dagar")
    expect(page.locator("#stored h2.day").first).to_have_text("onsdag 29 juli")
    assert "Jazz i parken" in page.locator("#stored .o > a").all_inner_texts()
    page.goto("/?q=xyzzyq")
    expect(page.locator("#stored .notice").last).to_have_text("Inget innehåller ”xyzzyq”.")
    page.goto("/en/my-programme")
    expect(page.locator("#stored h1")).to_have_text("My programme")
    page.goto("/tillfalle/8001")
    expect(page).to_have_title(re.compile("^Jazz i parken – "))


FILTERS = (
    *("during=2026-07-29&area=Ångtorget", "during=2026-07-29/2026-07-31&type=konsert"),
    *("during=2026-07-29&after=17", "age=12&days=all", "days=all", "room=Källaren&during=2026-07-30"),
    *("audience=children&days=all", "highlighted=true&days=all", "occation=8002.8005"),
)


def test_filters_find_the_same_without_the_network(page):
    models.Event.objects.filter(id=JAZZ).update(audience="children")
    current.clear()
    visited(page, "/", "/utan-nat", PROGRAMME)
    expected = {query: asked(page, query) for query in FILTERS}
    page.context.set_offline(True)
    for query, every in expected.items():
        page.goto(f"/?{query}&view=grid")
        found = listed(page)
        assert sorted(found) == sorted(every) != []
        # What began before the day stands behind what begins on it.
        before = 8010 if "during" in query else None
        assert [each for each in found if each != before] == [each for each in every if each != before]
        expect(page.locator(".size")).to_have_text(f"{len(every)} programpunkter")


# What is asked for, and the heading, days and times that stand above and beside the rows.
DAYS = (
    ("during=tomorrow", "Torsdag 30 juli", [], ["16:00–17:00", "ons 29 jul 23:30–13:30"]),
    ("during=2026-12-24", "Torsdag 24 december", [], []),
    ("during=2026-07-30&room=Källaren", "Torsdag 30 juli, Källaren", [], ["16:00–17:00"]),
    ("days=all&occation=8002", "Alla dagar", ["torsdag 30 juli"], ["16:00–17:00"]),
    (
        "during=2026-07-30&during=2026-07-29&occation=8001.8002",
        "Alla dagar",
        ["onsdag 29 juli", "torsdag 30 juli"],
        ["16:00–17:00", "16:00–17:00"],
    ),
)


def test_each_row_has_its_day_without_the_network(page):
    models.Occasion.objects.filter(id=8013).update(
        start=utc(2026, 7, 29, 21, 30), end=utc(2026, 7, 30, 11, 30)
    )
    models.Occasion.objects.exclude(id__in=[8001, 8002, 8013]).delete()
    current.clear()
    page.clock.set_fixed_time(NOW)
    visited(page, "/", "/utan-nat", PROGRAMME)
    page.context.set_offline(True)
    for query, heading, days, times in DAYS:
        page.goto(f"/?{query}")
        listed(page)
        expect(page.locator("#stored h1")).to_have_text(heading)
        expect(page.locator("#stored h2.day")).to_have_text(days)
        expect(page.locator("#stored time")).to_have_text(times)


def test_the_stored_programme_says_how_old_it_is_in_both_languages(stored):
    for path, said in (("/?area=Ångtorget", "Utan nät: så här"), ("/en/?area=Ångtorget", "Offline: this is")):
        stored.goto(path)
        expect(stored.locator(".offline")).to_contain_text(said)
        assert re.search(r"\d\d:\d\d", stored.locator(".offline").inner_text())
        expect(stored.locator("#stored .star").first).to_be_attached()
        assert barriers(stored) == []


def test_an_occasion_and_a_place_open_from_the_stored_programme(stored):
    stored.goto("/?q=jazz")
    title = stored.locator("#stored [data-o='8001'] a").text_content()
    stored.locator("#stored [data-o='8001'] a").click()
    expect(stored.locator("h1")).to_have_text(title)
    expect(stored.locator(".when")).to_contain_text("16:00")
    stored.goto("/plats/5001")
    assert 8001 in listed(stored)


def test_text_of_the_programme_is_no_markup(page):
    models.Event.objects.filter(id=JAZZ).update(title='<img src=x onerror="document.title=1">&amp;')
    current.clear()
    visited(page, "/", "/utan-nat", PROGRAMME)
    page.context.set_offline(True)
    page.goto("/?q=onerror")
    expect(page.locator("#stored [data-o='8001'] a")).to_have_text(
        '<img src=x onerror="document.title=1">&amp;'
    )
    assert page.locator("#stored img").count() == 0


def test_it_is_fetched_again_only_when_it_has_changed(page):
    visited(page, "/", PROGRAMME)
    statuses = []
    age = """async () => {
      const cache = await caches.open('programme-1'), stored = await cache.match('/api/programme');
      const headers = new Headers(stored.headers);
      headers.set('x-kept-at', 1);
      await cache.put('/api/programme', new Response(await stored.blob(), {headers}));
    }"""
    titles = """async () => {
      for (;;) {
        const stored = await (await caches.open('programme-1')).match('/api/programme');
        if (stored.headers.get('x-kept-at') > 1) return (await stored.json()).events.map(each => each.title);
        await new Promise(later => setTimeout(later, 50));
      }
    }"""
    page.context.on(
        "response", lambda each: statuses.append(each.status) if each.url.endswith(PROGRAMME) else None
    )
    page.evaluate(age)
    page.goto("/prenumerera")
    before = page.evaluate(titles)
    models.Event.objects.filter(id=JAZZ).update(title="Nytt namn")
    page.evaluate(age)
    page.goto("/")
    assert len(set(page.evaluate(titles)) - set(before)) == 1
    assert statuses in ([304, 200], [])


def test_who_saves_data_is_sent_no_programme(page):
    page.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: true}})")
    visited(page, "/", "/utan-nat")
    page.locator("[data-o='8001'] > .star").first.click()
    visited(page, "/prenumerera", "/tillfalle/8001", "/prenumerera")
    page.wait_for_timeout(500)
    assert not page.evaluate(f"caches.match('{PROGRAMME}')")


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
    visited(placed, "/", "/utan-nat", PROGRAMME)
    asked = []
    placed.on("request", lambda each: asked.append(each.url))
    for path, is_offline in (("/", False), ("/?area=Ångtorget&date=today", True)):
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


def test_without_coordinates_there_is_no_button(page):
    visited(page, "/", "/utan-nat", PROGRAMME)
    assert page.locator("[data-near]").count() == 0
    page.context.set_offline(True)
    page.goto("/?area=Ångtorget")
    listed(page)
    assert page.locator("[data-near]").count() == 0
