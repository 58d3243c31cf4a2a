"""Telling, taking back and withdrawing for good, as a person clicks through them."""

from playwright.sync_api import Page, expect

from programme.models import News
from tests.browser import in_a_browser
from tests.programme.backoffice.screens import save

pytestmark = in_a_browser


def test_what_was_not_told_is_told_from_the_message_and_taken_back(page: Page) -> None:
    News.objects.all().delete()
    page.goto("/admin/programme/occasion/8002/change/")
    page.locator("#id_occasions-1-cancelled").check()
    page.locator("fieldset.news summary").click()
    page.get_by_label("Tell readers").select_option("no")
    save(page)
    page.locator(".messagelist").get_by_role("link", name="Tell them").click()
    page.get_by_label("Why, in English").fill("The singer is ill.")
    page.get_by_role("button", name="Tell readers now").click()
    expect(page.locator(".messagelist")).to_contain_text("Readers are told of 1 occasion.")
    page.goto("/admin/news/")
    expect(page.locator(".told li")).to_contain_text("The singer is ill.")
    page.locator(".told a").first.click()
    page.get_by_role("link", name="Take back …").click()
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".messagelist")).to_contain_text("Taken back: it is gone")
    expect(page.locator(".told li")).to_have_count(0)
    expect(page.locator("#content")).to_contain_text("Nothing yet.")
