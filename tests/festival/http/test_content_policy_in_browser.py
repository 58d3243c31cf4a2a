"""A browser visits each kind of page, public and of the back office, and blocks nothing that stands in it."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import browser, in_a_browser, live_server, signed_in
from tests.programmes import JAZZ

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

EVENT = f"/admin/programme/event/{JAZZ}/change/"
START = (
    *("/admin/", EVENT, f"{EVENT.removesuffix('change/')}preview/"),
    *("/admin/timetable/2026-07-29/", "/admin/timetable/sheets/", "/admin/password_change/"),
    *("/", "/?view=grid&date=2026-07-29", "/lista?accent=008080&paper=fff", "/tillfalle/8001", "/api/docs"),
    *("/finns-inte", "/prenumerera", "/mitt-program", "/utan-nat", "/ns/programme", "/tillfalle/99"),
)
# Addresses that are files, or end the session.
LEFT_OUT = re.compile(r"/(media|static|api/(events|areas|occations|schema)|admin/logout)|\.\w+$|format=")


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


def find_kind(address: str) -> str:
    """Return what pages of one template have in common: the path without numbers, dates and some models."""
    path = re.sub(r"\d[\d-]*", "#", urlsplit(address).path)
    return re.sub(r"\w+/\w+/((#/(delete|history)|deleted)/)$", r"*/\1", path)


def find_links(page: Page) -> list[str]:
    hrefs = page.locator("a[href]").evaluate_all("all => all.map(each => each.href)")
    own = urljoin(page.url, "/")
    return [each[len(own) - 1 :].partition("#")[0] for each in hrefs if each.startswith(own)]


def crawl(page: Page, start: tuple[str, ...], below: str = "/") -> dict[str, str]:
    """Visit one page of each kind below a path that links lead to; return the policy of each."""
    kinds = {find_kind(address): None for address in start}
    visited: dict[str, str] = {}
    waiting = list(start)
    while waiting:
        address = waiting.pop(0)
        response = page.goto(address)
        assert response is not None
        visited[find_kind(address)] = response.headers.get("content-security-policy", "none")
        for link in find_links(page):
            if link.startswith(below) and find_kind(link) not in kinds and not LEFT_OUT.search(link):
                kinds[find_kind(link)] = None
                waiting.append(link)
    return visited


def test_no_page_is_blocked_in_part(page: Page, blocked: list[str]) -> None:
    visited = crawl(page, START)
    assert blocked == []
    assert [kind for kind, policy in visited.items() if "default-src 'none'" not in policy] == []
    assert [kind for kind, policy in visited.items() if "unsafe" in policy] == []
    assert len([kind for kind in visited if kind.startswith("/admin/")]) > 30


def test_no_page_before_signing_in_is_blocked_in_part(page: Page, blocked: list[str]) -> None:
    page.context.clear_cookies()
    visited = crawl(page, ("/admin/login/?next=/admin/programme/",), below="/admin/")
    assert blocked == []
    assert "/admin/login/" in visited


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
