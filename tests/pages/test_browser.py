"""The pages in a real browser: they open without complaint and fit a phone, light and dark."""

import pytest

from programme import models
from tests.browsing import browser, in_a_browser, live_server
from tests.programmes import JAZZ

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser


@pytest.fixture
def site(browser, transactional_db, sample, at, live_server) -> str:
    # What lies on other hosts is not there in a test.
    models.Event.objects.update(image_url="")
    return live_server.url


@pytest.mark.parametrize(("scheme", "paper"), [("light", "rgb(252, 251, 249)"), ("dark", "rgb(23, 22, 21)")])
@pytest.mark.parametrize(
    "path",
    ["/", "/en/", "/tillfalle/8001", "/en/occasion/8004", "/tillfalle/8009", "/ns/programme"],
)
def test_a_page_opens_and_fits_a_phone(browser, site, path, scheme, paper):
    context = browser.new_context(viewport={"width": 360, "height": 640}, color_scheme=scheme)
    page = context.new_page()
    complaints, requests = [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    assert page.goto(f"{site}{path}").status == 200
    page.wait_for_load_state("networkidle")
    assert complaints == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == paper
    # Nothing is fetched from anybody else.
    assert {url for url in requests if not url.startswith(site)} == set()
    context.close()


def test_the_keyboard_reaches_the_content_first(browser, site):
    page = browser.new_page()
    page.goto(f"{site}/tillfalle/8001")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Till innehållet"
    assert page.locator(".skip").bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    assert page.url.endswith("#content")
    page.close()


def test_a_long_word_breaks_instead_of_widening_the_page(browser, site):
    models.Event.objects.filter(id=JAZZ).update(title="å" * 300, price="b" * 200)
    page = browser.new_page(viewport={"width": 360, "height": 640})
    page.goto(f"{site}/tillfalle/8001")
    assert page.locator("h1").inner_text() == "å" * 300
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.close()
