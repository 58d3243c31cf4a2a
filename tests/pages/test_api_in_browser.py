"""The API's page in a real browser: Swagger UI shows the description, and its forms ask this service alone."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, in_a_browser

pytestmark = [*in_a_browser, pytest.mark.usefixtures("transactional_db", "sample", "at")]


@pytest.fixture
def complaints() -> list[str]:
    return []


@pytest.fixture
def page(browser: Any, live_server: Any, complaints: list[str]) -> Iterator[Page]:
    """The page on a phone; what it complains of, and what it asks of others, is a complaint."""
    context = browser.new_context(viewport=PHONE, base_url=live_server.url)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request", lambda sent: sent.url.startswith((live_server.url, "data:")) or complaints.append(sent.url)
    )
    page.goto("/api/docs")
    yield page
    context.close()


def test_a_form_shows_the_answer_of_this_service(page: Page, complaints: list[str], live_server: Any) -> None:
    events = page.locator("#operations-programme-listEvents")
    events.locator(".opblock-summary-control").click()
    events.locator("[data-param-name=highlighted] select").select_option("true")
    events.get_by_role("button", name="Execute").click()
    expect(events.locator(".request-url")).to_contain_text(
        f"{live_server.url}/api/events.json?highlighted=true&language=sv"
    )
    expect(events.locator(".live-responses-table .response-col_status").last).to_have_text("200")
    assert '"id": 8001' in events.locator(".live-responses-table .highlight-code").first.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert complaints == []


def test_every_operation_is_there_and_the_way_back(page: Page, client: Any) -> None:
    described = client.get("/api/schema").json()["paths"]
    expect(page.locator(".opblock-get")).to_have_count(len(described))
    page.get_by_role("link", name="For developers").click()
    assert page.url.endswith("/en/developers")
