"""The browser asks before unsaved input is lost, and only then."""

import pytest
from playwright.sync_api import Browser, Dialog, Page

from programme.backoffice.roles import Role
from programme.models import Event
from tests.browser import browser, in_a_browser, live_server
from tests.programme.backoffice.rights.people import user_of
from tests.programme.backoffice.screens import open_page, save
from tests.programmes import CLOCKS, JAZZ, TORGET

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

START = "/admin/"
FORMS = [f"event/{JAZZ}", f"area/{TORGET}"]
FIRST_TEXT = "#content-main form input[type=text]:visible, #content-main form textarea:visible"


def is_warned(page: Page) -> bool:
    """Return whether the editor is asked before leaving for the start page, and then leaves."""
    found: list[str] = []

    def answer(dialog: Dialog) -> None:
        found.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    page.goto(START)
    page.remove_listener("dialog", answer)
    return found == ["beforeunload"]


@pytest.mark.parametrize("form", FORMS)
def test_leaving_asks_once_something_was_typed(page: Page, form: str) -> None:
    page.goto(f"/admin/programme/{form}/change/")
    field = page.locator(FIRST_TEXT).first
    before = field.input_value()
    field.fill(f"{before}!")
    field.fill(before)
    assert not is_warned(page)
    page.goto(f"/admin/programme/{form}/change/")
    field.fill(f"{before}!")
    assert is_warned(page)


def test_who_may_only_read_is_not_asked(browser: Browser, site: str) -> None:
    page = open_page(browser, site, user_of(Role.AREA_EDITOR))
    page.goto(f"/admin/programme/event/{CLOCKS}/change/")
    page.locator(".only-read").click()
    assert not is_warned(page)
    page.context.close()


def test_a_new_row_and_what_was_refused_are_typed_too(page: Page) -> None:
    page.goto(f"/admin/programme/event/{JAZZ}/change/")
    page.locator("#occasions-group .add-row a").click()
    assert is_warned(page)
    page.goto("/admin/programme/event/add/")
    page.fill("#id_title", "Jazz")
    page.get_by_role("button", name="Save as draft").last.click()
    page.locator(".errornote").wait_for()
    page.locator("#id_title").click()
    assert is_warned(page)


def test_saving_and_looking_at_a_preview_do_not_ask_and_typing_goes_on_to_count(page: Page) -> None:
    questions: list[str] = []
    page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    page.goto(f"/admin/programme/event/{JAZZ}/change/")
    page.fill("#id_title", "Soul")
    with page.context.expect_page() as preview:
        page.get_by_role("button", name="Preview").first.click()
    preview.value.close()
    page.goto(START)
    assert questions == ["beforeunload"]
    page.goto(f"/admin/programme/event/{JAZZ}/change/")
    page.fill("#id_title", "Soul")
    save(page)
    assert questions == ["beforeunload"]
    assert Event.objects.get(pk=JAZZ).title == "Soul"


def test_the_page_with_both_versions_asks_unless_one_drops_ones_own(page: Page) -> None:
    def meet() -> None:
        page.goto(f"/admin/programme/event/{JAZZ}/change/")
        page.fill("#id_title", "Mine")
        Event.objects.filter(pk=JAZZ).update(title=f"{Event.objects.get(pk=JAZZ).title} and theirs")
        page.get_by_role("button", name="Save", exact=True).first.click()
        page.locator(".meeting").wait_for()
        page.locator(".meeting input[value=mine]").first.click()

    meet()
    assert is_warned(page)
    meet()
    questions: list[str] = []
    page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    page.get_by_role("link", name="Keep theirs, drop mine").click()
    page.locator("#id_title").wait_for()
    assert questions == []
