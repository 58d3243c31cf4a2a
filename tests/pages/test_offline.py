"""Offline once visited: a real browser with the network off."""

import re

import pytest
from playwright.sync_api import expect

from programme import models
from tests.browser import PHONE, browser, in_a_browser, live_server

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

KEPT = "async () => (await (await caches.open('pages-1')).keys()).map(each => each.url)"


@pytest.fixture
def page(browser, transactional_db, sample, at, live_server, settings):  # noqa: PLR0917
    models.Event.objects.update(image_url="")
    settings.BASE_URL = live_server.url
    # The browser's own cache would answer for a minute, network or not.
    settings.CACHE_SECONDS = 0
    context = browser.new_context(viewport=PHONE, base_url=live_server.url)
    yield context.new_page()
    context.close()


WAITED_FOR = """async ends => {
  for (let turn = 0; turn < 1200; turn++) {
    const kept = (await (await caches.open('pages-1')).keys()).map(each => each.url);
    if (navigator.serviceWorker.controller && ends.every(end => kept.some(url => url.endsWith(end)))) return true;
    await new Promise(later => setTimeout(later, 50));
  }
  return false;
}"""


def visited(page, path, *kept):
    """Visit a page and wait until the worker has kept what it should."""
    page.goto(path)
    assert page.evaluate(WAITED_FOR, list(kept))


@pytest.mark.parametrize(
    ("path", "offline", "said"),
    [
        ("/", "/utan-nat", "Utan nät"),
        pytest.param("/en/", "/en/offline", "Offline", marks=pytest.mark.thorough),
    ],
)
def test_the_days_open_without_the_network(page, path, offline, said):
    visited(page, path, f"{path}?date=2026-07-31", offline)
    page.context.set_offline(True)
    page.goto(f"{path}?date=2026-07-31")
    assert page.locator("main [data-o='8009']").count() >= 1
    expect(page.locator(".notice.offline")).to_contain_text(said)
    # When it was kept is said in words.
    assert re.search(r"\d\d:\d\d", page.locator(".notice.offline").inner_text())
    # In its style, with its script.
    assert page.evaluate("getComputedStyle(document.body).marginTop") == "0px"
    expect(page.locator(".star").first).to_be_attached()


@pytest.mark.parametrize(
    ("path", "heading"), [("/tillfalle/8001", "Du är utan nät"), ("/en/occasion/8001", "You are offline")]
)
def test_what_was_not_kept_says_so_in_style(page, path, heading):
    visited(page, "/", "/utan-nat", "/en/offline")
    page.context.set_offline(True)
    page.goto(path)
    assert page.locator("h1").inner_text() == heading
    page.get_by_role("link", name=re.compile("^Program|^Programme")).first.click()
    expect(page.locator("nav.days")).to_have_count(1 if path.startswith("/till") else 0)


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
    visited(page, "/", "/?date=2026-07-29")
    models.Event.objects.filter(occasions__id=8001).update(title="Nytt namn")
    page.goto("/?date=2026-07-29")
    expect(page.locator("[data-o='8001'] a").first).to_have_text("Nytt namn")
    assert page.locator(".notice.offline").count() == 0


def test_neither_the_back_office_nor_the_api_is_kept(page):
    visited(page, "/", "/utan-nat")
    for path in ("/admin/login/", "/api/events.json", "/ns/programme"):
        page.goto(path)
    visited(page, "/prenumerera", "/prenumerera")
    kept = page.evaluate(KEPT)
    assert [url for url in kept if "/admin/" in url or "/api/" in url] == []
    assert any(url.endswith("/ns/programme") for url in kept)
    page.context.set_offline(True)
    with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
        page.goto("/admin/login/")


def test_what_is_not_there_is_not_kept(page):
    visited(page, "/", "/utan-nat")
    page.goto("/finns-inte")
    visited(page, "/prenumerera", "/prenumerera")
    assert [url for url in page.evaluate(KEPT) if "finns-inte" in url] == []


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
