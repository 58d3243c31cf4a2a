"""A chief editor invites people in a real browser, and one of them comes in; wide, narrow, light and dark."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from programme.backoffice.roles import Role
from tests.browser import PHONE, barriers, browser, in_a_browser, live_server, signed_in
from tests.festival.accounts.people.office import create_user

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

PEOPLE = ["Anna Berg <p0@x.se>", "Bo\tEk\tp1@x.se", "p2@x.se"]
OPTIONS = {"viewport": PHONE, "color_scheme": "dark", "locale": "en-GB"}


@pytest.fixture
def page(transactional_db: None, sample: None, browser: Any, live_server: Any, settings: Any) -> Any:
    settings.BASE_URL = live_server.url
    chief = create_user("chief", Role.CHIEF_EDITOR)
    context = signed_in(browser, live_server.url, chief, **OPTIONS, base_url=live_server.url)
    yield context.new_page()
    context.close()


def press(page: Page, do: str) -> None:
    page.locator(f"button[name=do][value={do}]").click()


def test_people_are_pasted_corrected_invited_and_one_comes_in(page: Page, browser: Any) -> None:
    page.goto("/admin/auth/user/")
    page.locator(".object-tools a[href$='/invite/']").click()
    expect(page.locator(".field-areas")).to_be_hidden()
    page.locator("[name=people]").fill("\n".join(["Bo Ek", *PEOPLE]))
    page.locator(f"[name=role][value='{Role.AREA_EDITOR.value}']").check()
    page.locator(".field-areas input").first.check()
    page.locator("[name=last_day]").fill("2099-08-01")
    assert barriers(page) == []
    press(page, "links")
    # The first line has no address.
    expect(page.locator(".field-people .errorlist li")).to_have_count(1)
    assert barriers(page) == []
    assert User.objects.count() == 1
    page.locator("[name=people]").fill("\n".join(PEOPLE))
    press(page, "links")
    expect(page.locator("code.link")).to_have_count(3)
    assert barriers(page) == []
    invited = User.objects.filter(account__last_day="2099-08-01", groups__name=Role.AREA_EDITOR.value)
    assert invited.count() == 3
    link = page.locator("code.link").nth(2).inner_text()
    page.locator("#content-main a.button").click()
    expect(page.locator("#result_list tbody tr")).to_have_count(3)
    assert barriers(page) == []
    come_in(page, browser, link)
    page.reload()
    expect(page.locator("#result_list tbody tr")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    page.locator("#result_list tbody th a").first.click()
    page.locator(f"[name=role][value='{Role.EDITOR.value}']").check()
    expect(page.locator(".field-areas")).to_be_hidden()
    press(page, "save")
    expect(page.locator(".messagelist .success")).to_be_visible()
    press(page, "link")
    expect(page.locator("code.link")).to_have_count(1)
    assert barriers(page) == []
    press(page, "end")
    expect(page.locator(".messagelist .success")).to_be_visible()


def come_in(page: Page, browser: Any, link: str) -> None:
    context = browser.new_context(**OPTIONS)
    theirs = context.new_page()
    theirs.goto(link)
    expect(theirs.locator("#content-main strong")).to_have_text("p2@x.se")
    assert barriers(theirs) == []
    theirs.locator("[name=new_password1]").fill("Sju lyktor över kanalen 1932")
    theirs.locator("[name=new_password2]").fill("Sju lyktor över kanalen 1932")
    theirs.locator("#login-form [type=submit]").click()
    expect(theirs).to_have_url(f"{link.partition('/admin/')[0]}/admin/")
    theirs.get_by_role("button", name="Menu").click()
    language = theirs.locator("#user-tools .language button")
    other = language.get_attribute("value")
    language.click()
    expect(theirs.locator("html")).to_have_attribute("lang", other)
    context.close()
