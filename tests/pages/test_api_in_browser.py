"""The API's page in a real browser: a form shows its answer beneath, and nothing keeps people out."""

import pytest
from playwright.sync_api import expect

from tests.browser import DESKTOP, barriers_in_both_widths, browser, in_a_browser, live_server

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser


@pytest.fixture
def site(browser, transactional_db, sample, at, live_server) -> str:
    return live_server.url


def test_a_form_shows_its_answer_and_the_line_to_copy(browser, site):
    page = browser.new_page(viewport=DESKTOP)
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{site}/api/docs")
    events = page.locator(".endpoint", has=page.locator("#events"))
    events.locator("[name=date]").fill("2026-07-30")
    events.locator("[name=highlighted]").check()
    events.locator("button:not([type=button])").click()
    events.locator(".response .line").wait_for()
    assert events.locator(".response b").inner_text() == "200 OK"
    headers, body = events.locator(".response pre").all_inner_texts()
    assert "etag: " in headers
    assert '"id": 8002' in body
    events.locator("summary").first.click()
    line = "curl 'https://program.example/api/events?during=2026-07-30&highlighted=true&format=json'"
    assert events.locator(".curl").inner_text() == line
    one = page.locator(".endpoint", has=page.locator("#occasion"))
    one.locator("[name=id]").fill("8005")
    one.locator("[name=format]").select_option("ics")
    one.locator("button:not([type=button])").click()
    one.locator(".response .line").wait_for()
    assert "SUMMARY:Only in English" in one.locator(".response pre").last.inner_text()
    assert complaints == []
    # An error is shown as it is sent.
    page.fill("#events-limit", "0")
    events.locator("button:not([type=button])").click()
    expect(events.locator(".response b")).to_have_text("400 Bad Request")
    assert "is not a whole number from 1 to 1000." in events.locator(".response pre").last.inner_text()
    page.close()


def test_without_a_script_the_answer_is_opened(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/api/docs")
    assert not page.locator("[name=id]").is_visible()
    page.fill("#events-limit", "2")
    with context.expect_page() as opened:
        page.locator("form[data-path='/api/events'] button").click()
    opened.value.wait_for_load_state()
    assert "limit=2" in opened.value.url
    assert opened.value.locator("body").inner_text().startswith("[{")
    context.close()


def test_axe_finds_no_barrier(browser, site):
    page = browser.new_page()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"{site}/api/docs")
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    page.locator("form[data-path='/api/areas'] button").click()
    page.locator(".response .line").wait_for()
    assert barriers_in_both_widths(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [url for url in requests if not url.startswith(site)] == []
    page.close()
