"""The element in a real WordPress, pasted into a block for HTML of a post."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import expect

from feeds.selection import Selection
from pages.embed import EmbeddingCode
from tests.browser import PHONE, in_a_browser
from tests.consumers import wordpress
from tests.failures.processes import free_port, start
from tests.failures.wait import wait_until
from tests.pages.viewports import site, window

__all__ = ["site", "window"]

pytestmark = [
    *in_a_browser,
    pytest.mark.skipif(bool(wordpress.find_missing()), reason=f"not installed: {wordpress.find_missing()}"),
]

ADMINISTRATOR, NOBODY = 1, 0


def accepts(port: int) -> bool:
    with closing(socket.socket()) as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def blog() -> Iterator[tuple[wordpress.WordPress, str]]:
    """WordPress on a port of its own, with its usual theme."""
    port = free_port()
    with TemporaryDirectory() as folder:
        # The database runs as a user of its own.
        Path(folder).chmod(0o755)
        with wordpress.install(Path(folder), {}) as installed:
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            server = start(["php", "-S", f"127.0.0.1:{port}", "-t", installed.folder], **quiet)
            try:
                wait_until("WordPress answers", lambda: accepts(port))
                yield installed, f"http://127.0.0.1:{port}"
            finally:
                server.terminate()
                server.wait()


def test_what_an_administrator_pastes_shows_the_programme_as_the_frame_does(window, site, blog):
    installed, url = blog
    code = EmbeddingCode(site, Selection(areas=("Ångtorget",)), "Kulturnatten")
    element = code.write_element('view="days" search filters stars')
    page = window(viewport=PHONE)
    page.goto(f"{url}{installed.run('post', url=url, user=ADMINISTRATOR, html=element)['path']}")
    rows = page.locator("festival-programme .occasion")
    expect(rows).to_have_count(5)
    page.locator("festival-programme .tab").nth(1).click()
    expect(page.locator("festival-programme h2")).to_have_text("torsdag 30 juli")
    page.get_by_role("searchbox", name="Sök i programmet").fill("jazz")
    expect(page.locator("festival-programme h2")).to_have_count(3)
    page.locator("festival-programme .star").first.click()
    expect(page.get_by_role("link", name="Mitt program (1)")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    found = rows.all_inner_texts()
    page.goto(f"{site}/lista?area=ångtorget&q=jazz")
    framed = page.locator(".occasion").all_inner_texts()
    assert [each.replace("★", "").replace("☆", "").split() for each in found] == [
        each.split() for each in framed
    ]


def test_of_what_others_paste_the_link_remains(window, site, blog):
    installed, url = blog
    element = EmbeddingCode(site, Selection(), "Kulturnatten").write_element()
    page = window(viewport=PHONE)
    page.goto(f"{url}{installed.run('post', url=url, user=NOBODY, html=element)['path']}")
    expect(page.get_by_role("link", name="Kulturnatten")).to_have_attribute("href", f"{site}/")
    assert page.locator("festival-programme").count() == 0
