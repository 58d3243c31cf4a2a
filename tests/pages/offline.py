"""Visitors whose browser has stored pages, or all that is to come, before the network is off."""

import pytest
from playwright.sync_api import expect

from programme import models
from programme.publishing.current import current
from tests.browser import PHONE
from tests.conftest import NOW

EVERYTHING = "/allt"
# Of a visitor who has been here before.
AGAIN = "localStorage.visits ??= 1"


@pytest.fixture
def page(browser, transactional_db, sample, at, live_server, settings):  # noqa: PLR0917
    models.Event.objects.update(image_url="")
    settings.BASE_URL = live_server.url
    # The browser's own cache would answer for a minute, network or not.
    settings.CACHE_SECONDS = 0
    context = browser.new_context(viewport=PHONE, base_url=live_server.url)
    context.add_init_script(AGAIN)
    yield context.new_page()
    context.close()


WAITED_FOR = """async ends => {
  for (let turn = 0; turn < 1200; turn++) {
    const caches_ = await Promise.all((await caches.keys()).map(each => caches.open(each)));
    const kept = (await Promise.all(caches_.map(each => each.keys()))).flat().map(each => each.url);
    if (navigator.serviceWorker.controller && ends.every(end => kept.some(url => url.endsWith(end)))) return true;
    await new Promise(later => setTimeout(later, 50));
  }
  return false;
}"""


def visited(page, path, *kept):
    """Visit a page and wait until the worker has kept what it should."""
    page.goto(path)
    assert page.evaluate(WAITED_FOR, list(kept))


@pytest.fixture
def stored(page):
    """A visitor with all that is to come, and the network off."""
    page.clock.set_fixed_time(NOW)
    visited(page, "/", "/utan-nat", EVERYTHING)
    visited(page, "/en/", "/en/offline", "/en/all")
    page.context.set_offline(True)
    return page


def listed(page):
    expect(page.locator("#stored > .offline")).to_be_attached()
    return page.locator("#stored [data-o]").evaluate_all("all => all.map(each => Number(each.dataset.o))")


@pytest.fixture
def placed(page):
    """Three places, of which the library is nearest."""
    for number, latitude in ((5001, "58.5950"), (5002, "58.5900"), (5003, "58.5800")):
        models.Location.objects.filter(id=number).update(latitude=latitude, longitude="16.19")
    current.clear()
    page.context.grant_permissions(["geolocation"])
    page.context.set_geolocation({"latitude": 58.5960, "longitude": 16.19})
    page.clock.set_fixed_time(NOW)
    return page
