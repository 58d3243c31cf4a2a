"""A real browser, a server for it, a logged-in editor, and axe, which finds accessibility barriers."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

# The headless shell has no windows: a test takes a third of the CPU time.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
AXE = Path(__file__).parent / "consumers" / "node_modules" / "axe-core" / "axe.min.js"

DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}

# The default of 5 s is too short on a machine that runs the whole suite.
expect.set_options(timeout=30_000)

# The marks of a module of such tests.
in_a_browser = [
    pytest.mark.browser,
    # On a busy machine a browser and its server can time out. A test that fails is run again and reported as
    # RERUN at the end; a real fault fails each time.
    pytest.mark.flaky(reruns=2),
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


class Chromium:
    """The browser of this process: started by the first module that uses it, and shared by those that follow."""

    def __init__(self) -> None:
        self.browser: Browser | None = None
        self._resources = ExitStack()

    def start(self) -> Browser:
        if self.browser is None:
            playwright = self._resources.enter_context(sync_playwright())
            # Playwright runs an event loop in this thread, in which Django would refuse the tests' queries.
            environment = self._resources.enter_context(pytest.MonkeyPatch.context())
            environment.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
            # The sandbox does not work for root, and the pages are our own.
            self.browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            self._resources.callback(self.browser.close)
        return self.browser

    def stop(self) -> None:
        self.browser = None
        self._resources.close()


chromium = Chromium()


@pytest.fixture(scope="module")
def browser() -> Browser:
    return chromium.start()


@pytest.fixture(scope="module")
def live_server() -> Iterator[LiveServer]:
    """pytest-django's server; static files are found in their source folders, not collected."""
    with override_settings(WHITENOISE_AUTOREFRESH=True):
        server = LiveServer("localhost")
        yield server
        server.stop()


def signed_in(browser: Browser, url: str, user: User, **options: Any) -> BrowserContext:
    """Return a browser context with a logged-in user; `options` are Playwright's (viewport, locale …)."""
    client = Client()
    client.force_login(user)
    context = browser.new_context(**{"viewport": DESKTOP, "locale": "sv-SE", **options})
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": url}])
    return context


# Between light and dark only what these rules find can differ. To run them alone halves the time of the second look.
COLOR_RULES = ("color-contrast", "link-in-text-block")
# A change of scheme begins transitions, whose colours nobody reads. By default axe also returns every element that
# passes, which takes ten times as long, and fetches style sheets, which no rule here asks for.
LOOK = """async runOnly => {
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
  const options = {preload: false, resultTypes: ['violations'], ...(runOnly && {runOnly})};
  return (await axe.run(options)).violations;
}"""
OTHER_SCHEME = {"light": "dark", "dark": "light"}


def barriers(page: Page) -> list[str]:
    """Return what axe finds, of any severity, in light and dark: the scheme, the rule and the element."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: needs node, and `npm ci` in tests/consumers")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    scheme = "dark" if page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") else "light"
    found = _look(page, scheme)
    page.emulate_media(color_scheme=OTHER_SCHEME[scheme])
    found += _look(page, OTHER_SCHEME[scheme], COLOR_RULES)
    page.emulate_media(color_scheme=scheme)
    return found


def barriers_in_both_widths(page: Page) -> list[str]:
    """Return the same, wide and narrow: styles decide how a page differs, so it is not loaded again."""
    found = []
    for viewport in (DESKTOP, PHONE):
        page.set_viewport_size(viewport)  # type: ignore[arg-type]
        found += [f"{viewport['width']} {barrier}" for barrier in barriers(page)]
    return found


def _look(page: Page, scheme: str, rules: tuple[str, ...] | None = None) -> list[str]:
    return [
        f"{scheme} {rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in page.evaluate(LOOK, rules)
        for node in rule["nodes"]
    ]
