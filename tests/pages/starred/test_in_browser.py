"""One address for my programme, in a browser: made, followed, offline, gone and deleted."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from pages.starred.models import StarredList
from tests.browser import PHONE, barriers, in_a_browser
from tests.failures.wait import wait_until
from tests.pages.viewports import site, window

__all__ = ["site", "window"]

pytestmark = in_a_browser


def star(page, occasion):
    page.locator(f"main [data-o='{occasion}'] > .star").first.click()


def sending(page, method="PATCH"):
    """Wait for a request about the list to be answered."""
    return page.expect_response(lambda response: response.request.method == method)


def stored():
    return [each.occasions for each in StarredList.objects.order_by("pk")]


def when(page, state):
    return page.locator(f".states > [data-when={state}]")


def test_one_address_follows_the_stars(window, site, client):
    programme, mine = "/en/", "/en/my-programme"
    page = window()
    page.add_init_script("localStorage['my-programme'] ??= '[8001]'")
    page.goto(f"{site}{mine}?occation=8001")
    with sending(page, "POST"):
        page.locator("[data-list=create]:visible").click()
    expect(when(page, "kept").locator("a").first).to_be_focused()
    url = page.locator("#following-url").input_value()
    assert re.fullmatch(rf"{site}/my-list/[0-9a-f]{{32}}\.ics\?language=en", url)
    secret = urlsplit(url).path[9:-4]
    links = [each.get_attribute("href") for each in when(page, "kept").locator("a").all()]
    assert links[0] == url.replace("http:", "webcal:")
    # Google takes it by hand.
    assert [secret in link for link in links if "google" not in link] == [True] * 2
    assert page.locator("#following-shown").input_value() == f"{url}&cancelled=show"
    # Stars elsewhere are sent together.
    page.goto(f"{site}{programme}?days=all")
    with sending(page):
        star(page, 8002)
        star(page, 8013)
        star(page, 8001)
    assert stored() == [[8002, 8013]]
    assert client.get(url.removeprefix(site)).content.decode().count("BEGIN:VEVENT") == 2
    page.goto(f"{site}{mine}")
    assert page.locator("#following-url").input_value() == url
    # Nothing of it is in an address of a page.
    assert secret not in page.url
    page.locator("#following > details > summary").click()
    with sending(page, "DELETE"):
        page.locator("[data-list=delete]").click()
    expect(page.locator("[data-list=create]:visible")).to_be_focused()
    assert stored() == []


def test_two_tabs_lose_no_star_and_what_is_starred_offline_is_sent_later(window, site):
    page = window()
    page.goto(f"{site}/?days=all")
    star(page, 8001)
    page.goto(f"{site}/mitt-program")
    with sending(page, "POST"):
        page.locator("[data-list=create]:visible").click()
    expect(when(page, "kept")).to_be_visible()
    other = page.context.new_page()
    for each in (page, other):
        each.goto(f"{site}/?days=all")
    star(page, 8002)
    star(other, 8013)
    # One of them sends both.
    wait_until("both stars are stored", lambda: stored() == [[8001, 8002, 8013]])
    other.close()
    page.context.set_offline(True)
    star(page, 8001)
    with sending(page):
        page.context.set_offline(False)
    assert stored() == [[8002, 8013]]


def test_when_the_list_is_gone_the_page_says_so_and_offers_a_new_one(window, site):
    page = window(viewport=PHONE, bypass_csp=True)
    page.add_init_script("localStorage['my-programme'] ??= '[8001]'")
    page.goto(f"{site}/mitt-program?occation=8001")
    expect(when(page, "offered")).to_be_visible()
    with sending(page, "POST"):
        page.locator("[data-list=create]:visible").click()
    StarredList.objects.all().delete()
    page.reload()
    expect(when(page, "gone")).to_be_visible()
    expect(when(page, "kept")).to_be_hidden()
    with sending(page, "POST"):
        page.locator("[data-list=create]:visible").click()
    expect(when(page, "kept")).to_be_visible()
    assert stored() == [[8001]]
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_more_than_500_stars_are_said_to_be_too_many(window, site):
    page = window()
    page.add_init_script(
        "localStorage['my-programme'] ??= JSON.stringify([...Array(501).keys()].map(n => n + 8001))"
    )
    page.goto(f"{site}/mitt-program")
    page.locator("[data-list=create]:visible").click()
    expect(page.locator(".toast")).to_have_text("Högst 500 programpunkter kan följas")
    assert stored() == []
