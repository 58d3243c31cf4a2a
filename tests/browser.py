"""A real browser, the server it asks, an editor signed in, and axe, which finds what keeps people out."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

CHROMIUM = shutil.which("chromium")
AXE = Path(__file__).parent / "consumers" / "node_modules" / "axe-core" / "axe.min.js"

DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}

# A machine that runs the whole suite beside may take its time; 5 s are not patient enough.
expect.set_options(timeout=30_000)

# What a module of such tests is marked with.
in_a_browser = [
    pytest.mark.browser,
    # On a machine that is busy a browser, a server and their network can miss each other. What fails once is
    # tried again and told as RERUN at the end; what is wrong fails each time.
    pytest.mark.flaky(reruns=2),
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Playwright runs an event loop in this thread, in which Django would refuse the tests' own queries.
    with pytest.MonkeyPatch.context() as environment, sync_playwright() as playwright:
        environment.setitem(os.environ, "DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        # Its sandbox cannot be had by root, and the pages are ours.
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def live_server() -> Iterator[LiveServer]:
    """pytest-django's server, which finds static files where they lie: none are gathered for tests."""
    with override_settings(WHITENOISE_AUTOREFRESH=True):
        server = LiveServer("localhost")
        yield server
        server.stop()


def signed_in(browser: Browser, url: str, user: User, **options: Any) -> BrowserContext:
    """Return a window in which a user is signed in already; `options` are Playwright's (viewport, locale …)."""
    client = Client()
    client.force_login(user)
    context = browser.new_context(**{"viewport": DESKTOP, "locale": "sv-SE", **options})
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": url}])
    return context


def barriers(page: Page, *, every: bool = False) -> list[str]:
    """Return what axe calls serious or critical on a page, or everything it finds: the rule, and where."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: needs node, and `npm ci` in tests/consumers")
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run()")["violations"]
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found
        if every or rule["impact"] in {"serious", "critical"}
        for node in rule["nodes"]
    ]
