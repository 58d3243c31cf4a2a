"""A browser visits each kind of page, public and of the back office, and blocks nothing that stands in it."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import browser, in_a_browser, live_server, signed_in
from tests.programmes import JAZZ

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

EVENT = f"/admin/programme/event/{JAZZ}/change/"
# Of each kind; the screens of the back office are looked at by tests/programme/backoffice/test_accessibility.py.
PAGES = (
    *("/admin/", EVENT, f"{EVENT.removesuffix('change/')}preview/", "/admin/timetable/2026-07-29/"),
    *("/", "/?view=grid&date=2026-07-29", "/lista?accent=008080&paper=fff", "/tillfalle/8001", "/api/docs"),
    *("/finns-inte", "/prenumerera", "/mitt-program", "/utan-nat", "/ns/programme", "/tillfalle/99"),
    *("/plats/5001", "/nytt", "/tidigare", "/utvecklare", "/utvecklare/element"),
)


@pytest.fixture
def festival(transactional_db: None, sample: None, at: Any) -> None:
    """The sample, which the server's thread sees too."""


@pytest.fixture
def context(festival: None, browser: Any, live_server: Any, settings: Any) -> Iterator[BrowserContext]:
    # Pages name their style sheets and links by it.
    settings.BASE_URL = live_server.url
    editor = User.objects.create_superuser("anna")
    context = signed_in(browser, live_server.url, editor, base_url=live_server.url)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture
def blocked(page: Page) -> list[str]:
    """What the browser says it has blocked, with the address of the page."""
    found: list[str] = []

    def listen(message: Any) -> None:
        if "Content Security Policy" in message.text or "Content-Security-Policy" in message.text:
            found.append(f"{page.url}: {message.text}")

    page.on("console", listen)
    return found


def test_no_page_is_blocked_in_part(page: Page, blocked: list[str]) -> None:
    for address in PAGES:
        response = page.goto(address)
        assert response is not None
        policy = response.headers["content-security-policy"]
        assert ("default-src 'none'" in policy, "unsafe" in policy) == (True, False), address
    assert blocked == []


def test_style_and_script_of_a_text_are_blocked(page: Page, blocked: list[str]) -> None:
    page.goto("/tillfalle/8001")
    page.evaluate(
        """() => {
            document.body.insertAdjacentHTML("beforeend",
                "<style>body { display: none }</style><p style='color: red' onclick='alert(1)'>x</p>");
            const script = document.createElement("script");
            script.textContent = "document.title = 'evil'";
            document.body.append(script);
        }"""
    )
    expect(page.locator("body")).to_be_visible()
    assert page.title() != "evil"
    assert len(blocked) >= 3
