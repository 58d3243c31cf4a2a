"""First visits of pages in a browser: a phone on a slow connection, with an empty cache."""

import shutil
from collections.abc import Sequence
from typing import Any, NamedTuple

from benchmarks.databases import Environment
from benchmarks.servers import SERVICE, run_server

PATHS = (
    *("/", "/?view=grid", "/?days=all", "/?q=torget", "/?area=Torget+1&highlighted=true"),
    *("/prenumerera", "/mitt-program?occation=1.2.3", "/tillfalle/1"),
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-headless-shell")
# Chromium's "Slow 4G".
SLOW = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 750e3 / 8,
}
PHONE = {"width": 390, "height": 844}
OBSERVE = """() => {
  window.shift = 0;
  new PerformanceObserver(list => list.getEntries().forEach(each => window.shift += each.value))
    .observe({type: "layout-shift", buffered: true});
}"""
READ = """() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  shift: window.shift,
})"""


class Visit(NamedTuple):
    """A first visit: requests, bytes transferred, milliseconds until the first paint, layout shift."""

    path: str
    requests: int
    bytes: int
    paint: float
    shift: float


def visit_pages(environment: Environment, paths: Sequence[str]) -> list[Visit]:
    """Visit each page with an empty cache, on a slow connection."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - a package of the tests

    with run_server(SERVICE, environment) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        found = [_visit(browser, f"http://localhost:{server.port}", path) for path in paths]
        browser.close()
    return found


def _visit(browser: Any, base_url: str, path: str) -> Visit:
    page = browser.new_context(viewport=PHONE).new_page()
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW)
    received: list[int] = []
    devtools.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    page.add_init_script(f"({OBSERVE})()")
    page.goto(f"{base_url}{path}", wait_until="networkidle")
    read = page.evaluate(READ)
    page.context.close()
    return Visit(path, len(received), round(sum(received)), read["paint"], read["shift"])
