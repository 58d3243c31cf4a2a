"""A storage that is full or refuses, a proxy that answers for the service, and a browser of some years ago."""

import re

import pytest
from django.core.handlers.base import BaseHandler
from django.http import HttpResponse
from playwright.sync_api import expect

from programme.publishing.current import current
from tests import news
from tests.browser import in_a_browser
from tests.conftest import NOW
from tests.pages.offline import EVERYTHING, page, placed, visited
from tests.pages.viewports import site, window

__all__ = ["page", "placed", "site", "window"]

pytestmark = in_a_browser

FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"
REFUSED = """for (const each of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, each, {get() { throw new DOMException('refused', 'SecurityError') }})"""


def answer(monkeypatch, status):
    """Answer every request as a proxy does before a service that is away."""
    monkeypatch.setattr(BaseHandler, "get_response", lambda *_: HttpResponse("Bad Gateway", status=status))


def test_a_full_storage_takes_nothing_from_who_has_network(page, live_server):
    visited(page, "/", "/utan-nat", "/en/offline", EVERYTHING)
    failed = []
    page.on("requestfailed", lambda each: failed.append(each.url))
    session = page.context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": live_server.url, "quotaSize": 1000})
    # As after an upgrade, whose files have new names.
    page.evaluate("caches.delete('parts-1')")
    for path in ("/utvecklare", "/"):
        page.goto(path)
        assert page.locator(".notice.offline").count() == 0
        assert page.evaluate("getComputedStyle(document.body).marginTop") == "0px"
    expect(page.locator("main .star").first).to_be_attached()
    assert failed == []


@pytest.mark.parametrize("script", [FULL, REFUSED], ids=["full", "refused"])
def test_pages_work_where_nothing_can_be_stored(window, site, script):
    page = window()
    page.add_init_script(script)
    page.clock.set_fixed_time(NOW)
    page.goto(f"{site}/?view=grid")
    page.locator(".picking summary").click()
    page.locator(".picking input").first.uncheck()
    expect(page.locator(".grid .o:visible")).to_have_count(0)
    page.goto(f"{site}/")
    star = page.locator("main .star").first
    star.click()
    expect(star).to_have_attribute("aria-pressed", "false")


def test_what_was_told_is_shown_where_the_storage_is_full(window, site):
    news.write_each_kind()
    current.clear()
    page = window()
    page.clock.set_fixed_time(NOW)
    page.goto(f"{site}/prenumerera")
    page.evaluate("localStorage.setItem('my-programme', '[8001]')")
    page.evaluate("localStorage.setItem('news-seen', '2026-07-29T00:00:00Z')")
    page.add_init_script(FULL)
    page.goto(f"{site}/mitt-program?occation=8001")
    expect(page.locator("#told li:visible").first).to_be_visible()


def test_while_the_service_is_away_stored_pages_are_shown(page, monkeypatch):
    visited(page, "/", "/utan-nat", "/en/offline", EVERYTHING)
    visited(page, "/tillfalle/8001", "/tillfalle/8001")
    title = page.locator("h1").text_content()
    for status in (500, 502, 503, 504):
        with monkeypatch.context() as patch:
            answer(patch, status)
            page.goto("/tillfalle/8001")
            expect(page.locator("h1")).to_have_text(title)
            assert re.search(r"Utan nät.*\d\d:\d\d", page.locator(".notice.offline").inner_text())
            assert page.evaluate("getComputedStyle(document.body).marginTop") == "0px"
            # No page of this is stored, but an article.
            page.goto("/tillfalle/8013")
            expect(page.locator("#stored time")).to_contain_text("16:00")
    page.goto("/tillfalle/8001")
    assert page.locator(".notice.offline").count() == 0


def test_what_a_proxy_answers_is_put_into_no_form(window, site):
    page = window()
    page.goto(f"{site}/prenumerera")
    page.route("**/prenumerera?*", lambda route: route.fulfill(status=502, body="Bad Gateway"))
    page.locator("form[data-live] label.pill").first.click()
    # Who sees that nothing was chosen does not take a calendar of something else.
    expect(page.locator("body")).to_have_text("Bad Gateway")
    page.complaints.clear()


def test_what_a_network_says_instead_of_the_service_is_no_page(page):
    visited(page, "/", "/utan-nat", "/en/offline", EVERYTHING)
    visited(page, "/tillfalle/8001", "/tillfalle/8001")
    title = page.locator("h1").text_content()
    portal = "<html><h1>Sign in to the network</h1></html>"
    page.context.route(
        re.compile("/(tillfalle/|prenumerera)"),
        lambda route: route.fulfill(status=200, content_type="text/html", body=portal),
    )
    page.goto("/tillfalle/8001")
    expect(page.locator("h1")).to_have_text(title)
    expect(page.locator(".notice.offline")).to_be_visible()
    page.goto("/prenumerera")
    expect(page.locator("h1")).to_have_text("Du är utan nät")


def test_a_network_that_is_silent_shows_what_is_stored(page):
    visited(page, "/", "/utan-nat", "/en/offline", "/?during=2026-07-31")
    page.context.route(re.compile("during="), lambda _route: None)
    page.goto("/?during=2026-07-31")
    expect(page.locator(".notice.offline")).to_be_visible()


def test_what_is_near_is_of_what_the_page_lists(placed):
    visited(placed, "/", "/utan-nat", EVERYTHING)
    for query in ("area=Ångtorget", "q=jazz&date=today"):
        placed.goto(f"/?{query}")
        near = placed.locator("#near .o")
        placed.get_by_role("button", name="Nära mig nu").click()
        expect(near.first).to_be_visible()
        seen = {each.get_attribute("data-o") for each in near.all()}
        of_page = placed.locator("[aria-labelledby=day] .o")
        assert seen
        assert seen <= {each.get_attribute("data-o") for each in of_page.all()}
